import type { Expression, If, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
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
        if (found !== undefined && !isInverted(found.code, found.other, node, program))
          report(exchangedLabels, partAt(program, node), found);
      }
      if (tables.length === 0 || !/[^!]==/.test(program.node.value)) return;
      for (const choice of nodesOfKind(program, "If")) {
        const found = oddLabel(choice, tables, program);
        if (found !== undefined) report(labelOfOtherCode, partAt(program, found.node), found.args);
      }
    },
  },
};
export default module;

/** The one code of a choice that gives what a table has for another one, where the choice says what the code is itself. */
function oddLabel(choice: If, tables: readonly Table[], program: JqProgram) {
  const given = choice.branches.map(({ condition, body }) => {
    const test = bare(condition);
    if (test.kind !== "Comparison" || test.operator !== "==") return undefined;
    const [code, text] = [constantOf(test.right), textIn(body)];
    const name = nameRead(test.left, program);
    if (name === undefined || text === undefined || (typeof code !== "string" && typeof code !== "number"))
      return undefined;
    const table = tables.find(
      (each) =>
        each.name === name &&
        each.labels.has(`${code}`) &&
        !areOfTwo(each.read, textAt(bare(test.left), program)),
    );
    const own = table?.labels.get(`${code}`);
    const [other, ...more] = [...(table?.labels ?? [])].filter(([, label]) => ends(text, label));
    if (own === undefined || other === undefined || more.length > 0) return undefined;
    return {
      node: test.right,
      isOdd: other[0] !== `${code}`,
      args: { name, code: `${code}`, text, own, other: other[0] },
    };
  });
  const [odd, ...others] = given.filter((each) => each?.isOdd === true);
  if (odd === undefined || others.length > 0) return undefined;
  const { args } = odd;
  // A choice of its own says what comes next, or puts several codes together. A tag for one of them has nothing else to give.
  const rest = choice.otherwise === undefined ? undefined : textIn(choice.otherwise);
  if (choice.branches.length === 1 ? rest !== undefined : given.some((each) => each === undefined))
    return undefined;
  if (given.some((each) => each !== odd && each?.args.text === args.text) || rest === args.text)
    return undefined;
  return saysAnother(choice, args.name, program) ? undefined : odd;
}

/** Whether a choice is given to a member that is called otherwise: `next_state` may say what `state` becomes, `offer` what `plan` may. */
function saysAnother({ start, end }: If, name: string, program: JqProgram): boolean {
  const around = nodesOfKind(program, "Entry").filter((each) => each.start <= start && end <= each.end);
  const [nearest] = around.sort((a, b) => b.start - a.start);
  const member = nearest === undefined ? undefined : nameOf(nearest.key);
  if (member === undefined) return false;
  const [words, own] = [wordsOf(member).map(singular), wordsOf(name).map(singular)];
  if (words.some((word) => ofOtherTime.test(word))) return true;
  return !words.some((word) => own.includes(word) || /^(?:tag|label|segment)$/.test(word));
}

const ofOtherTime =
  /^(?:next|previous|prev|last|former|old|new|before|after|target|goal|wanted|offer|upgrade|downgrade|least|min|max|up|from|to|until|open|missing|other)$/;

/** `.ticket.state` and `.order.state`: reads from the same value that aren't the same. */
const areOfTwo = (one: string, other: string): boolean =>
  one !== other && /^\.\w/.test(one) && /^\.\w/.test(other);

/** Whether a table turns opposites over for a member that is called otherwise: `visible: {hidden: "Shown", shown: "Hidden"}[.override]`. */
function isInverted(code: string, other: string, table: ObjectConstruction, program: JqProgram): boolean {
  if (!areOpposites(code, other)) return false;
  const lookup = nodesOfKind(program, "Postfix").find(({ head }) => bare(head as Expression) === table);
  const [suffix] = lookup?.suffixes ?? [];
  const read = suffix?.kind === "Index" ? nameRead(suffix.index, program) : undefined;
  const entry = nodesOfKind(program, "Entry").find(
    ({ value }) => lookup !== undefined && value !== undefined && bare(value) === lookup,
  );
  const member = entry === undefined ? undefined : nameOf(entry.key);
  if (read === undefined || member === undefined) return false;
  const words = wordsOf(read);
  return !wordsOf(member).some((word) => words.includes(word));
}

/** Words that say the opposite of each other. */
const areOpposites = (one: string, other: string): boolean =>
  opposites.some((pair) => pair.includes(one.toLowerCase()) && pair.includes(other.toLowerCase())) ||
  isDenied(one, other) ||
  isDenied(other, one);
const isDenied = (one: string, other: string): boolean =>
  one.endsWith(other) && /^(?:un|in|non_?|not_?)$/i.test(one.slice(0, -other.length));
const opposites: readonly (readonly string[])[] = [
  ["on", "off"],
  ["yes", "no"],
  ["true", "false"],
  ["hidden", "shown"],
  ["hidden", "visible"],
  ["open", "closed"],
  ["in", "out"],
  ["up", "down"],
  ["enabled", "disabled"],
  ["private", "public"],
  ["allow", "deny"],
];

interface Table {
  /** What is looked up. */
  readonly name: string | undefined;
  /** As it is written. */
  readonly read: string;
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
      : [
          {
            name: nameRead(suffix.index, program),
            read: lookedUp(suffix.index, program),
            labels,
            node: table,
          },
        ];
  });
}

/** What is looked up, without what makes it a text: `.state` of `.state | tostring`. */
function lookedUp(index: Expression, program: JqProgram): string {
  const node = bare(index);
  const [first] = node.kind === "Pipeline" ? node.stages : [node];
  return first === undefined ? "" : textAt(bare(first as Expression), program);
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
