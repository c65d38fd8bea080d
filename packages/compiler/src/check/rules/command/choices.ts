import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Choice, choicesIn, type Option, staticOptions } from "../../../flow/chosen.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const choiceField = {
  "/workflows/0/setup/select/form_fields/1":
    '{"label": "People who are there", "id": "existing", "type": "dropdown", "options": [{"display": "Update them", "value": "update"}, {"display": "Leave them alone", "value": "skip"}]}',
} as const;

const target = (value: string): string =>
  `{"!pipe": [{"!http": {"path": "/people", "params": {"email": "\${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 elif «\${custom_data.existing.value} == \\"${value}\\"» then 1 else 2 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "\${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/\${piped_content.1.people[0].id}", "body": {"list": "\${custom_data.list.value}"}}}, {"!print_c": "Left alone."}]}}]}`;

const reversedChoice = defineRule<{ chosen: string; other: string; writes: boolean }>({
  id: "command/reversed-choice",
  severity: "warning",
  summary: "A `!switch` does the opposite of what a customer chose",
  why: "What a customer chose is the contract. With the cases the wrong way round, the data of customers who forbade it is overwritten.",
  guards: ["command.!switch", "field_option.value", "D26"],
  message: ({ chosen, other, writes }) =>
    writes
      ? `A customer who chooses “${chosen}” gets a case that writes, and one who chooses “${other}” a case that doesn't.`
      : `A customer who chooses “${chosen}” gets a case that writes nothing, and one who chooses “${other}” a case that does.`,
  because: ({ chosen, other, writes }) => [
    `a customer chooses “${chosen}”: ${writes ? "something is written" : "nothing is"}`,
    `a customer chooses “${other}”: ${writes ? "nothing is" : "something is written"}`,
  ],
  help: () => "Swap the two numbers, or compare with the other option.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: choiceField,
      bad: target("skip"),
      good: target("update").replaceAll(/[«»]/g, ""),
    },
  ],
});

const reversedFilter = defineRule<{ chosen: string; other: string }>({
  id: "command/reversed-filter",
  severity: "warning",
  summary: "Records are skipped for customers who ask for them, and sent for those who don't",
  why: "What a customer chose is the contract. Here the records go only to customers who didn't want them.",
  guards: ["data_pipeline.source", "field_option.value", "D35"],
  message: ({ chosen, other }) =>
    `Records are skipped for customers who choose “${chosen}”, and not for those who choose “${other}”.`,
  because: ({ chosen, other }) => [
    `a customer chooses “${chosen}”: null, the record is skipped`,
    `a customer chooses “${other}”: it goes on`,
  ],
  help: ({ other }) => `Compare with the value of “${other}”.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Tests", "id": "tests", "type": "dropdown", "options": [{"display": "Import tests too", "value": "include"}, {"display": "Leave tests out", "value": "exclude"}]}',
      },
      bad: '{"!jq": "if .is_test and «${custom_data.tests.value} == \\"include\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if .is_test and ${custom_data.tests.value} == \\"exclude\\" then null else {email: .email} end"}',
    },
  ],
});

const sameCases = defineRule<{ first: number; second: number }>({
  id: "command/same-cases",
  severity: "warning",
  summary: "Two cases of a `!switch` send the same",
  why: "A second case exists because something should be different. If both send the same, one is a copy that wasn't changed, and the choice between them has no effect.",
  guards: ["command.!switch", "D26"],
  message: ({ first, second }) => `Case ${second} does exactly what case ${first} does.`,
  because: ({ first, second }) => [`case ${first} runs`, `case ${second} runs instead: nothing is different`],
  help: () => "Change what should be different, or let both numbers lead to one case.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: choiceField,
      bad: '{"!switch": {"jq": "if ${custom_data.existing.value} == \\"update\\" then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "state": "new"}}}, {«"!http"»: {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "state": "new"}}}]}}',
      good: '{"!switch": {"jq": "if ${custom_data.existing.value} == \\"update\\" then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "state": "new"}}}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "state": "old"}}}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [reversedChoice, reversedFilter, sameCases],
  checks: {
    command: {
      "!switch"(command, report) {
        const { children, program } = command;
        for (const [second, each] of children.entries()) {
          if (each === undefined || !sends(each)) continue;
          const text = textOfCommand(each);
          const first = children.findIndex((other) => other !== undefined && textOfCommand(other) === text);
          if (first < second) report(sameCases, each.member.key, { first, second });
        }
        if (program === undefined || program.diagnostics.length > 0) return;
        for (const { branches, otherwise } of nodesOfKind(program, "If")) {
          const bodies = [...branches.map(({ body }) => body), otherwise];
          for (const [index, { condition }] of branches.entries()) {
            const [own, next] = [caseOf(bodies[index], command), caseOf(bodies[index + 1], command)];
            const [choice, ...others] = choicesIn(condition, program);
            if (own === undefined || next === undefined || choice === undefined || others.length > 0)
              continue;
            const [chosen, other] = pairOf(choice);
            if (chosen === undefined || other === undefined || chosen.wish === other.wish) continue;
            const writes = sends(own);
            if (writes === sends(next) || writes !== (chosen.wish === "leave")) continue;
            const at = { node: program.node, from: condition.start, to: condition.end };
            report(reversedChoice, at, { chosen: chosen.display, other: other.display, writes }, [
              { message: "runs then", at: own.member.key },
            ]);
          }
        }
      },
    },
    program(program, report) {
      if (program.command.place.name !== "data_pipeline.source") return;
      for (const { branches } of nodesOfKind(program, "If"))
        for (const { condition, body } of branches) {
          if (!isNull(body)) continue;
          for (const { choice, node } of choicesOf(condition, program)) {
            const [chosen, other] = pairOf(choice);
            if (chosen?.wish !== "do" || other?.wish !== "leave") continue;
            const at = { node: program.node, from: node.start, to: node.end };
            report(reversedFilter, at, { chosen: chosen.display, other: other.display });
          }
        }
    },
  },
};
export default module;

const isNull = (node: Expression): boolean => {
  const inner = bare(node);
  return constantOf(inner) === null || (inner.kind === "Call" && /^(?:null|empty)$/.test(inner.name.text));
};

/** Choices of a condition, and of each that is enough for it. */
function choicesOf(
  condition: Expression,
  program: JqProgram,
): readonly { readonly choice: Choice; readonly node: Expression }[] {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operands.flatMap((operand) => choicesOf(operand, program));
  return choicesIn(node, program).map((choice) => ({ choice, node }));
}

/** The option for which a choice holds, and the other one of two. */
function pairOf({ field, value, isThat }: Choice): readonly [Option?, Option?] {
  const options = staticOptions(field);
  const own = options.find((option) => option.value === value);
  const other = options.find((option) => option.value !== value);
  if (own === undefined || other === undefined || options.length !== 2) return [];
  return isThat ? [own, other] : [other, own];
}

function caseOf(index: Expression | undefined, { children }: Command): Command | undefined {
  const number = index === undefined ? undefined : constantOf(bare(index));
  return typeof number === "number" ? children[number] : undefined;
}

/** Whether a command writes something at the service, or in the platform. */
function sends(command: Command): boolean {
  return (
    allIn(command)?.some(({ key, argument }) => {
      if (key === "!resource") return true;
      if (key !== "!http" || /^(?:GET|HEAD|OPTIONS)$/i.test(textOf(argument, "method") ?? "GET"))
        return false;
      const body = argument?.kind === "object" ? argument.get("body") : undefined;
      return !/^\s*query\b/.test(textOf(body, "query") ?? "");
    }) === true
  );
}

const textOfCommand = ({ node }: Command): string => JSON.stringify(toJson(node));
