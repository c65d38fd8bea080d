import type { JqProgram } from "@configc/compiler";
import { type Call, children, type Expression, type Postfix } from "@configc/jq";
import type { ProgramSpelling } from "./spelling.ts";

/** Ways to write an expression, wherever it stands in a program. None changes what it gives. */
export const expressionSpellings: Readonly<Record<string, ProgramSpelling>> = {
  "conditions turned round": respelled((node, write) => {
    if (node.kind !== "If" || node.branches.length !== 1 || node.otherwise === undefined) return undefined;
    const [{ condition, body }] = node.branches as [(typeof node.branches)[number]];
    return `if (${write(condition)} | not) then ${write(node.otherwise)} else ${write(body)} end`;
  }),
  "further conditions within the last": respelled((node, write) => {
    if (node.kind !== "If" || node.branches.length < 2) return undefined;
    const last = node.otherwise === undefined ? "." : write(node.otherwise);
    return node.branches.reduceRight(
      (otherwise, { condition, body }) => `if ${write(condition)} then ${write(body)} else ${otherwise} end`,
      last,
    );
  }),
  "comparisons turned round": respelled((node, write) => {
    if (node.kind !== "Comparison") return undefined;
    return `${write(node.right)} ${turnedOperators[node.operator]} ${write(node.left)}`;
  }),
  "unequal as not equal": respelled((node, write) =>
    node.kind === "Comparison" && node.operator === "!="
      ? `(${write(node.left)} == ${write(node.right)} | not)`
      : undefined,
  ),
  "select as a condition": respelled((node, write) => {
    const argument = argumentOf(node, "select");
    return argument && `(if ${write(argument)} then . else empty end)`;
  }),
  "map as a list": respelled((node, write) => {
    const argument = argumentOf(node, "map");
    return argument && `[.[] | ${write(argument)}]`;
  }),
  "texts as sums": respelled((node, write) => {
    if (node.kind !== "String" || node.format !== undefined || node.parts.length < 2) return undefined;
    if (node.parts.some((part) => part.kind === "Interpolation" && part.expression.kind === "Hole"))
      return undefined;
    const parts = node.parts.map((part) =>
      part.kind === "StringText" ? JSON.stringify(part.value) : `(${write(part.expression)} | tostring)`,
    );
    return `(${parts.join(" + ")})`;
  }),
  "short members written out": respelled((node) =>
    node.kind === "Entry" && node.value === undefined && node.key.kind === "Name"
      ? `${node.key.text}: .${node.key.text}`
      : undefined,
  ),
  "members written short": respelled((node) => {
    if (node.kind !== "Entry" || node.key.kind !== "Name" || node.value?.kind !== "Postfix") return undefined;
    const [field, ...others] = node.value.suffixes;
    return isPath(node.value) &&
      others.length === 0 &&
      field?.kind === "Field" &&
      nameOf(field) === node.key.text
      ? node.key.text
      : undefined;
  }),
  "a fallback as a condition": respelled((node, write) => {
    if (node.kind !== "Alternative" || node.operands.length !== 2) return undefined;
    const [value, fallback] = node.operands as [Expression, Expression];
    if (value.kind !== "Postfix" || !isPath(value)) return undefined;
    return `(if ${write(value)} then ${write(value)} else ${write(fallback)} end)`;
  }),
  "tests in another order": respelled((node, write) =>
    node.kind === "Logical" && node.operands.every(isPlainTest)
      ? node.operands.toReversed().map(write).join(` ${node.operator} `)
      : undefined,
  ),
};

type Node = Parameters<typeof children>[0];

/** A program with those of its nodes in another spelling that `change` gives one for. `write` gives a node with its own changes. */
function respelled(
  change: (node: Node, write: (node: Node) => string) => string | undefined,
): ProgramSpelling {
  return ({ tree, node: { value: text } }: JqProgram) => {
    let isChanged = false;
    const write = (node: Node): string => {
      const changed = change(node, write);
      if (changed === undefined) return unchanged(node);
      isChanged = true;
      return changed;
    };
    const unchanged = (node: Node): string => {
      let written = "";
      let at = node.start;
      for (const child of children(node).toSorted((a, b) => a.start - b.start)) {
        // A key isn't an expression of its own.
        const isKey = (node.kind === "Entry" || node.kind === "Field") && child === node.key;
        if (child.start < at || isKey) continue;
        written += text.slice(at, child.start) + write(child);
        at = child.end;
      }
      return written + text.slice(at, node.end);
    };
    const body = write(tree.body);
    return isChanged ? text.slice(0, tree.body.start) + body + text.slice(tree.body.end) : undefined;
  };
}

const turnedOperators = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

function argumentOf(node: Node, name: string): Expression | undefined {
  return node.kind === "Call" && (node satisfies Call).name.text === name && node.arguments.length === 1
    ? node.arguments[0]
    : undefined;
}

const nameOf = ({
  key,
}: {
  readonly key: { readonly kind: string; readonly text?: string };
}): string | undefined => (key.kind === "Name" ? key.text : undefined);

/** Whether it is members of members of the input. */
const isPath = ({ head, suffixes }: Postfix): boolean =>
  head.kind === "Identity" && suffixes.every(({ kind }) => kind === "Field");

/** Whether a test can't fail, so that it may stand before another one. */
function isPlainTest(node: Expression): boolean {
  if (node.kind === "Postfix") return isPath(node) && node.suffixes.length === 1;
  return node.kind === "Comparison" && [node.left, node.right].every(isPlainOperand);
}

function isPlainOperand(node: Expression): boolean {
  return (
    (node.kind === "Postfix" && isPath(node) && node.suffixes.length === 1) ||
    (node.kind === "String" && node.parts.length === 1) ||
    node.kind === "Number" ||
    (node.kind === "Call" && /^(?:null|true|false)$/.test(node.name.text))
  );
}
