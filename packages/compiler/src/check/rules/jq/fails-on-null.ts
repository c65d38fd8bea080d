import { type Alternative, type Call, children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { bare, defines, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { ValuePath } from "../../../flow/value-path.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const failsOnNull = defineRule<{ value: string; text: string; test: string }>({
  id: "jq/fails-on-null",
  severity: "warning",
  summary: "A program checks a value for null in one place, and fails on null in another",
  why: "Arithmetic, dates and most functions on texts and lists fail with null. The check shows that there are such records. Each of them fails in the other place and doesn't arrive.",
  guards: ["command.!jq", "D23", "D35"],
  message: ({ value, text, test }) =>
    `Where \`${value}\` is null, \`${text}\` fails. It may be null: \`${test}\`.`,
  because: ({ value, text, test }) => [
    `\`${test}\` asks whether it is null: \`${value}\` may be`,
    `\`${value}\` is null: \`${text}\` fails`,
  ],
  help: ({ value }) => `Ask here, too: \`if ${value} == null then null else … end\`.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, plan: (if .lease == null then \\"none\\" else .lease.plan end), rent: («.lease.rent_cents / 100»)}"}',
      good: '{"!jq": "{email: .email, plan: (if .lease == null then \\"none\\" else .lease.plan end), rent: (if .lease == null then null else .lease.rent_cents / 100 end)}"}',
    },
    {
      title: "A text",
      ...place,
      bad: '{"!jq": "{email: .email, phone: (.phone // \\"\\"), country: (if (.phone | «startswith(\\"+49\\")») then \\"DE\\" else null end)}"}',
      good: '{"!jq": "{email: .email, phone: (.phone // \\"\\"), country: (if ((.phone // \\"\\") | startswith(\\"+49\\")) then \\"DE\\" else null end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [failsOnNull],
  checks: {
    program(program, report) {
      const { node, diagnostics, command } = program;
      if (command.unit?.kind !== "workflow" || diagnostics.length > 0) return;
      if (!/\bnull\b|\/\/|\bif\b|\bselect\b/.test(node.value)) return;
      for (const { value, tests } of testedIn(program)) {
        const failed = failures(program, value).find((site) =>
          tests.some((test) => isBeside(test, site, program)),
        );
        const [test] = tests;
        if (failed === undefined || test === undefined) continue;
        report(
          failsOnNull,
          { node, from: failed.start, to: failed.end },
          {
            value: excerpt(textAt(test.value, program)),
            text: excerpt(textAt(failed, program)),
            test: excerpt(textAt(test.node, program)),
          },
        );
        return;
      }
      for (const { value, test, failed } of nullsTaken(program)) {
        const args = {
          value: textAt(value, program),
          text: textAt(failed, program),
          test: textAt(test, program),
        };
        report(failsOnNull, partAt(program, failed), {
          value: excerpt(args.value),
          text: excerpt(args.text),
          test: excerpt(args.test),
        });
      }
    },
  },
};
export default module;

/** What is null with `// null`, also of each item of a list, and goes on into what fails with null right there. */
function nullsTaken(program: JqProgram) {
  const isNull = (node: Node | undefined): node is Alternative => {
    const given = node?.kind === "Group" ? node.body : node;
    if (given?.kind !== "Alternative" || constantOf(given.operands.at(-1)!) !== null) return false;
    return bare(given.operands[0]!).kind === "Postfix";
  };
  const fails = (node: Node | undefined): node is Call =>
    node?.kind === "Call" && failing.test(node.name.text) && !defines(program, node.name.text);
  const pairs: (readonly [Node, Expression])[] = [];
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const next = stages[index + 1];
      if (isNull(stage) && fails(next)) pairs.push([stage, next]);
    }
  for (const { name, arguments: given } of nodesOfKind(program, "Call")) {
    const [list, condition] = given;
    if (/^(?:any|all)$/.test(name.text) && isNull(list) && fails(condition)) pairs.push([list, condition]);
  }
  for (const table of nodesOfKind(program, "Postfix"))
    for (const suffix of table.head.kind === "Object" ? table.suffixes : [])
      if (suffix.kind === "Index" && isNull(suffix.index)) pairs.push([suffix.index, table]);
  // `//` catches failures, too.
  const tried = [
    ...nodesOfKind(program, "Try"),
    ...nodesOfKind(program, "Alternative").flatMap(({ operands }) => operands.slice(0, -1)),
  ];
  return pairs.flatMap(([test, failed]) => {
    const alternative = test.kind === "Group" ? test.body : test;
    if (alternative.kind !== "Alternative" || tried.some((each) => contains(each, failed))) return [];
    return [{ value: alternative.operands[0]!, test: alternative, failed }];
  });
}

/** What takes texts only. */
const failing =
  /^(?:ascii_downcase|ascii_upcase|split|test|match|capture|sub|gsub|startswith|endswith|fromdate|strptime|tonumber|explode|join)$/;

/** A part of what comes in. */
export interface Given {
  /** An expansion by its place in the program; undefined for the program's own input. */
  readonly hole: number | undefined;
  readonly path: ValuePath;
}

export interface Test {
  readonly node: Expression;
  readonly value: Expression;
}

/** What a program asks for null, each with where it does. */
function testedIn(program: JqProgram): readonly { readonly value: Given; readonly tests: readonly Test[] }[] {
  const found = new Map<string, { value: Given; tests: Test[] }>();
  for (const test of testsIn(program)) {
    const value = givenAt(test.value, program);
    if (value === undefined) continue;
    const names = value.hole === undefined ? ["."] : namesOf(program, value.hole);
    const key = [...names, ...value.path].join("\n");
    const known = found.get(key);
    if (known === undefined) found.set(key, { value, tests: [test] });
    else known.tests.push(test);
  }
  return [...found.values()];
}

/** What an expression takes of what comes in; undefined where it makes something of it, or takes it of each item of a list. */
export function givenAt(node: Expression, program: JqProgram): Given | undefined {
  const [source, ...others] = sourcesOf(program, node, []);
  if (source === undefined || source.kind === "made" || others.length > 0) return undefined;
  if (source.path.includes("[]")) return undefined;
  const hole = source.kind === "hole" ? source.hole : undefined;
  const expansion = hole === undefined ? undefined : program.holes[hole];
  if (expansion === undefined) return source.path.length === 0 ? undefined : { hole, path: source.path };
  const isPlain = expansion.root === "piped_content" && expansion.syntax.filters.length === 0;
  return isPlain ? { hole, path: source.path } : undefined;
}

/** `.lease == null`, `.lease // …`, `if .lease then` */
export function testsIn(program: JqProgram): readonly Test[] {
  const conditions = [
    ...nodesOfKind(program, "If").flatMap(({ branches }) => branches.map(({ condition }) => condition)),
    ...nodesOfKind(program, "Logical").flatMap(({ operands }) => operands),
  ];
  return [
    ...nodesOfKind(program, "Comparison").flatMap((node): Test[] => {
      if (node.operator !== "==" && node.operator !== "!=") return [];
      if (constantOf(node.right) === null) return [{ node, value: node.left }];
      return constantOf(node.left) === null ? [{ node, value: node.right }] : [];
    }),
    ...nodesOfKind(program, "Alternative").flatMap((node): Test[] => [{ node, value: node.operands[0]! }]),
    ...conditions.flatMap((node): Test[] => (isPath(bare(node)) ? [{ node, value: node }] : [])),
  ].filter(({ value }) => isPath(bare(value)));
}

/** A member by its name, or a variable. */
function isPath(node: Expression): boolean {
  if (node.kind === "Variable" || node.kind === "Hole") return true;
  return node.kind === "Postfix" && node.suffixes.every(({ kind }) => kind === "Field");
}

/** What fails where a part of what comes in is null, and nothing else is known. */
export function failures(program: JqProgram, { hole, path }: Given): readonly Expression[] {
  const found: Expression[] = [];
  const value = nullAt(path);
  const names = hole === undefined ? [] : namesOf(program, hole);
  const holes = program.holes.map((_, index): Value => {
    if (hole === undefined) return UNKNOWN;
    // `${piped_content.0.lease}` and `${piped_content.0} | .lease` are the same.
    const own = namesOf(program, index);
    const whole = [...names, ...path];
    if (!own.every((name, at) => at >= whole.length || whole[at] === name)) return UNKNOWN;
    return own.length >= whole.length ? null : nullAt(whole.slice(own.length));
  });
  evaluate(program, hole === undefined ? value : UNKNOWN, holes, {
    now: NOW,
    mayHold: () => true,
    onFailure(_, node, site) {
      // In a function that asks for something first, that may be it.
      if (node === site || conditionalParts(program.tree.body, node).length === 0) found.push(site);
    },
  });
  return found;
}

const namesOf = ({ holes }: JqProgram, hole: number): readonly string[] =>
  holes[hole]?.syntax.path.map(({ text }) => text) ?? [];

const nullAt = (path: ValuePath): Value =>
  path.reduceRight<Value>(
    (below, name) => ({ kind: "record", members: new Map([[name, below]]), open: true }),
    null,
  );

/**
 * Whether an author who asks in one place must have thought that the other one is reached with null, too: what decides whether the other one
 * is evaluated decides the same for the question, or for what comes of it.
 */
function isBeside({ node: test }: Test, failed: Expression, program: JqProgram): boolean {
  return conditionalParts(program.tree.body, failed).every(
    (part) =>
      contains(part, test) ||
      nodesIn(part).some((each) => each.kind === "Variable" && isMadeOf(each, test, program)),
  );
}

const contains = (part: Node, node: Node): boolean => part.start <= node.start && node.end <= part.end;

function isMadeOf(
  variable: Extract<Node, { kind: "Variable" }>,
  test: Expression,
  program: JqProgram,
): boolean {
  const source = boundTo(program, variable);
  return source !== undefined && contains(source, test);
}

/**
 * The branches and operands around an expression that are evaluated on a condition.
 *
 * @param counts whether a `select` does
 * @param asks whether a condition of an `if` does
 */
export function conditionalParts(
  node: Node,
  wanted: Node,
  counts: (select: Call) => boolean = () => true,
  asks: (condition: Expression) => boolean = () => true,
): readonly Node[] {
  const below = children(node).find((child) => contains(child, wanted));
  if (below === undefined || node === wanted) return [];
  const further = conditionalParts(below, wanted, counts, asks);
  if (node.kind === "If" && !node.branches.some(({ condition }) => asks(condition)))
    return below.kind === "Branch" && contains(below.body, wanted)
      ? conditionalParts(below.body, wanted, counts, asks)
      : further;
  if (node.kind === "If") return below.kind === "Branch" ? further : [below, ...further];
  if (node.kind === "Branch") return below === node.condition ? further : [below, ...further];
  if (node.kind === "Logical" && below !== node.operands[0]) return [below, ...further];
  if (node.kind !== "Pipeline") return further;
  // What stands behind a `select` is only reached by what it lets through.
  const isSelected = stagesOf(node).some(
    (stage) =>
      stage.end <= wanted.start &&
      stage.kind === "Call" &&
      /^(?:select|values|objects|strings|numbers|arrays)$/.test(stage.name.text) &&
      counts(stage),
  );
  return isSelected ? [below, ...further] : further;
}
