import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { evidentType } from "../../../flow/evident-type.ts";
import { bare, nodesIn, partAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy, paramAt, paramOf } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import {
  isFollowed,
  isKept,
  isPipedState,
  keepsKey,
  keptKey,
  mayBeKept,
  mayGoOn,
  outcomesOf,
  type StateDependence,
  type StateWrite,
  stateDependence,
  stateWritesOf,
  writesIn,
} from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { readsIn } from "../state/reads.ts";

const idleKey = defineRule<{ key: string; command: string; isAcknowledged?: true; isChosen?: true }>({
  id: "polling/idle-key",
  severity: "warning",
  summary: "Nothing depends on this key of `polling_state`",
  why: "A watermark or a cursor is only useful if a request reads it. If it never reaches a request, a result or `iterate`, each cycle asks for the same again, or for less than it should.",
  guards: ["polling.polling_state", "expansion.polling_state", "D33"],
  message: ({ key, command, isAcknowledged, isChosen }) =>
    isChosen
      ? `\`${command}\` moves \`${key}\`, but the request sends what the customer chose as \`${key}\`, the same in each cycle.`
      : isAcknowledged
        ? `\`${command}\` updates \`${key}\`, but only \`post_poll\` reads it: no list is asked for with it.`
        : `\`${command}\` ${command === "initial_setup" ? "sets" : "updates"} \`${key}\`, but no request, result or \`iterate\` depends on it.`,
  because: ({ key, command }) => [
    `\`${command}\` ${command === "initial_setup" ? "sets" : "updates"} \`${key}\``,
    `the next request is the same, whatever \`${key}\` is`,
  ],
  help: ({ key }) => `Send it with the request, as \`\${polling_state.${key}}\`, or remove it.`,
  examples: [
    {
      title: "A watermark that no request reads",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: «(.items[-1].updated_at // ${polling_state.since})»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"}]',
    },
    {
      title: "Where an import is meant to begin",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}"}}}, {"!jq": "(${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: ($next < .total), polling_state: (${polling_state} + {offset: $next})}"}]',
      },
      bad: '{"!jq": "{polling_state: {offset: 0, changed_from: «(now - 365 * 86400 | todate)»}}"}',
      good: '{"!jq": "{polling_state: {offset: 0}}"}',
    },
    {
      title: "Where a list is meant to end",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}"}}}, {"!jq": "(${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: ($next < .total), polling_state: (${polling_state} + {offset: $next})}"}]',
      },
      bad: '{"!jq": "{polling_state: {offset: 0, created_before: «(now | todate)»}}"}',
      good: '{"!jq": "{polling_state: {offset: 0}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [idleKey],
  checks: {
    // Whether a saved value is another one each time.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const only = onlyAcknowledged(intake, model);
      if (only !== undefined) return report(idleKey, only.at, only.args);
      const chosen = chosenInstead(intake, model);
      if (chosen !== undefined) return report(idleKey, chosen.at, chosen.args);
      if (areAllSent(intake, model)) return;
      const machine = machineOf(intake, model);
      if (machine === undefined) return;
      const used = usedKeys(machine);
      const told = new Set<string>();
      const tell = ({ command, key, value, write }: Written): void => {
        told.add(key);
        report(idleKey, { node: write.program.node, from: value.start, to: value.end }, { key, command });
      };
      // What is only set once, or passed on, was kept for people to see, or is on its way out.
      const idle = machine.written.filter(
        ({ command, key, value, write }) =>
          !used.has(key) && command !== "initial_setup" && !isKept(value, key, write.program),
      );
      // Another key's value may be kept for people to see, but not as the bound of what is asked for.
      for (const entry of idle) {
        if (told.has(entry.key) || !isWatermark(entry.key, intake, model)) continue;
        const other = takenOver(entry, machine, intake, model);
        if (other === undefined) continue;
        tell(entry);
        // Of what only that one takes it is told once.
        told.add(other);
      }
      for (const entry of idle) {
        const { key, value, write } = entry;
        // A flag is no place to go on from.
        if (told.has(key) || evidentType(bare(value)).kind === "boolean") continue;
        if (changes(value, write)) tell(entry);
      }
      // What a customer chose isn't kept for people to see.
      for (const entry of machine.written)
        if (
          entry.command === "initial_setup" &&
          !used.has(entry.key) &&
          !told.has(entry.key) &&
          (isOfChoice(entry) || isStart(entry, machine) || isEnd(entry, machine, intake, model))
        )
          tell(entry);
    },
  },
};
export default module;

/** What services give to ask with the next time: the token of a queue's batch, which is only acknowledged, has another name. */
const isAskedWith = /(?:^|_)(?:sync|delta|change|poll)s?_?(?:token|cursor|key|link)$|(?:^|_)since(?:_|$)/i;

/** Whether a key is a place by its name, and begins with one that was looked up or worked out: only a request can be meant to begin there. */
const beginsAtPlace = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  boundName(key)?.end === "lower" &&
  (writesIn(intake, "initial_setup", model) ?? []).some((write) => {
    const value = write.keys.get(key);
    return value !== undefined && constantOf(bare(value)) === undefined && changes(value, write);
  });

/** A place or sync token that each answer renews, or else is kept, and that only `post_poll` reads. */
function onlyAcknowledged(intake: IntakeSymbol, model: Model) {
  const asked = intake.commands.has("post_poll") ? askedBy(intake, model) : undefined;
  if (asked === undefined || asked.varies) return undefined;
  const writes = writesIn(intake, "request", model) ?? [];
  for (const write of writes)
    for (const [key, value] of write.keys) {
      const goesOn = write.iterate !== undefined && mayGoOn(write);
      const end = endTakenOver(value, write, asked);
      const isPlace = (goesOn || end !== undefined) && beginsAtPlace(key, intake, model);
      if (!isAskedWith.test(key) && !isPlace) continue;
      const isRenewed =
        (changes(value, write) || end !== undefined) &&
        (mayBeKept(bare(value), key, write.program) ||
          writes.some((other) => other !== write && keepsKey(other, key)));
      if (!isRenewed || keysLeading(intake, asked, model).has(key)) continue;
      const at = partAt(write.program, value);
      const args = { key, command: "request" };
      return {
        at,
        args: isReadBehind(key, intake, model) ? ({ ...args, isAcknowledged: true } as const) : args,
      };
    }
  return undefined;
}

/**
 * The start of what is asked for, which `initial_setup` takes from a choice and `request` or `post_poll` moves on, where a request sends the choice
 * itself under its name.
 */
function chosenInstead(intake: IntakeSymbol, model: Model) {
  const asked = askedBy(intake, model);
  for (const { keys, program } of writesIn(intake, "initial_setup", model) ?? [])
    for (const [key, value] of keys) {
      if (boundName(key)?.end !== "lower") continue;
      const choices = [...stateDependence(program, [value]).holes].flatMap((hole) => {
        const { root, syntax } = program.holes[hole]!;
        return root === "custom_data" ? [syntax.path[1]?.text ?? ""] : [];
      });
      if (choices.length === 0 || isSent(key, asked)) continue;
      const sent = partOfUnit(intake, model).expansions.find(
        ({ root, syntax, command, node }) =>
          root === "custom_data" &&
          command !== undefined &&
          asked?.requests.includes(command) === true &&
          choices.includes(syntax.path[1]?.text ?? "") &&
          paramAt(node, command) === key,
      );
      const mover = sent === undefined ? undefined : moverOf(key, intake, model);
      if (sent !== undefined && mover !== undefined)
        return { at: sent.node, args: { key, command: mover, isChosen: true } as const };
    }
  return undefined;
}

const isSent = (key: string, asked: Asked | undefined): boolean =>
  asked === undefined ||
  asked.reads.some((read) => read.key === key) ||
  asked.through.has(key) ||
  asked.deciding.has(key);

/** The command that sets a key to something else than it was or a constant, once something was read. */
const moverOf = (key: string, intake: IntakeSymbol, model: Model): string | undefined =>
  ["request", "post_poll"].find((command) =>
    (writesIn(intake, command, model) ?? []).some(({ keys, program }) => {
      const value = keys.get(key);
      return value !== undefined && constantOf(bare(value)) === undefined && !isKept(value, key, program);
    }),
  );

/** The end of a window that requests send, where a value takes it over: what was to be the start of the next one. */
function endTakenOver(value: Expression, { program }: StateWrite, { reads }: Asked): string | undefined {
  const from = keptKey(value, program);
  const isEnd = reads.some((read) => read.key === from && boundName(paramOf(read) ?? "")?.end === "upper");
  return isEnd ? from : undefined;
}

/** The keys that requests ask with, and those of which they are made. */
function keysLeading(intake: IntakeSymbol, asked: Asked, model: Model): ReadonlySet<string> {
  const written = stateCommands.flatMap((command) => writesIn(intake, command, model) ?? []);
  const used = new Set([...asked.reads.map(({ key }) => key), ...asked.through, ...asked.deciding]);
  for (let size = 0; size < used.size; ) {
    size = used.size;
    for (const { keys, program } of written)
      for (const [key, value] of keys)
        if (used.has(key)) for (const other of stateDependence(program, [value]).keys) used.add(other);
  }
  return used;
}

/** Whether `post_poll` names a key. */
function isReadBehind(key: string, intake: IntakeSymbol, model: Model): boolean {
  const command = intake.commands.get("post_poll");
  return partOfUnit(intake, model).expansions.some(
    (each) =>
      each.root === "polling_state" &&
      each.syntax.path[1]?.text === key &&
      each.command !== undefined &&
      outermostCommand(each.command) === command,
  );
}

/** Whether requests send each key that something writes: then none is idle. */
function areAllSent(intake: IntakeSymbol, model: Model): boolean {
  const sent = keysSent(intake, model);
  return stateCommands.every((command) =>
    (writesIn(intake, command, model) ?? []).every(({ keys }) =>
      [...keys.keys()].every((key) => sent.includes(key)),
    ),
  );
}

/** The keys that a step shows to people: `!print_c` of `${piped_content.2.polling_state.seen}`. */
const keysPrinted = ({ expansions }: Part, intake: IntakeSymbol): readonly string[] =>
  expansions.flatMap(({ unit, root, command, syntax }) => {
    const isPrinted = unit === intake && root === "piped_content" && /^!print/.test(command?.key ?? "");
    const at = isPrinted ? syntax.path.findIndex(({ text }) => text === "polling_state") : -1;
    const key = at < 0 ? undefined : syntax.path[at + 1]?.text;
    return key === undefined ? [] : [key];
  });

/** A value that a command writes under a key of the state. */
interface Written {
  readonly command: string;
  readonly key: string;
  readonly value: Expression;
  readonly write: StateWrite;
  readonly from: StateDependence;
}

/** Whether a value is made of what a customer enters or chooses. */
const isOfChoice = ({ value, write: { program } }: Written): boolean =>
  [...stateDependence(program, [value]).holes].some((hole) => program.holes[hole]?.root === "custom_data");

/** `released_from`, some time ago: where an import is meant to begin, which nothing moves, and nobody keeps to see. */
const isStart = ({ key, value, write: { program } }: Written, { written }: Machine): boolean =>
  written.every(
    (other) =>
      other.key !== key || other.command === "initial_setup" || isKept(other.value, key, other.write.program),
  ) &&
  boundName(key)?.end === "lower" &&
  stateDependence(program, [value]).clock &&
  nodesIn(value).some(
    (node) => node.kind === "Arithmetic" && node.rest.some(({ operator }) => operator === "-"),
  );

/** `created_before`, the time of the setup: where a list that is read page by page is meant to end, so that new records don't shift it. */
const isEnd = (
  { key, value, write: { program } }: Written,
  { written }: Machine,
  intake: IntakeSymbol,
  model: Model,
): boolean =>
  boundName(key)?.end === "upper" &&
  written.every(
    (other) => other.key !== key || other.value === value || isKept(other.value, key, other.write.program),
  ) &&
  stateDependence(program, [value]).clock &&
  (askedBy(intake, model)?.reads ?? []).some(
    (read) => placeParam.test(paramOf(read) ?? "") && read.key !== key,
  );

/** What says where in a list a page begins. */
const placeParam = /page|offset|skip|cursor|token|bookmark|marker|^(?:start(?:ing)?_?)?after(?:_?id)?$/i;

/** How the keys of an intake's state depend on one another. */
interface Machine {
  readonly written: readonly Written[];
  /** Keys that something else than the state depends on. */
  readonly observed: ReadonlySet<string>;
}

/** Undefined where some of it can't be told. */
function machineOf(intake: IntakeSymbol, model: Model): Machine | undefined {
  const written: Written[] = [];
  const observed = new Set<string>();
  const programs = new Set<string>();
  /** How often each program gives the state as it was, and so reads the whole of it. */
  const passed = new Map<string, number>();
  for (const command of stateCommands) {
    const root = intake.commands.get(command);
    if (root === undefined) continue;
    const writes = stateWritesOf(root, model);
    const outcomes = outcomesOf(root, model);
    if (writes === undefined || outcomes === undefined) return undefined;
    for (const program of new Set(outcomes.map((outcome) => outcome.program)))
      if (isPipedState(program)) passed.set(idOf(program.node), 1);
    for (const write of writes) {
      const { program, keys, conditions } = write;
      const id = idOf(program.node);
      programs.add(id);
      if (write.keepsOthers) passed.set(id, (passed.get(id) ?? 0) + 1);
      for (const [key, value] of keys) {
        const from = stateDependence(program, [value, ...conditions]);
        if (from.all) return undefined;
        written.push({ command, key, value, write, from });
      }
    }
    for (const { program, members, conditions } of outcomes) {
      const others = [...members].flatMap(([name, value]) =>
        name === "polling_state" || value === undefined ? [] : [value],
      );
      const { keys, all } = stateDependence(program, [
        ...others,
        ...(members.has("polling_state") ? [] : conditions),
      ]);
      if (all) return undefined;
      for (const key of keys) observed.add(key);
    }
  }
  // What is named wrongly may mean a key of the state.
  const part = partOfUnit(intake, model);
  for (const { unit, root, rootExact } of part.expansions)
    if (unit === intake && (root === undefined || root === "webhook" || !rootExact)) return undefined;
  for (const key of keysPrinted(part, intake)) observed.add(key);
  for (const read of readsIn(part, model, "polling_state")) {
    if (read.command.unit !== intake) continue;
    const { program } = read.command;
    const [key] = read.path;
    const isMaker = program !== undefined && programs.has(idOf(program.node));
    if (isMaker && (read.expanded || (key !== undefined && isFollowed(program, key.at.from)))) continue;
    if (key === undefined) {
      const left = program === undefined ? 0 : (passed.get(idOf(program.node)) ?? 0);
      if (program === undefined || left === 0) return undefined;
      passed.set(idOf(program.node), left - 1);
      continue;
    }
    observed.add(key.text);
  }
  // A key that nothing writes is a slip in its name, and a finding of its own.
  const known = new Set(written.map(({ key }) => key));
  return [...observed].every((key) => known.has(key)) ? { written, observed } : undefined;
}

function idOf({ start }: { readonly start: number }): string {
  return `${start}`;
}

/** Keys on which a request, a result or `iterate` depends, directly or by other keys. */
function usedKeys({ written, observed }: Machine): ReadonlySet<string> {
  const used = new Set(observed);
  for (let grown = true; grown; ) {
    const before = used.size;
    for (const { key, from } of written) if (used.has(key)) for (const other of from.keys) used.add(other);
    grown = used.size > before;
  }
  return used;
}

/** Whether a key is a place from which to go on: by its name, or because the setup makes it a time that is over. */
function isWatermark(key: string, intake: IntakeSymbol, model: Model): boolean {
  const bound = boundName(key)?.end;
  if (bound !== undefined) return bound === "lower";
  return kindsWritten(intake, model).some(
    (written) =>
      written.key === key &&
      written.command === "initial_setup" &&
      ["seconds", "milliseconds", "date"].includes(written.kind),
  );
}

/**
 * Another key whose value is taken over, which `pre_poll` or `post_poll` moves on and which is sent in one place at most, instead of this one: a
 * URL that the state holds may have it. Where pages move it, or both ends of a window are the same, that is told.
 */
function takenOver(
  { key, value, write }: Written,
  { written }: Machine,
  intake: IntakeSymbol,
  model: Model,
): string | undefined {
  const others = written.filter(
    (other) =>
      other.key !== key &&
      constantOf(other.value) === undefined &&
      isKept(value, other.key, write.program) &&
      changes(other.value, other.write),
  );
  const [other] = others;
  const isTaken =
    other !== undefined &&
    others.every(({ command }) => command !== "request") &&
    others.some(({ command }) => command !== "initial_setup") &&
    keysSent(intake, model).filter((name) => name === other.key).length <= 1;
  return isTaken ? other.key : undefined;
}

/** The keys of the state that requests read, each as often as it is read. */
function keysSent(intake: IntakeSymbol, model: Model): readonly string[] {
  return partOfUnit(intake, model).expansions.flatMap(({ unit, root, command, syntax }) =>
    unit === intake && root === "polling_state" && command?.key === "!http"
      ? [syntax.path[1]?.text ?? ""]
      : [],
  );
}

/** Whether a value follows what happens: it depends on a response, on the time or on the key's own value. */
function changes(value: Expression, { program }: StateWrite): boolean {
  if (constantOf(bare(value)) !== undefined) return false;
  const { input, clock } = stateDependence(program, [value]);
  return input || clock;
}
