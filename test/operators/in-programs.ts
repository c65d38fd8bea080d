import type { Expression } from "@configc/jq";
import { nodesWithin } from "../../packages/jq/src/nodes-within.ts";
import { type Operator, onNodes, onPrograms, type Rewriting } from "./operator.ts";

const flipped: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<=",
};
const bordered: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** What is easily taken for another. */
const cousins: Readonly<Record<string, string>> = {
  first: "last",
  last: "first",
  min: "max",
  max: "min",
  min_by: "max_by",
  max_by: "min_by",
  any: "all",
  all: "any",
  startswith: "endswith",
  endswith: "startswith",
  ltrimstr: "rtrimstr",
  rtrimstr: "ltrimstr",
  ascii_downcase: "ascii_upcase",
  ascii_upcase: "ascii_downcase",
  floor: "ceil",
  join: "split",
  split: "join",
  map: "select",
  fromdate: "tonumber",
  todate: "tostring",
  tonumber: "tostring",
  true: "false",
  false: "true",
  null: "empty",
  empty: "null",
};

const conditions: readonly Operator[] = [
  onNodes("condition-negated", "A condition is the other way round.", "If", ({ branches }, textOf) =>
    branches.map(({ condition }) => [condition, `(${textOf(condition)} | not)`] as const),
  ),
  onNodes(
    "condition-without-comparison",
    "A condition lost what it compares with.",
    "If",
    ({ branches }, textOf) =>
      branches.flatMap(({ condition }) =>
        condition.kind === "Comparison" ? [[condition, textOf(condition.left)] as const] : [],
      ),
  ),
  onNodes("condition-true", "A condition is always true.", "If", ({ branches }) =>
    branches.map(({ condition }) => [condition, "true"] as const),
  ),
  onNodes(
    "branches-exchanged",
    "The two branches of an `if` are exchanged.",
    "If",
    ({ branches, otherwise }, textOf) => {
      const body = branches.at(-1)?.body;
      if (body === undefined || otherwise === undefined) return [];
      const between = textOf({ start: body.end, end: otherwise.start });
      return [[{ start: body.start, end: otherwise.end }, textOf(otherwise) + between + textOf(body)]];
    },
  ),
  onNodes("branch-dropped", "An `elif` is missing.", "If", ({ branches: [first, second] }) =>
    first === undefined || second === undefined ? [] : [[{ start: first.end, end: second.end }, ""]],
  ),
  onNodes("operand-dropped", "One operand of `and` or `or` is missing.", "Logical", ({ operands }) =>
    operands.flatMap(({ end }, at) =>
      at === 0 ? [] : [[{ start: operands[at - 1]!.end, end }, ""] as const],
    ),
  ),
  onNodes(
    "and-for-or",
    "`and` for `or`, and the other way round.",
    "Logical",
    ({ operands, operator }, textOf) => {
      const between = { start: operands[0]!.end, end: operands[1]!.start };
      return [[between, textOf(between).replace(operator, operator === "and" ? "or" : "and")]];
    },
  ),
  onNodes("comparison-flipped", "A comparison is the other way round.", "Comparison", (node) => [
    [node.operatorSpan, flipped[node.operator]!],
  ]),
  onNodes("border-moved", "A border counts that shouldn't, or doesn't that should.", "Comparison", (node) => {
    const operator = bordered[node.operator];
    return operator === undefined ? [] : [[node.operatorSpan, operator]];
  }),
  onNodes(
    "word-in-capitals",
    "What is compared with is written in other letters.",
    "Comparison",
    ({ right }, textOf) =>
      /^"[a-z_]{4,}"$/.test(textOf(right)) ? [[right, textOf(right).toUpperCase()]] : [],
  ),
  onNodes("word-misspelled", "What is compared with lacks a letter.", "Comparison", ({ right }, textOf) =>
    /^"[a-z_]{4,}"$/.test(textOf(right)) ? [[right, textOf(right).slice(0, 3) + textOf(right).slice(4)]] : [],
  ),
  onNodes("number-as-text", "A number is compared as a text.", "Comparison", ({ right }) =>
    right.kind === "Number" ? [[right, `"${right.text}"`]] : [],
  ),
];

const values: readonly Operator[] = [
  onNodes("member-dropped", "A member of an object is missing.", "Object", ({ entries }) =>
    entries.map(({ start, end }, at) => {
      const before = entries[at - 1];
      if (before !== undefined) return [{ start: before.end, end }, ""] as const;
      return [{ start, end: entries[1]?.start ?? end }, ""] as const;
    }),
  ),
  onNodes("members-exchanged", "Two members have each other's value.", "Object", ({ entries }, textOf) =>
    entries.flatMap(({ value }, at): readonly Rewriting[] => {
      const other = entries[at + 1]?.value;
      if (value === undefined || other === undefined) return [];
      const between = textOf({ start: value.end, end: other.start });
      return [[{ start: value.start, end: other.end }, textOf(other) + between + textOf(value)]];
    }),
  ),
  onNodes("whole-for-member", "The whole input stands where one value belongs.", "Object", ({ entries }) =>
    entries.flatMap(({ value }) => (value === undefined ? [] : [[value, "."] as const])),
  ),
  onNodes("path-too-short", "The last member of a path is missing.", "Postfix", ({ suffixes }) => {
    const last = suffixes.at(-1);
    return last?.kind === "Field" && suffixes.length > 1 ? [[last, ""]] : [];
  }),
  onNodes("path-without-first", "The first member of a path is missing.", "Postfix", ({ head, suffixes }) =>
    head.kind === "Identity" && suffixes.length > 1 && suffixes[0]!.kind === "Field"
      ? [[suffixes[0]!, ""]]
      : [],
  ),
  onPrograms("sibling-read", "A path reads another member beside the right one.", siblings),
  onNodes(
    "default-dropped",
    "A `//` and what follows it are missing.",
    "Alternative",
    ({ operands, end }) => [[{ start: operands[0]!.end, end }, ""]],
  ),
  onNodes("default-emptied", "A `//` is followed by an empty text.", "Alternative", ({ operands }) => [
    [operands.at(-1)!, '""'],
  ]),
  onNodes("sign-turned", "`+` for `-`, `*` for `/`, and the other way round.", "Arithmetic", ({ rest }) =>
    rest.flatMap(({ operator, operatorSpan }): readonly Rewriting[] => {
      const other = { "+": "-", "-": "+", "*": "/", "/": "*", "%": undefined }[operator];
      return other === undefined ? [] : [[operatorSpan, other]];
    }),
  ),
  onNodes("operation-dropped", "One operand of an arithmetic is missing.", "Arithmetic", ({ rest }) =>
    rest.map((operand) => [operand, ""] as const),
  ),
  onNodes("thousand-times", "A number is a thousand times as large.", "Number", (node) =>
    node.value >= 10 ? [[node, `${node.value * 1000}`]] : [],
  ),
];

const lists: readonly Operator[] = [
  onNodes("first-for-all", "`[0]` stands where all elements are meant.", "Postfix", ({ suffixes }) =>
    suffixes.flatMap((suffix) => (suffix.kind === "Iterate" ? [[suffix, "[0]"] as const] : [])),
  ),
  onNodes("list-for-elements", "`[]` is missing.", "Postfix", ({ suffixes }) =>
    suffixes.flatMap((suffix) => (suffix.kind === "Iterate" ? [[suffix, ""] as const] : [])),
  ),
  onNodes("list-for-element", "An index is missing.", "Postfix", ({ suffixes }, textOf) =>
    suffixes.flatMap((suffix) =>
      suffix.kind === "Index" && /^\[-?\d\]$/.test(textOf(suffix)) ? [[suffix, ""] as const] : [],
    ),
  ),
  onNodes(
    "other-end",
    "The last element for the first, and the other way round.",
    "Postfix",
    ({ suffixes }, textOf) =>
      suffixes.flatMap((suffix) =>
        /^\[(?:0|-1)\]$/.test(textOf(suffix))
          ? [[suffix, textOf(suffix) === "[0]" ? "[-1]" : "[0]"] as const]
          : [],
      ),
  ),
  onNodes("stage-dropped", "A stage of a pipeline is missing.", "Pipeline", ({ stages }) =>
    stages.flatMap(({ kind, end }, at) =>
      at === 0 || kind === "Binding" || kind === "Definition"
        ? []
        : [[{ start: stages[at - 1]!.end, end }, ""] as const],
    ),
  ),
  onNodes("other-function", "A function is taken for another one.", "Call", ({ name }) => {
    const cousin = Object.hasOwn(cousins, name.text) ? cousins[name.text] : undefined;
    return cousin === undefined ? [] : [[name, cousin]];
  }),
];

const dates: readonly Operator[] = (
  [
    ["%d", "%m"],
    ["%m", "%M"],
    ["%H", "%I"],
    ["%Y", "%y"],
  ] as const
).map(([directive, other]) =>
  onNodes(
    `date-${directive[1]}-as-${other[1]}`,
    `\`${other}\` for \`${directive}\`.`,
    "String",
    (node, textOf) =>
      textOf(node).includes(directive) ? [[node, textOf(node).replace(directive, other)]] : [],
  ),
);

/** Operators on jq programs. */
export const programOperators: readonly Operator[] = [...conditions, ...values, ...lists, ...dates];

/** Other names that the programs of a document read where this one is read. */
function* siblings(
  { tree, node }: Parameters<Parameters<typeof onPrograms>[2]>[0],
  textOf: (part: { start: number; end: number }) => string,
  { model }: Parameters<Parameters<typeof onPrograms>[2]>[2],
): Generator<Rewriting> {
  const known = new Set<string>();
  for (const other of model.programs)
    if (other.node !== node) for (const read of readsOf(other)) known.add(read);
  const own = [...readsOf({ tree, node }), ...known];
  for (const postfix of nodesWithin(tree.body as Expression)) {
    const last = postfix.kind === "Postfix" ? postfix.suffixes.at(-1) : undefined;
    if (last?.kind !== "Field" || last.key.kind !== "Name") continue;
    const before = textOf({ start: postfix.start, end: last.start });
    const sibling = own.find(
      (read) => read.startsWith(`${before}.`) && read !== `${before}.${textOf(last.key)}`,
    );
    if (sibling !== undefined && /^\w+$/.test(sibling.slice(before.length + 1)))
      yield [last.key, sibling.slice(before.length + 1)];
  }
}

/** `.a.b` for each path that a program reads. */
function readsOf({
  tree,
  node,
}: Pick<Parameters<Parameters<typeof onPrograms>[2]>[0], "tree" | "node">): string[] {
  return [...nodesWithin(tree.body as Expression)].flatMap((part) =>
    part.kind === "Postfix" && part.suffixes.every(({ kind }) => kind === "Field")
      ? [node.value.slice(part.start, part.end)]
      : [],
  );
}
