import type { Expression } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { NOW, type Replaced } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { LifecycleAnswer, noteKept } from "./lifecycle-answer.ts";
import { namesAt } from "./names-at.ts";
import { type Page, pageAnswer } from "./roles.ts";
import { record, run, type World } from "./run.ts";
import { behindRequests } from "./unneeded.ts";
import { isKind, memberOf, type Source, UNKNOWN, type Value } from "./value.ts";

/** An expansion in a request, with its value. */
export interface Sent {
  readonly expansion: Expansion;
  /** The names below `params` or `body` that it stands under. */
  readonly names: readonly string[];
  readonly value: Value;
}

/** What `request` sends. */
export interface Asking {
  /** What it sends that may be another one the next time, in the order of the document. */
  readonly sent: readonly Sent[];
  /** The state with which it begins. */
  readonly before: Value;
}

/** The first iteration of a further cycle. */
export interface Begun extends Asking {
  /** What `pre_poll` sent before. */
  readonly prepared: readonly Sent[];
}

/** One iteration of `request`. */
export interface Iteration extends Asking {
  readonly iterate: Value;
  /** The state that it leaves. */
  readonly state: Value;
  /** What it gives as `results`: worked out where that is asked, because few ask. */
  results(): Value;
}

/** The request of an intake, and the list in an answer whose records become its `results`. */
export interface Listing {
  readonly request: Command;
  /** The `!http` that is answered with the list: one, or in cases of a `!switch` one for the first page and one for those behind it. */
  readonly commands: readonly [Command, ...Command[]];
  /** Where the list is in the answer's body. */
  readonly list: readonly string[];
  /** What is a token in an answer, although the name says otherwise. */
  readonly tokens: ReadonlySet<string>;
}

/** The commands of an intake that polls, as they run on answers of a service that is made up. */
export class PollingProgram {
  private readonly intake: IntakeSymbol;
  readonly listing: Listing;
  /** What each request sends. */
  private readonly expansions = new Map<Command | undefined, Omit<Sent, "value">[]>();
  /** Instead of what makes the results. */
  private readonly withoutResults: Replaced;
  private readonly behindRequests: ReadonlySet<Command>;

  /** @param expansions of the intake, in the order of the document */
  constructor(
    intake: IntakeSymbol,
    listing: Listing,
    expansions: readonly Expansion[],
    resultsMade: readonly Expression[],
  ) {
    this.intake = intake;
    this.listing = listing;
    for (const expansion of expansions) {
      if (expansion.command?.key !== "!http") continue;
      const known = this.expansions.get(expansion.command) ?? [];
      this.expansions.set(expansion.command, known);
      known.push({ expansion, names: namesAt(expansion) });
    }
    this.withoutResults = new Map(resultsMade.map((node) => [node, { ...node, kind: "Identity" }]));
    this.behindRequests = new Set(behindRequests(listing.request));
  }

  /** The state in which the first cycle begins. */
  start(): Value {
    return this.after(["initial_setup", "pre_poll"], record({}), NOW);
  }

  /** The same for a customer who chose a number wherever one is taken, and else what comes last. */
  startChosen(): Value {
    const choices = { root: (_: string, path: readonly string[]) => part(path, someNumber), takesLast: true };
    const setUp = this.after(["initial_setup"], record({}), NOW, choices);
    return this.after(["pre_poll"], setUp, NOW);
  }

  /** Runs `request` on a page of the list. */
  iteration(page: Page, before: Value, now: number, replaced?: Replaced): Iteration {
    const sent: Sent[] = [];
    const world = this.world(page, before, now);
    const { withoutResults } = this;
    const output = run(this.listing.request, {
      ...world,
      onRun: this.noting(sent),
      replaced: replaced === undefined ? withoutResults : new Map([...withoutResults, ...replaced]),
    });
    const whole = (): Value => run(this.listing.request, { ...world, replaced });
    return {
      sent,
      before,
      iterate: memberOf(output, "iterate"),
      state: stateAfter(output, before),
      results: () => memberOf(whole(), "results"),
    };
  }

  /** What `request` sends, with a page of the list as the answer. */
  asking(page: Page, before: Value, now: number): Asking {
    const sent: Sent[] = [];
    run(this.listing.request, {
      ...this.world(page, before, now),
      onRun: this.noting(sent),
      skipped: this.behindRequests,
    });
    return { sent, before };
  }

  /** Ends a cycle and begins the one behind it; undefined where the state isn't known then. */
  nextCycle(behind: Value, page: Page, now: number): Begun | undefined {
    const prepared: Sent[] = [];
    const closed = this.after(["post_poll"], behind, now);
    const begun = this.after(["pre_poll"], closed, now, { onRun: this.noting(prepared) });
    return isKind(begun, "record") ? { ...this.asking(page, begun, now), prepared } : undefined;
  }

  private world(page: Page, before: Value, now: number): World {
    const { commands, list, tokens } = this.listing;
    const answer = pageAnswer(page, list, tokens);
    const effect = (command: Command): Value => {
      if (command.key !== "!http") return UNKNOWN;
      return { kind: "part", path: [], source: commands.includes(command) ? answer : nothing() };
    };
    return { ...worldOf(before, now, effect), chosen: this.chosen };
  }

  /** The other cases of a `!switch` wait until there is something to read. */
  private readonly chosen = (command: Command): number | undefined => {
    const leads = command.children.map((child) => child !== undefined && this.leadsToList(child));
    const at = leads.indexOf(true);
    // Where several do, the state decides.
    return at < 0 || leads.includes(true, at + 1) ? undefined : at;
  };

  /** The state after commands of the intake, one after the other; one that it doesn't have leaves it. */
  private after(names: readonly string[], before: Value, now: number, given: Partial<World> = {}): Value {
    return names.reduce<Value>((state, name) => {
      const command = this.intake.commands.get(name);
      if (command === undefined) return state;
      const world = { ...worldOf(state, now, answerOnce), explores: true, ...given };
      const output = run(command, world);
      // No service answers with a state of ours, where a receipt or the like comes last.
      const after = isKind(output, "part") && output.path.length === 0 ? state : stateAfter(output, state);
      noteKept(after);
      return after;
    }, before);
  }

  private leadsToList({ node }: Command): boolean {
    return this.listing.commands.some(({ node: { start, end } }) => node.start <= start && end <= node.end);
  }

  /** Notes what requests send. */
  private noting(sent: Sent[]): NonNullable<World["onRun"]> {
    return (command, read, _, isCertain) => {
      if (command.key !== "!http" || !isCertain) return;
      for (const { expansion, names } of this.expansions.get(command) ?? [])
        sent.push({ expansion, names, value: read(expansion) });
    };
  }
}

const answerOnce = ({ key }: Command): Value => (key === "!http" ? part([], new LifecycleAnswer()) : UNKNOWN);

const someNumber: Source = { resolve: () => ({ kind: "unknown", number: 7 }) };

const part = (path: readonly string[], source: Source): Value => ({ kind: "part", path, source });

/** An answer that may be another one each time. */
const nothing = (): Source => ({ resolve: () => UNKNOWN });
