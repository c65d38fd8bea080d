import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "./code-tables.ts";

const labelOfOtherCode = defineRule<{ name: string; code: string; text: string; own: string; other: string }>(
  {
    id: "value/label-of-other-code",
    severity: "warning",
    summary: "A condition asks for one code and gives what the same program's table has for another one",
    why: "A program that shows a state by a table, and sets a tag by a condition, says in both what a code means. Where they don't agree, records get a tag that contradicts the state beside it.",
    guards: ["command.!jq"],
    message: ({ name, code, text, other }) =>
      `For the \`${name}\` \`${code}\` this gives “${text}”, which the table has for \`${other}\`.`,
    because: ({ code, own, text, other }) => [
      `the table: \`${code}\` is “${own}”, \`${other}\` is “${text}”`,
      `the condition: \`${code}\` gives “${text}”`,
    ],
    help: ({ other }) => `Compare with \`${other}\`.`,
    examples: [
      {
        in: "inbound-webhook",
        at: "/workflows/0/data_pipeline/source",
        bad: '{"!jq": "{email: .email, state: {\\"10\\": \\"Reserved\\", \\"20\\": \\"On hire\\", \\"30\\": \\"Collected\\"}[.state | tostring], _tags: (if .state == «30» then [\\"On hire\\"] else [] end)}"}',
        good: '{"!jq": "{email: .email, state: {\\"10\\": \\"Reserved\\", \\"20\\": \\"On hire\\", \\"30\\": \\"Collected\\"}[.state | tostring], _tags: (if .state == 20 then [\\"On hire\\"] else [] end)}"}',
      },
    ],
  },
);

const exchangedLabels = defineRule<{ code: string; text: string; other: string; label: string }>({
  id: "value/exchanged-labels",
  severity: "warning",
  summary: "A table shows two words of the service as each other",
  why: "Customers read the label and never see the word behind it. Where a table gives two words each other's names, all records with one of the two say the opposite of what they are.",
  guards: ["command.!jq"],
  message: ({ code, text, other, label }) =>
    `\`${code}\` is shown as “${text}”, and \`${other}\` as “${label}”.`,
  because: ({ code, other }) => [
    `\`${code}\` has the name of \`${other}\`, and the other way round`,
    "another word in the table has its own name",
  ],
  help: () => "Exchange the two.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, state: «{active: \\"Active\\", paused: \\"Ended\\", ended: \\"Paused\\"}»[.state]}"}',
      good: '{"!jq": "{email: .email, state: {active: \\"Active\\", paused: \\"Paused\\", ended: \\"Ended\\"}[.state]}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [labelOfOtherCode, exchangedLabels],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0) return;
      const tables = tablesIn(program);
      for (const { labels, node } of tables) {
        const found = exchangedIn([...labels]);
        if (found !== undefined) report(exchangedLabels, partAt(program, node), found);
      }
      if (tables.length === 0 || !/[^!]==/.test(program.node.value)) return;
      for (const { branches } of nodesOfKind(program, "If"))
        for (const { condition, body } of branches) {
          const test = bare(condition);
          if (test.kind !== "Comparison" || test.operator !== "==") continue;
          const [code, text] = [constantOf(test.right), textIn(body)];
          const name = nameRead(test.left, program);
          if (
            name === undefined ||
            text === undefined ||
            (typeof code !== "string" && typeof code !== "number")
          )
            continue;
          const table = tables.find((each) => each.name === name && each.labels.has(`${code}`));
          const own = table?.labels.get(`${code}`);
          const [other, ...more] = [...(table?.labels ?? [])].filter(([, label]) => ends(text, label));
          if (own === undefined || other === undefined || more.length > 0 || other[0] === `${code}`) continue;
          const args = { name, code: `${code}`, text, own, other: other[0] };
          report(labelOfOtherCode, partAt(program, test.right), args);
        }
    },
  },
};
export default module;

interface Table {
  /** What is looked up. */
  readonly name: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly node: ObjectConstruction;
}

/** Two words that have each other's names, where a third has its own. */
function exchangedIn(labels: readonly (readonly [code: string, label: string])[]) {
  const named = labels.map(([code, label]) => ({
    code,
    text: label,
    own: wordsOf(code).join(" "),
    shown: wordsOf(label).join(" "),
  }));
  const byName = new Map(named.map((each) => [each.own, each]));
  const one = named.find(({ own, shown }) => shown !== own && byName.get(shown)?.shown === own);
  const other = one && byName.get(one.shown);
  const isShown = /^[A-Z]/.test(one?.text ?? "") && named.some(({ own, shown }) => own === shown);
  return one === undefined || other === undefined || !isShown
    ? undefined
    : { code: one.code, text: one.text, other: other.code, label: other.text };
}

/** The tables of a program in which something is looked up, with a text for each of three codes or more. */
function tablesIn(program: JqProgram): readonly Table[] {
  return nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [suffix] }): readonly Table[] => {
    const made = head.kind === "Variable" ? boundTo(program, head) : head;
    const table = made === undefined ? undefined : bare(made as Expression);
    if (table?.kind !== "Object" || suffix?.kind !== "Index") return [];
    const labels = labelsOf(table);
    return labels.size < 3 || labels.size < table.entries.length
      ? []
      : [{ name: nameRead(suffix.index, program), labels, node: table }];
  });
}

const labelsOf = ({ entries }: ObjectConstruction): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap(({ key, value }) => {
      const [name, label] = [nameOf(key), value === undefined ? undefined : constantOf(value)];
      return name !== undefined && typeof label === "string" ? [[name, label] as const] : [];
    }),
  );

/** Whether a text is a label, or ends with it: `Box paused`. */
const ends = (text: string, label: string): boolean =>
  ` ${keyOf(text)}`.endsWith(` ${keyOf(label)}`) &&
  !/\b(?:not|never|no longer|un|was|formerly|from|to)\b/i.test(text);

/** A text, or the only one of a list. */
function textIn(body: Expression): string | undefined {
  const constant = constantOf(bare(body));
  const [text, ...others] = Array.isArray(constant) ? constant : [constant];
  return typeof text === "string" && text !== "" && others.length === 0 ? text : undefined;
}
