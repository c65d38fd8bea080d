import { children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { bare, defines } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";

/** What a value can be, by the call or slice that gives it. */
export interface Given {
  /** As it is written in a message: `type`, `.[0:3]`. */
  readonly by: string;
  /** What it gives, as the end of “it gives …”. */
  readonly what: string;
  /** Whether it can be exactly this. */
  readonly admits: (value: unknown) => boolean;
  /** Whether a text can have this in it. */
  readonly admitsPart: (part: string) => boolean;
}

const jqTypes = ["null", "boolean", "number", "string", "array", "object"];

const text = (by: string, what: string, fits: (value: string) => boolean): Given => ({
  by,
  what,
  admits: (value) => typeof value !== "string" || fits(value),
  admitsPart: fits,
});

const number = (by: string, what: string, fits: (value: number) => boolean): Given => ({
  by,
  what,
  admits: (value) => typeof value !== "number" || fits(value),
  admitsPart: () => true,
});

/** The builtins that say something of what they give, by name. Other types than theirs are told by types. */
const calls: ReadonlyMap<string, Given> = new Map(
  [
    {
      ...text("type", `only ${jqTypes.map((name) => `"${name}"`).join(", ")}`, (value) =>
        jqTypes.includes(value),
      ),
      admitsPart: (part: string) => jqTypes.some((name) => name.includes(part)),
    },
    text("ascii_downcase", "no capitals", (value) => !/[A-Z]/.test(value)),
    text("ascii_upcase", "no small letters", (value) => !/[a-z]/.test(value)),
    text("trim", "no blanks at the ends", (value) => value === value.trim()),
    number("length", "a number of at least 0", (value) => value >= 0),
    number("floor", "a whole number", Number.isInteger),
    number("round", "a whole number", Number.isInteger),
    number("ceil", "a whole number", Number.isInteger),
  ].map((given) => [given.by, given]),
);

/** What an expression gives, where the last thing that makes it says so. @param input what its input is */
export function givenBy(node: Expression, program: JqProgram, input?: Expression): Given | undefined {
  const inner = bare(node);
  switch (inner.kind) {
    case "Identity":
      return input === undefined ? undefined : givenBy(input, program);
    case "Variable": {
      const source = boundTo(program, inner);
      return source === undefined ? undefined : givenBy(source, program);
    }
    case "Pipeline": {
      const last = inner.stages.at(-1);
      if (
        last === undefined ||
        last.kind === "Definition" ||
        last.kind === "Binding" ||
        last.kind === "Label"
      )
        return undefined;
      return last.kind === "Identity" ? undefined : givenBy(last, program);
    }
    case "Call": {
      const given = inner.arguments.length === 0 ? calls.get(inner.name.text) : undefined;
      // A trimmed text may be a part of one with blanks, and of a number there's no length.
      return given === undefined || defines(program, given.by) ? undefined : partly(given);
    }
    case "Postfix":
      return sliceOf(inner, program);
    case "Alternative": {
      const given = givenBy(inner.operands[0]!, program, input);
      const others = inner.operands.slice(1).map(constantOf);
      if (given === undefined || others.some((other) => other === undefined)) return undefined;
      return { ...given, admits: (value) => given.admits(value) || others.includes(value as string) };
    }
    default:
      return undefined;
  }
}

const partly = (given: Given): Given => (given.by === "trim" ? { ...given, admitsPart: () => true } : given);

/** `.status[0:3]` has at most three characters. */
function sliceOf(
  node: Extract<Expression, { kind: "Postfix" }>,
  { node: { value } }: JqProgram,
): Given | undefined {
  const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
  if (last?.kind !== "Slice") return undefined;
  const [from, to] = [last.from, last.to].map((each) => (each === undefined ? 0 : constantOf(each)));
  if (last.to === undefined || typeof from !== "number" || typeof to !== "number") return undefined;
  const most = from >= 0 === to >= 0 || (from < 0 && to < 0) ? to - from : undefined;
  if (most === undefined || most < 0 || (to === 0 && from < 0)) return undefined;
  return text(
    value.slice(last.start, last.end),
    `at most ${most} characters`,
    (each) => [...each].length <= most,
  );
}

/** Every expression of a program with the expression whose value is its input, as far as that is written before it. */
export const withInputs = derivedFromText((tree): ReadonlyMap<Node, Expression | undefined> => {
  const inputs = new Map<Node, Expression | undefined>();
  const visit = (node: Node, input: Expression | undefined): void => {
    inputs.set(node, input);
    if (node.kind === "Pipeline") {
      let before = input;
      for (const stage of node.stages) {
        visit(stage, before);
        if (stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label")
          before = passes(stage) ? before : stage;
      }
      return;
    }
    if (node.kind === "Call") {
      const inner =
        node.name.text === "select" && node.arguments.length === 1
          ? input
          : /^(?:map|any|all)$/.test(node.name.text) && node.arguments.length === 1
            ? itemOf(input)
            : undefined;
      for (const argument of node.arguments) visit(argument, inner);
      return;
    }
    const keeps = kept.has(node.kind);
    for (const child of children(node)) visit(child, keeps ? input : undefined);
  };
  visit(tree.body, undefined);
  return inputs;
});

/** `select(…)` gives what it takes. */
const passes = (stage: Expression): boolean => stage.kind === "Call" && stage.name.text === "select";

const kept: ReadonlySet<Node["kind"]> = new Set<Node["kind"]>([
  "Group",
  "If",
  "Branch",
  "Comparison",
  "Logical",
  "Alternative",
  "Object",
  "Entry",
  "Array",
  "Arithmetic",
  "ArithmeticOperand",
  "Comma",
]);

/** The items of `map(type)` and `[.[] | type]`. */
export function itemOf(list: Expression | undefined): Expression | undefined {
  const node = list === undefined ? undefined : bare(list);
  if (node?.kind === "Array") return node.body;
  return node?.kind === "Call" && node.name.text === "map" ? node.arguments[0] : undefined;
}
