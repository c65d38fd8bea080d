import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { LifecycleAnswer } from "../../../flow/machine/lifecycle-answer.ts";
import type { Asking } from "../../../flow/machine/polling-program.ts";
import { areEqual, isKind, isTrue, type Value } from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { cyclesOf, leafIn, valueIn } from "./cycles.ts";
import { type ArgsOf, type Found, inAll, nameOf, teller } from "./found.ts";
import { standsByForm } from "./standing-window.ts";

const place = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe/0/!http/params",
  with: {
    "/data_intake/0/initial_setup":
      '{"!jq": "(now - 86400 | floor) as $start | {polling_state: {from: $start, to: $start, page: 1}}"}',
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params":
      '{"page": "${polling_state.page}", "placed_from": "${polling_state.from}", "placed_to": "${polling_state.to}"}',
    "/data_intake/0/request/!pipe/1/!jq":
      '"{results: .items, iterate: .has_more, polling_state: {from: ${polling_state.from}, to: ${polling_state.to}, page: (if .has_more then ${polling_state.page} + 1 else 1 end)}}"',
  },
  samples: { world: { intakes: {} } },
} as const;
const window = (test: string, end: string): string =>
  `"if \${polling_state.page} ${test} then {polling_state: \${polling_state}} else {polling_state: {from: \${polling_state.to}, to: ([\${polling_state.to} + 604800, (now | floor)] | ${end}), page: 1}} end"`;
const sent = (end: "from" | "to"): string =>
  `{"page": "\${polling_state.page}", "placed_from": ${end === "from" ? '"«${polling_state.from}»"' : '"${polling_state.from}"'}, "placed_to": ${end === "to" ? '"«${polling_state.to}»"' : '"${polling_state.to}"'}}`;

const windowCourse = defineRule<{ name: string; course: "closed" | "future" }>({
  id: "polling/window-course",
  severity: "warning",
  summary: "The time window of a poll stands still, or runs ahead of the time",
  why: "A window is to end where the time is, and the next one to begin there. One that stays as it was has each cycle read what was read already; one that ends in times to come leaves out all that happens until then.",
  guards: ["polling.request", "polling.pre_poll", "polling.polling_state", "D33"],
  message: ({ name, course }) =>
    course === "closed"
      ? `\`${name}\` is the same in each cycle, so nothing that happens after the first one is ever asked for.`
      : `\`${name}\` runs ahead of the time, so what happens until then is never asked for.`,
  because: ({ name, course }) =>
    course === "closed"
      ? ["cycle 1 reads all pages of the window", `cycles 2 and 3 ask with the same \`${name}\` again`]
      : [`cycle 3 asks with a \`${name}\` in the future`, "records of today are before it"],
  help: ({ course }) =>
    course === "closed"
      ? "Open the next window once all pages are read."
      : "End the window at the present time at the latest: `min`.",
  examples: [
    {
      title: "A window that was read is kept",
      ...place,
      with: { ...place.with, "/data_intake/0/pre_poll": `{"!jq": ${window("== 1", "min")}}` },
      bad: sent("to"),
      good: '{"page": "${polling_state.page}", "placed_from": "${polling_state.from}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [windowCourse],
  checks: {
    intake(intake, report, model) {
      const found = windowCourseOf(intake, model);
      if (found === undefined) return;
      const kept = isKind(found.leaf.given, "part") ? keptAt(found.leaf, intake, model) : undefined;
      if (kept !== undefined) report(windowCourse, kept, found.args);
      else teller(report, intake, model)(windowCourse, found);
    },
  },
};
export default module;

/** The end of the window that goes wrong over several cycles; undefined where none certainly does. */
export function windowCourseOf(intake: IntakeSymbol, model: Model) {
  const cycles = cyclesOf(intake, model);
  if (cycles === undefined || standsByForm(intake, model)) return undefined;
  // An import of what was before runs once.
  if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return undefined;
  const setAnew = new Set(
    ["pre_poll", "post_poll"].flatMap((name) =>
      (writesIn(intake, name, model) ?? []).flatMap(({ keys, program }) =>
        [...keys].flatMap(([key, value]) => (stateDependence(program, [value]).clock ? [key] : [])),
      ),
    ),
  );
  return inAll(cycles, (cycle) => courseOf(cycle, setAnew));
}

function courseOf(
  cycle: Cycle,
  setAnew: ReadonlySet<string>,
): Found<ArgsOf<typeof windowCourse>> | undefined {
  const { pages, next } = cycle;
  // What is told is sent for the first page, too.
  if (isTrue(pages[2].iterate) !== false || !leavesOf(pages[0]).some(mayMove)) return undefined;
  const { afterNone } = cycle;
  if (afterNone === undefined) return undefined;
  for (const leaf of leavesOf(afterNone)) {
    const end = endOf(leaf);
    if (end === "upper" && isAskedOnce(leaf, [pages[0]!, next]) && hasStart(afterNone, leaf))
      return { leaf, args: { name: nameOf(leaf), course: "closed" } };
    const times = [pages[0]!, next, afterNone].map((iteration) => secondsOf(valueIn(iteration, leaf)));
    const [first, second, third] = times;
    if (end === undefined || first === undefined || second === undefined || third === undefined) continue;
    const args = { name: nameOf(leaf) };
    if (
      end === "upper" &&
      first === second &&
      second === third &&
      hasStart(afterNone, leaf) &&
      !isDay(leaf, setAnew)
    )
      return { leaf, args: { ...args, course: "closed" } };
    if (
      end === "lower" &&
      third > NOW + 2 * CYCLE + 60 &&
      third - second > 2 * CYCLE &&
      hasEnd(afterNone, third)
    )
      return { leaf, args: { ...args, course: "future" } };
  }
  return undefined;
}

/** A whole day is the same in the cycles of a day; where nothing sets it anew, the window's form tells. */
const isDay = ({ value, expansion }: Leaf, setAnew: ReadonlySet<string>): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  setAnew.has(expansion.syntax.path[1]?.text ?? "");

/** Whether something is an end of a window, of which is known when it is, or that it is what the service said. */
const mayMove = (leaf: Leaf): boolean =>
  endOf(leaf) !== undefined && (secondsOf(leaf.value) !== undefined || isSaidOnce(leaf));

const endOf = (leaf: Leaf): "lower" | "upper" | undefined =>
  snapshot.test(nameOf(leaf)) ? "upper" : boundName(nameOf(leaf))?.end;

const isSaidOnce = ({ given }: Leaf): boolean =>
  isKind(given, "part") && given.source instanceof LifecycleAnswer;

/** The moment of which a list is asked for ends it, too. */
const snapshot = /^(?:as_?of|snapshot(?:_?(?:at|time))?|moment)$/i;

/** Whether an end is in each cycle what the service said before the first one: what it is isn't known, but it is the same. */
function isAskedOnce(leaf: Leaf, others: readonly Asking[]): boolean {
  const { given } = leaf;
  return isSaidOnce(leaf) && others.every((each) => areEqual(leafIn(each, leaf)?.given ?? null, given));
}

/** Where a program writes the end of the window as it was. */
function keptAt({ expansion }: Leaf, intake: IntakeSymbol, model: Model): Location | undefined {
  const key = expansion.root === "polling_state" ? expansion.syntax.path[1]?.text : undefined;
  for (const name of ["post_poll", "request"])
    for (const { keys, program } of writesIn(intake, name, model) ?? []) {
      const value = key === undefined ? undefined : keys.get(key);
      if (value !== undefined && keptKey(value, program) === key) return partAt(program, value);
    }
  return undefined;
}

/** Seconds between two cycles. */
const CYCLE = 1_800;

function secondsOf(value: Value | undefined): number | undefined {
  const time = typeof value === "string" && /^\d{4}-/.test(value) ? Date.parse(value) / 1_000 : value;
  if (typeof time !== "number" || !(time > 1e9)) return undefined;
  return time > 1e12 ? time / 1_000 : time;
}

/** Whether a window's other end is sent beside one. */
const hasStart = (iteration: Asking, { names }: Leaf): boolean =>
  leavesOf(iteration).some((other) => other.names !== names && boundName(nameOf(other))?.end === "lower");

const hasEnd = (iteration: Asking, start: number): boolean =>
  leavesOf(iteration).some(
    (other) => boundName(nameOf(other))?.end === "upper" && (secondsOf(other.value) ?? 0) >= start,
  );
