import type { If } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { ReadPath } from "../../../flow/emptiness.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { areOf, needsIn } from "../../../flow/says-missing.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { decisionsOf, outcomeOf, type Way } from "./branch-ways.ts";

const halfAsked = defineRule<{ condition: string; member: string; message: string; isEither: boolean }>({
  id: "jq/half-asked",
  severity: "warning",
  summary: "A condition asks for less than its error says is needed",
  why: "The error says what a contact must have. What the condition doesn't ask for isn't kept out: it fails in a later request, with a message that nobody understands.",
  guards: ["command.!jq", "command.!switch", "command.!error", "D23", "D26"],
  message: ({ condition, member, message, isEither }) =>
    isEither
      ? `“${message}”, but \`${condition}\` also holds where \`${member}\` is there.`
      : `“${message}”, but \`${condition}\` lets through what has no \`${member}\`.`,
  because: ({ member, isEither }) => [
    isEither ? `only \`${member}\` is there` : `only \`${member}\` is missing`,
    isEither ? "it ends with the error" : "it goes on",
  ],
  help: ({ member, isEither }) =>
    isEither ? `Ask for \`${member}\`, too: with \`and\`.` : `Ask for \`${member}\`, too: with \`or\`.`,
  examples: [
    {
      title: "Not asked for",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name", "required": true}]',
      },
      bad: '{"!pipe": [{"!jq": "if «(.email // \\"\\") == \\"\\"» then error(\\"A letter needs an email address and a name.\\") else {email: .email, name: .name} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "if (.email // \\"\\") == \\"\\" or (.name // \\"\\") == \\"\\" then error(\\"A letter needs an email address and a name.\\") else {email: .email, name: .name} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "Only where both are missing",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name", "required": true}]',
      },
      bad: '{"!pipe": [{"!jq": "if «(.email // \\"\\") == \\"\\" and (.name // \\"\\") == \\"\\"» then error(\\"Email and name are needed.\\") else {email: .email, name: .name} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "if (.email // \\"\\") == \\"\\" or (.name // \\"\\") == \\"\\" then error(\\"Email and name are needed.\\") else {email: .email, name: .name} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [halfAsked],
  checks: {
    program(program, report, model) {
      const { command, node } = program;
      const mayRefuse = command.key === "!switch" || node.value.includes("error");
      if (!mayRefuse || command.unit?.kind !== "workflow" || !/\bif\b/.test(node.value)) return;
      for (const [decision, ways] of decisionsOf(program, model)) {
        const found = halfIn(decision, ways, program, model);
        if (found === undefined) continue;
        const { way, member, message, isEither } = found;
        report(halfAsked, partAt(program, way.condition), {
          condition: excerpt(textAt(way.condition, program), 60),
          member,
          message: excerpt(message, 60),
          isEither,
        });
      }
    },
  },
};
export default module;

function halfIn(node: If, ways: readonly Way[], program: JqProgram, model: Model) {
  for (const way of ways) {
    const outcome = outcomeOf(way, program);
    const needs = outcome.kind === "error" ? needsIn(outcome.message) : undefined;
    if (outcome.kind !== "error" || needs === undefined || !way.isPure) continue;
    const { all, isEither } = needs;
    const going = ways.filter((each) => outcomeOf(each, program).kind !== "error");
    const knows = (words: readonly string[]): boolean =>
      isEither ? says(way, words, true) : going.every((each) => says(each, words, false));
    const asked = textOfConditions(node, program);
    // What is asked for under another name isn't known.
    const known = new Set(going[0]?.facts.map(({ path }) => path.join(".")));
    if (!isEither && known.size >= all.length) continue;
    if (going.length === 0 || !all.some((words) => isAsked(words, asked))) continue;
    for (const words of all) {
      if (knows(words)) continue;
      const member = isAsked(words, asked) ?? memberCalled(words, program, model);
      if (member === undefined) continue;
      // Of \`or\` and \`and\` the other one is meant; what is asked for otherwise isn't looked into.
      const logical = bare(way.condition);
      const isJoined = logical.kind === "Logical" && logical.operator === (isEither ? "or" : "and");
      if (isAsked(words, asked) !== undefined && !isJoined) continue;
      return { way, member, isEither, message: outcome.message.replace(/^"|"$/g, "") };
    }
  }
  return undefined;
}

const nameOf = (path: ReadPath): string => path.findLast((name) => !/^-?\d+$/.test(name)) ?? "";

const says = ({ facts }: Way, words: readonly string[], isEmpty: boolean): boolean =>
  facts.some((fact) => fact.isEmpty === isEmpty && areOf(words, nameOf(fact.path)));

/** The names that the conditions of a decision ask for. */
const textOfConditions = ({ branches }: If, program: JqProgram): readonly string[] =>
  branches.flatMap(({ condition }) => textAt(condition, program).match(/[A-Za-z_]\w*/g) ?? []);

const isAsked = (words: readonly string[], names: readonly string[]): string | undefined =>
  names.find((name) => areOf(words, name));

/** A member that the rest of the workflow reads, called by these words, which no other condition there asks for. */
function memberCalled(words: readonly string[], program: JqProgram, model: Model): string | undefined {
  const { unit } = program.command;
  if (unit?.kind !== "workflow") return undefined;
  const { expansions, programs } = partOfUnit(unit, model);
  const own = programs.filter(({ command }) => command.place.name === program.command.place.name);
  const asked = own
    .filter((each) => each !== program)
    .flatMap((each) => nodesOfKind(each, "If").flatMap((node) => textOfConditions(node, each)));
  if (isAsked(words, asked) !== undefined) return undefined;
  const names = own.flatMap((each) =>
    nodesOfKind(each, "Postfix").flatMap(({ suffixes }) =>
      suffixes.flatMap((suffix) =>
        suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : [],
      ),
    ),
  );
  const sent = expansions.flatMap(({ root, syntax, command }) =>
    root === "piped_content" && command?.place.name === program.command.place.name
      ? syntax.path.slice(2).map(({ text }) => text)
      : [],
  );
  return isAsked(words, [...names, ...sent]);
}
