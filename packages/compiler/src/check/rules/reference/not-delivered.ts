import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, IntakeSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { indexMade, stepAt } from "../../../flow/producers.ts";
import { readRecords, type ShownValue } from "../../../flow/shown-record.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const notDelivered = defineRule<{ name: string; members: readonly string[]; step: number }>({
  id: "reference/not-delivered",
  severity: "warning",
  summary: "A comment shows what comes in, and a path takes an id that isn't there",
  why: "`${piped_content.0}` is what the intake gave. Where a comment shows all members of it, and a request before has got more of the record, an id that isn't among them stands in that answer. Read of the wrong step, it is null, and the request fails for every record.",
  guards: ["expansion.piped_content", "D3", "D14"],
  message: ({ name, members }) =>
    `A comment shows what comes in with ${allNames(members)}. \`${name}\` is none of them.`,
  because: ({ name, step }) => [
    `\`piped_content.0.${name}\` is null`,
    `step ${step} asks for more of the record`,
  ],
  help: ({ name, step }) => `Did you mean \`\${piped_content.${step}.${name}}\`?`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Payload: {topic, school_id, booking_id}."' },
      bad: '{"!pipe": [{"!http": {"path": "/bookings/${piped_content.0.booking_id}"}}, {"!http": {"path": "/riders/${piped_content.0.«rider_id»}"}}, {"!jq": "{email: .email, day: ${piped_content.1.day}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/bookings/${piped_content.0.booking_id}"}}, {"!http": {"path": "/riders/${piped_content.1.rider_id}"}}, {"!jq": "{email: .email, day: ${piped_content.1.day}}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [notDelivered],
  checks: {
    reach: "saved",
    part({ expansions }, report, model) {
      if (!hasComments(model)) return;
      for (const expansion of expansions) {
        const name = idInPath(expansion);
        const step = name === undefined ? undefined : askedBefore(expansion);
        const { unit } = expansion.command ?? {};
        if (name === undefined || step === undefined || unit?.kind !== "workflow") continue;
        const members = delivered(unit);
        if (members === undefined || members.includes(name) || isKnown(name, expansion, unit, model))
          continue;
        // Who reads it twice means it.
        if (expansions.some((other) => other !== expansion && idInPath(other) === name)) continue;
        const { node, syntax } = expansion;
        const last = syntax.path[2]!;
        report(notDelivered, { node, from: last.start, to: last.end }, { name, members, step });
      }
    },
  },
};
export default module;

/** The id of what came in that a path is made of: `guest_id` of `/guests/${piped_content.0.guest_id}`. */
function idInPath({ root, rootExact, syntax, position, command }: Expansion): string | undefined {
  const [, index, name, ...below] = syntax.path.map(({ text }) => text);
  if (root !== "piped_content" || !rootExact || index !== "0" || name === undefined || below.length > 0)
    return undefined;
  if (position !== "path" || syntax.filters.length > 0 || syntax.problem !== undefined) return undefined;
  if (command?.place.name !== "data_pipeline.source" || stepAt(command, 0) !== undefined) return undefined;
  return isIdName(name) ? name : undefined;
}

/** The step before in the same pipe that has asked the service for something. */
function askedBefore({ command }: Expansion): number | undefined {
  const { pipe, stepsRun } = command!;
  const at = pipe?.children.findLastIndex((step, index) => index < stepsRun && step?.key === "!http") ?? -1;
  return at < 0 ? undefined : indexMade(pipe!, at + 1);
}

/** All members of what the intake of a workflow gives, by its comment. */
function delivered({ intake }: WorkflowSymbol): readonly string[] | undefined {
  const target = intake?.target;
  if (target === undefined) return undefined;
  const comment = target.node.get("_comment");
  const lines = comment?.kind === "array" ? comment.items : [comment];
  const text = lines.map((line) => (line?.kind === "string" ? line.value : "")).join("\n");
  if (!text.includes("{") || /…|\.\.\.|\betc\b|\bmore members\b|\bamong others\b/.test(text))
    return undefined;
  const shown = target.type === "polling" ? itemOf(target, text) : payloadOf(text);
  const names = shown?.members?.map(({ name }) => name);
  return names === undefined || names.length < 3 ? undefined : names;
}

/** `Payload: {topic, booking_id}` */
export function payloadOf(text: string): ShownValue | undefined {
  const before =
    /\b(?:payloads?|deliver(?:y|ies)|(?:hook|webhook|event)s? (?:sends?|posts?|brings?))\b[^{}.]{0,20}(?=\{)/i.exec(
      text,
    );
  return before === null ? undefined : readRecords(text.slice(before.index + before[0].length))[0];
}

/** The items of the list that a request gives on, `{changes: [{seq, kind, booking_id}], more}`, and no other list. */
function itemOf({ commands }: IntakeSymbol, text: string): ShownValue | undefined {
  const request = commands.get("request");
  const written = request === undefined ? "" : JSON.stringify(toJson(request.node));
  const [list, ...others] = readRecords(text).filter(
    ({ kind, name }) => kind === "list" && name !== "" && written.includes(`.${name}[]`),
  );
  return others.length === 0 ? list : undefined;
}

/** Whether an intake or a comment has the name: it may be added to what comes in. */
function isKnown(name: string, { command }: Expansion, unit: WorkflowSymbol, model: Model): boolean {
  const word = new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`);
  const intakes = [unit.intake, unit.historicalIntake].flatMap((each) => each?.target?.node ?? []);
  return (
    intakes.some((node) => word.test(JSON.stringify(toJson(node)))) ||
    commentsAround(command!.node, []).some(({ value }) => word.test(value)) ||
    [...(model.api === undefined ? [] : commentsBelow(model.api.node))].some(({ value }) => word.test(value))
  );
}
