import { types } from "@configc/jq";
import type { Command, IntakeSymbol, Model } from "../../../bind/model.ts";
import { lifecycle } from "../../../flow/contracts.ts";
import { flowOf, type TypeFlow } from "../../../flow/flow.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { madeType, makersOf } from "../../../flow/makers.ts";
import { offendersOf } from "../../../flow/offenders.ts";
import { savedStates } from "../../../flow/polling-state.ts";
import { violates } from "../../../flow/violation.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { oneOfNames } from "../../words.ts";
import { type KeyRead, keyReads } from "./key-reads.ts";
import { keysOutside } from "./lifecycle.ts";

const droppedKey = defineRule<{ command: string; keys: readonly string[] }>({
  id: "polling/dropped-key",
  severity: "error",
  summary: "A command returns a `polling_state` without a key that is read after it",
  why: "Saving replaces the whole `polling_state`, so a key that a command leaves out is gone. The next command that reads it as `${polling_state.KEY}` fails, and the customer's import stops.",
  guards: [
    "polling.polling_state",
    "polling.initial_setup",
    "polling.request",
    "D33",
    "expansion.polling_state",
  ],
  message: ({ command, keys }) =>
    `After this, \`polling_state\` has no ${oneOfNames(keys)}: \`${command}\` replaces the whole state, and ${keys.length === 1 ? "it is" : "they are"} read before anything sets ${keys.length === 1 ? "it" : "them"} again.`,
  help: ({ keys }) =>
    `Return ${keys.length === 1 ? "it" : "them"} as well: \`${keys[0]}: \${polling_state.${keys[0]}}\`, or add to the old state: \`\${polling_state} + {…}\`.`,
  examples: [
    {
      title: "D33: in the request",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: «{page: (${polling_state.page} + 1)}»}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
    {
      title: "D33: after the last request",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll/!jq",
      bad: '"{polling_state: «{since: ${polling_state.since}}»}"',
      good: '"{polling_state: {page: 1, since: ${polling_state.since}}}"',
    },
  ],
});

const unsetKey = defineRule<{ key: string; first: string }>({
  id: "polling/unset-key",
  severity: "error",
  summary: "The first poll reads a key of `polling_state` that nothing has set",
  why: "Before anything was saved, `polling_state` is empty, and a key that isn't there can't be read: the very first poll of every customer fails.",
  guards: ["polling.initial_setup", "expansion.polling_state", "D9", "D33"],
  message: ({ key, first }) =>
    `Nothing sets \`${key}\` before the first \`${first}\` reads it: \`polling_state\` is empty then.`,
  help: ({ key }) =>
    `Set it in \`initial_setup\`: \`{polling_state: {${key}: …}}\`, or read it with a default: \`\${polling_state.${key} | default}\`.`,
  examples: [
    {
      title: "D33",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup": undefined,
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: 2}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"page": "${polling_state.«page»}"}',
      good: '{"page": "${polling_state.page | default:1}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [droppedKey, unsetKey],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const reads = keyReads(intake, model);
      if (reads.size === 0) return;
      const cycle = new Cycle(intake, model);
      const state = flowOf(model).state(intake);
      // A key that no command returns is a name that isn't declared, and reported as that.
      const known = (key: string): boolean =>
        state.kind === "object" && state.rest === undefined && state.members.has(key);
      for (const [name, command] of intake.commands) {
        const needed = cycle.readsAfter(name).filter(({ key }) => known(key));
        for (const { at, keys } of dropsOf(command, [...new Set(needed.map(({ key }) => key))], model)) {
          const readers = needed.filter(({ key }) => keys.includes(key));
          const related = readers.map(({ at: read }) => ({ message: "read here", at: read }));
          report(droppedKey, at, { command: name, keys }, related);
        }
      }
      const setup = intake.commands.get("initial_setup");
      // One that gives something else altogether is the finding.
      if (setup !== undefined && violates(flowOf(model).output(setup), lifecycle)) return;
      const outside =
        setup === undefined ? [] : keysOutside(setup, reads, flowOf(model)).flatMap(({ keys }) => keys);
      const seen = new Set<string>(outside);
      for (const { key, at, command } of cycle.readsAtStart()) {
        if (!known(key) || seen.has(key)) continue;
        seen.add(key);
        report(unsetKey, at, { key, first: nameOf(intake, command) });
      }
    },
  },
};
export default module;

function nameOf(intake: IntakeSymbol, command: Command): string {
  for (const [name, each] of intake.commands) if (each === command) return name;
  return "request";
}

/** Where a command makes a state that certainly lacks some of the keys. */
function dropsOf(command: Command, keys: readonly string[], model: Model) {
  const drops = new Map<string, { at: ReturnType<typeof offendersOf>[number]["at"]; keys: string[] }>();
  for (const key of keys) {
    const state = types.object([[key, { type: types.unknown, optional: false }]], types.unknown);
    const wanted = types.union(
      types.object(
        [["polling_state", { type: types.union(state, ...others), optional: true }]],
        types.unknown,
      ),
      ...others,
    );
    for (const { at, path } of offendersOf(command, wanted, flowOf(model))) {
      if (path[0] !== "polling_state") continue;
      const id = "from" in at ? `${at.node.start}:${at.from}:${at.to}` : `${at.start}`;
      const drop = drops.get(id) ?? { at, keys: [] };
      drop.keys.push(key);
      drops.set(id, drop);
    }
  }
  return drops.values();
}

/** What isn't a state at all is another finding. */
const others = [types.string, types.number, types.boolean, types.anyArray, types.nullType];

/** The order in which an intake's commands run (`spec: States and transitions`). */
export class Cycle {
  private readonly intake: IntakeSymbol;
  private readonly model: Model;
  private readonly flow: TypeFlow;

  constructor(intake: IntakeSymbol, model: Model) {
    this.intake = intake;
    this.model = model;
    this.flow = flowOf(model);
  }

  /** Reads that meet the state as this command leaves it. */
  readsAfter(name: string): readonly KeyRead[] {
    return this.readsFrom(this.next(name));
  }

  /** Reads that meet the empty state. */
  readsAtStart(): readonly KeyRead[] {
    const { commands } = this.intake;
    return this.readsFrom([commands.has("initial_setup") ? "initial_setup" : this.first()]);
  }

  /** Reads that meet the state as the cycle before left it. */
  readsOfKept(): readonly KeyRead[] {
    return this.readsFrom([this.first()]);
  }

  private readsFrom(names: readonly string[]): readonly KeyRead[] {
    const seen = new Set<string>();
    const pending = [...names];
    const found: KeyRead[] = [];
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const command = this.intake.commands.get(name);
      if (seen.has(name) || command === undefined) continue;
      seen.add(name);
      for (const reads of keyReads(this.intake, this.model).values())
        found.push(...reads.filter((read) => read.command === command));
      if (keepsState(command, this.flow)) pending.push(...this.next(name));
    }
    return found;
  }

  private first(): string {
    return this.intake.commands.has("pre_poll") ? "pre_poll" : "request";
  }

  private next(name: string): string[] {
    const { commands } = this.intake;
    if (name === "initial_setup") return [this.first()];
    if (name === "pre_poll") return ["request"];
    if (name !== "request") return [this.first()];
    const after = commands.has("post_poll") ? "post_poll" : this.first();
    return this.mayIterate() ? ["request", after] : [after];
  }

  private mayIterate(): boolean {
    const request = this.intake.commands.get("request");
    const iterate = types
      .partsOf(this.flow.output(request))
      .flatMap((part) =>
        part.kind === "object" ? (part.members.get("iterate")?.type ?? types.unknown) : types.unknown,
      );
    return iterate.some((type) => !(type.kind === "boolean" && type.value === false));
  }
}

/** Whether a command certainly leaves the state as it is: it returns none, or the one that it got. */
function keepsState(command: Command, flow: TypeFlow): boolean {
  return makersOf(command, flow).every((maker) => {
    const made = maker.program === undefined ? undefined : finalObject(maker.program);
    const state = made === undefined ? undefined : literalMembers(made)?.get("polling_state");
    if (state?.kind === "Hole") {
      const hole = maker.program?.holes[state.hole];
      return hole?.root === "polling_state" && hole.rootExact && hole.syntax.path.length === 1;
    }
    // What a request to an API answers is no state of ours.
    return maker.key === "!http" || savedStates(madeType(maker, flow)).length === 0;
  });
}
