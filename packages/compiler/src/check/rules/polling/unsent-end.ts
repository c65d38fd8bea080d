import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaidLeftOut } from "./said-of-parameter.ts";

const unsentEnd = defineRule<{ key: string; param: string; start: string; isCalledSo?: true }>({
  id: "polling/unsent-end",
  severity: "warning",
  summary: "The end of a time window is kept, but not sent",
  why: "Without its end the list runs up to now. What changes behind the end comes in this window and once more in the next one; what the list doesn't show yet, which the end was to leave out, is read half.",
  guards: ["polling.request", "polling.pre_poll", "polling.polling_state", "D33"],
  message: ({ key, param, start, isCalledSo }) =>
    isCalledSo
      ? `The next window begins at \`${key}\`, the end of this one, but the request sends \`${start}\` alone.`
      : `The next window begins at \`${key}\`, the end of this one, but the request sends \`${start}\` without \`${param}\`, which a comment names.`,
  because: ({ key, start }) => [
    `the list is asked for from \`${start}\` on, and runs up to now`,
    `the next window begins at \`${key}\`, and brings the newest records again`,
  ],
  help: ({ key, param }) => `Send \`${param}\` as \`\${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/_comment": '"changed_from is inclusive, changed_to exclusive."',
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), until: null}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: (now - 60 | todate)}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '{"page": "${polling_state.page}", "changed_from": «"${polling_state.since}"»}',
      good: '{"page": "${polling_state.page}", "changed_from": "${polling_state.since}", "changed_to": "${polling_state.until}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsentEnd],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      const [request, ...others] = asked?.requests ?? [];
      if (asked === undefined || request === undefined || others.length > 0) return;
      const sent = new Set([...asked.reads.map(({ key }) => key), ...asked.through, ...asked.deciding]);
      for (const read of asked.reads) {
        const start = paramOf(read);
        if (start === undefined || boundName(start)?.end !== "lower") continue;
        const key = endOf(read.key, intake, model);
        if (key === undefined || sent.has(key)) continue;
        const named = hasComments(model) ? otherEnd(start, request) : undefined;
        if (named === undefined) {
          // The keys are called like the two parameters: `changed_from` and `changed_to`.
          if (read.key !== start || !areBeside(start, key) || isSaidLeftOut(key, request.node)) continue;
          report(unsentEnd, read.at.node, { key, param: key, start, isCalledSo: true });
          continue;
        }
        if (isSaidLeftOut(named.param, request.node)) continue;
        report(unsentEnd, read.at.node, { key, param: named.param, start }, [
          { message: "the comment", at: named.comment },
        ]);
      }
    },
  },
};
export default module;

/** Whether two names are those of the two ends of one thing, which they name. */
function areBeside(start: string, end: string): boolean {
  const [lower, upper] = [boundName(start), boundName(end)];
  return lower?.subject !== "" && upper?.end === "upper" && lower?.subject === upper.subject;
}

/** The key that `pre_poll` sets by a clock, and that becomes the start of the next window. */
function endOf(start: string, intake: IntakeSymbol, model: Model): string | undefined {
  const written = kindsWritten(intake, model);
  const taken = (["request", "post_poll"] as const)
    .flatMap((command) => writesIn(intake, command, model) ?? [])
    .flatMap(({ keys, program }) => {
      const value = keys.get(start);
      return value === undefined ? [] : [keyTaken(value, program)];
    });
  // Where it can't be told when they are set, what is set is still known: `if .complete then .from = .to else . end`.
  const assigned = written.flatMap(({ key, from, command }) =>
    key === start && (command === "request" || command === "post_poll") ? [from] : [],
  );
  const moved = [...taken, ...assigned].find(
    (key) => key !== undefined && key !== start && boundName(key)?.end === "upper",
  );
  if (moved === undefined) return undefined;
  const isSet = (writesIn(intake, "pre_poll", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(moved);
    if (value === undefined) return false;
    const { input, clock } = stateDependence(program, [value]);
    return input || clock;
  });
  const isAssigned = written.some(
    ({ key, from, command, value, program }) =>
      key === moved &&
      from === undefined &&
      command === "pre_poll" &&
      stateDependence(program, [value]).clock,
  );
  return isSet || isAssigned ? moved : undefined;
}

/** `until` of `${polling_state.until}`, in quotes or not. */
function keyTaken(value: Expression, program: JqProgram): string | undefined {
  const made = bare(value);
  const [part, ...others] = made.kind === "String" ? made.parts : [];
  const inside =
    part !== undefined && part.kind !== "StringText" && others.length === 0 ? part.expression : made;
  return keptKey(inside, program);
}

/** The parameter for the end that a comment names beside that for the start, which the request doesn't have. */
function otherEnd(start: string, { node }: Command) {
  for (const { text, comment } of documentedClauses(node, [])) {
    const until = intervalFrom(start, text);
    if (until !== undefined) return { param: until, comment };
    const names: readonly string[] = text.match(/(?<![\w$.])[a-z][\w-]*/g) ?? [];
    if (!names.includes(start) || !ofEnds.test(text)) continue;
    const subject = boundName(start)?.subject;
    const param = names.find(
      (name) => subject !== "" && boundName(name)?.end === "upper" && boundName(name)?.subject === subject,
    );
    if (param !== undefined) return { param, comment };
  }
  return undefined;
}

/** `until` of `[since, until)`. */
function intervalFrom(start: string, text: string): string | undefined {
  if (!/[[(]["`]?\w+["`]?, ?["`]?\w+["`]?[\])]/.test(text)) return undefined;
  const [, until] =
    new RegExp(String.raw`[[(]["\`]?${escapedPattern(start)}["\`]?, ?["\`]?(\w+)["\`]?[\])]`).exec(text) ??
    [];
  return until !== undefined && boundName(until)?.end === "upper" ? until : undefined;
}

const ofEnds =
  /\b(?:inclusive|exclusive|included|excluded|counts? (?:in|out|too)|belongs? to (?:it|the window))\b|<=? ?["`]?\w+["`]? ?<=? ?["`]?\w/i;
