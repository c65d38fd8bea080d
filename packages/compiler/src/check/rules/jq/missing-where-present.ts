import type { If } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Emptiness, ReadPath } from "../../../flow/emptiness.ts";
import { textAt } from "../../../flow/nodes.ts";
import { saysMissing } from "../../../flow/says-missing.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { reversedIn } from "../command/reversed-lookup.ts";
import { decisionsOf, outcomeOf, usesIn, type Way } from "./branch-ways.ts";
import { usedEmpty } from "./used-where-empty.ts";

const missingWherePresent = defineRule<{ condition: string; value: string; message: string | undefined }>({
  id: "jq/missing-where-present",
  severity: "warning",
  summary: "A value counts as missing just where it is there",
  why: "A condition keeps out the contacts that lack what is needed, most often an email address. The wrong way round, it keeps out everybody who has it, and lets those through that a request is refused for.",
  guards: ["command.!jq", "command.!switch", "command.!error", "D23", "D26"],
  message: ({ value, message }) =>
    message === undefined
      ? `This skips the records whose \`${value}\` is there, and goes on with those that lack it.`
      : `Where \`${value}\` is there, this ends with “${message}”, and goes on without it.`,
  because: ({ value, message }) => [
    `\`${value}\` has a value: ${message === undefined ? "the record is skipped" : `“${message}”`}`,
    `\`${value}\` is empty: it goes on`,
  ],
  help: () => "Turn the condition round, or exchange the two.",
  examples: [
    {
      title: "An error",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "if «(.email // \\"\\") != \\"\\"» then error(\\"The contact has no email address.\\") else . end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "if (.email // \\"\\") == \\"\\" then error(\\"The contact has no email address.\\") else . end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "D26: cases",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!switch": {"jq": "if «(.email // \\"\\") == \\"\\"» then 1 else 0 end", "cases": [{"!error": "The contact has no email address."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if (.email // \\"\\") == \\"\\" then 0 else 1 end", "cases": [{"!error": "The contact has no email address."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "Skipped",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «(.email // \\"\\") == \\"\\" or .id == null» | not then null else {email: .email, first_name: .first_name} end"}',
      good: '{"!jq": "if (.email // \\"\\") == \\"\\" or .id == null then null else {email: .email, first_name: .first_name} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [missingWherePresent],
  checks: {
    program(program, report, model) {
      const { node, command } = program;
      const mayRefuse = command.key === "!switch" || /\b(?:null|empty|error)\b/.test(node.value);
      if (!mayRefuse || !/\bif\b/.test(node.value) || command.place.name === "intake.request") return;
      for (const [decision, ways] of decisionsOf(program, model)) {
        const found = refusedIn(decision, ways, program, model);
        if (found === undefined || reversedIn(command, model) !== undefined) continue;
        const { condition, path, message } = found;
        const value = path.join(".").replace(/^\.(?=\.)/, "");
        const at = { node, from: condition.start, to: condition.end };
        if (usedEmpty(decision, program, model) === undefined)
          report(missingWherePresent, at, {
            condition: excerpt(textAt(condition, program)),
            value,
            message: message === undefined ? undefined : excerpt(message, 60),
          });
      }
    },
  },
};
export default module;

function refusedIn(node: If, ways: readonly Way[], program: JqProgram, model: Model) {
  for (const way of ways) {
    const { condition, facts, isPure, isDenial } = way;
    if (!facts.some(({ isEmpty }) => !isEmpty)) continue;
    const outcome = outcomeOf(way, program);
    if (outcome.kind === "error" && isPure) {
      const message = outcome.message.replace(/^"|"$/g, "");
      // `"Missing: " + (.missing | join(", "))` names what is in it.
      const said = facts.filter(
        ({ path }) => saysMissing(message, path) && !reads(outcome.message.replace(/"[^"]*"/g, ""), path),
      );
      const [fact] = said;
      if (fact !== undefined && said.every(({ isEmpty }) => !isEmpty))
        return { condition, path: fact.path, message };
    }
    // What an earlier branch let through may be skipped for another reason.
    if (node.branches.length > 1) continue;
    // Who has an email and was deleted is skipped, too; but not whoever has one and wasn't.
    if (outcome.kind !== "nothing" || !(isPure || isDenial)) continue;
    // What is no flag may be what is skipped.
    if (facts.some(({ isEmpty, mayBeFalse }) => isEmpty && !mayBeFalse)) continue;
    const fact = facts.find(isEmail);
    if (fact !== undefined && ways.some((other) => other !== way && goesOnWith(other, fact, program, model)))
      return { condition, path: fact.path, message: undefined };
  }
  return undefined;
}

const reads = (text: string, path: ReadPath): boolean =>
  new RegExp(`[.$]${escapedPattern((path.at(-1) ?? "").replace("$", ""))}(?!\\w)`).test(text);

const isEmail = ({ path }: Emptiness): boolean => isEmailName((path.at(-1) ?? "").replace("$", ""));

const isEmailName = (name: string): boolean => roleOf(name) === "email" || /^e?mail$/i.test(name);

/** Whether a way reads the value, or gives the whole that it is in. */
function goesOnWith(way: Way, { path }: Emptiness, program: JqProgram, model: Model): boolean {
  const outcome = outcomeOf(way, program);
  if (outcome.kind === "whole") return outcome.path.every((name, at) => path[at] === name);
  if (outcome.kind !== "other") return false;
  return (isInSource(program) && way.taken !== undefined) || usesIn(way, path, program, model, "certain");
}

/** What a `source` gives null for is skipped, and whoever has no email can't become a contact. */
const isInSource = ({ command }: JqProgram): boolean => command.place.name === "data_pipeline.source";
