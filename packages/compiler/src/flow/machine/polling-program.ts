import type { Command, Expansion, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { NOW, type Replaced } from "./evaluate.ts";
import { stateAfter, worldOf } from "./intake-world.ts";
import { LifecycleAnswer, noteKept } from "./lifecycle-answer.ts";
import { type Page, pageAnswer } from "./roles.ts";
import { record, run, type World } from "./run.ts";
import { isKind, memberOf, type Source, UNKNOWN, type Value } from "./value.ts";

/** An expansion in a request, with its value. */
export interface Sent {
  readonly expansion: Expansion;
  readonly value: Value;
}

/** One iteration of `request`. */
export interface Iteration {
  /** What it sends that may be another one the next time, in the order of the document. */
  readonly sent: readonly Sent[];
  /** What `pre_poll` sent before, where this is the first iteration of a further cycle. */
  readonly prepared: readonly Sent[];
  readonly iterate: Value;
  readonly results: Value;
  /** The state with which it begins, and the one that it leaves. */
  readonly before: Value;
  readonly state: Value;
}

/** The request of an intake, and the list in an answer whose records become its `results`. */
export interface Listing {
  readonly request: Command;
  /** The `!http` that is answered with the list. */
  readonly command: Command;
  /** Where the list is in the answer's body. */
  readonly list: readonly string[];
}

/** The commands of an intake that polls, as they run on answers of a service that is made up. */
export class PollingProgram {
  private readonly intake: IntakeSymbol;
  private readonly listing: Listing;
  private readonly expansions: readonly Expansion[];

  /** @param expansions of the intake, in the order of the document */
  constructor(intake: IntakeSymbol, listing: Listing, expansions: readonly Expansion[]) {
    this.intake = intake;
    this.listing = listing;
    this.expansions = expansions;
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
    const answer = pageAnswer(page, this.listing.list);
    const sent: Sent[] = [];
    const world: World = {
      ...worldOf(before, now, (command) => {
        if (command.key !== "!http") return UNKNOWN;
        return { kind: "part", path: [], source: command === this.listing.command ? answer : nothing() };
      }),
      onRun: this.noting(sent),
      // The other cases wait until there is something to read.
      chosen: (command) => {
        const at = command.children.findIndex((child) => child !== undefined && this.leadsToList(child));
        return at < 0 ? undefined : at;
      },
      replaced,
    };
    const output = run(this.listing.request, world);
    const state = stateAfter(output, before);
    const [iterate, results] = [memberOf(output, "iterate"), memberOf(output, "results")];
    return { sent, prepared: [], iterate, results, before, state };
  }

  /** Ends a cycle and runs the first iteration of the one behind it; undefined where the state isn't known then. */
  nextCycle(behind: Value, page: Page, now: number): Iteration | undefined {
    const prepared: Sent[] = [];
    const closed = this.after(["post_poll"], behind, now);
    const begun = this.after(["pre_poll"], closed, now, { onRun: this.noting(prepared) });
    return isKind(begun, "record") ? { ...this.iteration(page, begun, now), prepared } : undefined;
  }

  /** The state after commands of the intake, one after the other; one that it doesn't have leaves it. */
  private after(names: readonly string[], before: Value, now: number, given: Partial<World> = {}): Value {
    return names.reduce<Value>((state, name) => {
      const command = this.intake.commands.get(name);
      if (command === undefined) return state;
      const world = { ...worldOf(state, now, answerOnce), ...given };
      const after = stateAfter(run(command, world), state);
      noteKept(after);
      return after;
    }, before);
  }

  private leadsToList({ node }: Command): boolean {
    const { start, end } = this.listing.command.node;
    return node.start <= start && end <= node.end;
  }

  /** Notes what requests send. */
  private noting(sent: Sent[]): NonNullable<World["onRun"]> {
    return (command, read) => {
      if (command.key !== "!http") return;
      for (const expansion of this.expansions)
        if (expansion.command === command) sent.push({ expansion, value: read(expansion) });
    };
  }
}

const answerOnce = ({ key }: Command): Value => (key === "!http" ? part([], new LifecycleAnswer()) : UNKNOWN);

const someNumber: Source = { resolve: () => ({ kind: "unknown", number: 7 }) };

const part = (path: readonly string[], source: Source): Value => ({ kind: "part", path, source });

/** An answer that may be another one each time. */
const nothing = (): Source => ({ resolve: () => UNKNOWN });
