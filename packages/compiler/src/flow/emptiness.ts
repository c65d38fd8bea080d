import type { Call, Expression, Pipeline, Stage, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { bare, countedBy, isExpression, isLength, nodesOfKind } from "./nodes.ts";

/** A value that a program reads: names below its input, a variable or the root of an expansion, `["piped_content", "1", "tags"]`. */
export type ReadPath = readonly string[];

/** What a condition says of a value where it holds: that there is none, or that there is one. */
export interface Emptiness {
  readonly path: ReadPath;
  readonly isEmpty: boolean;
  /** Known by its truth alone: it may be `false`, which is a value like others. */
  readonly mayBeFalse: boolean;
  /** It is compared with null, so its type tells what fails. */
  readonly isNull?: boolean;
}

/** The value that an expression is, without any doubt about where in it. */
export function readPath(node: Expression, { holes }: Pick<JqProgram, "holes">): ReadPath | undefined {
  const inner = bare(node);
  switch (inner.kind) {
    case "Identity":
      return ["."];
    case "Variable":
      return [`$${inner.name}`];
    case "Hole":
      return holes[inner.hole]?.syntax.path.map(({ text }) => text);
    case "Postfix": {
      const head = readPath(inner.head, { holes });
      const names = inner.suffixes.map(nameOfSuffix);
      const known = names.indexOf(undefined);
      const read = known < 0 ? names : names.slice(0, known);
      return head === undefined ? undefined : [...head, ...read.filter((name) => name !== undefined)];
    }
    default:
      return undefined;
  }
}

function nameOfSuffix(suffix: Suffix): string | undefined {
  if (suffix.kind === "Optional") return "";
  if (suffix.kind === "Field") return suffix.key.kind === "Name" ? suffix.key.text : undefined;
  const index = suffix.kind === "Index" ? constantOf(suffix.index) : undefined;
  return typeof index === "number" || typeof index === "string" ? `${index}` : undefined;
}

/** What is certain of the emptiness of values where a condition is true, or false. */
export function emptinessBy(
  condition: Expression,
  isTrue: boolean,
  program: JqProgram,
): readonly Emptiness[] {
  const node = bare(condition);
  const of = (value: Expression | undefined, isEmpty: boolean, mayBeFalse = false): readonly Emptiness[] => {
    const path = value === undefined ? undefined : readPath(value, program)?.filter((name) => name !== "");
    return path === undefined ? [] : [{ path, isEmpty, mayBeFalse }];
  };
  switch (node.kind) {
    case "Logical": {
      const sides = node.operands.map((side) => emptinessBy(side, isTrue, program));
      // Of `a or b` that holds, neither is certain, but what both say: `. == null or . == ""`.
      return (node.operator === "and") === isTrue ? sides.flat() : saidByAll(sides);
    }
    case "Pipeline":
      return emptinessByPipeline(node, isTrue, program);
    case "Comparison": {
      const { left, right, operator } = node;
      const limit = constantOf(right);
      const length = countedBy(left);
      // `.rows | length > 0`: of what stands before it.
      const isOfInput = length === undefined && left.kind === "Call" && isLength(left);
      if ((length !== undefined || isOfInput) && typeof limit === "number") {
        const asksForNone = limit === 0 ? /^(?:==|<=)$/ : limit === 1 ? /^<$/ : undefined;
        const asksForSome = limit === 0 ? /^(?:!=|>)$/ : limit === 1 ? /^>=$/ : undefined;
        const isEmpty = asksForNone?.test(operator)
          ? isTrue
          : asksForSome?.test(operator)
            ? !isTrue
            : undefined;
        if (isEmpty === undefined) return [];
        if (length === undefined) return [{ path: ["."], isEmpty, mayBeFalse: false }];
        return of(filledWith(length)?.value ?? length, isEmpty);
      }
      if (!isNothing(right) || (operator !== "==" && operator !== "!=")) return [];
      const isEmpty = (operator === "==") === isTrue;
      const filled = filledWith(left);
      if (filled === undefined)
        return of(left, isEmpty).map((fact) => (limit === null ? { ...fact, isNull: true } : fact));
      // Of `.a // "none"` that is other than the empty text, nothing is certain.
      return isEmpty || sameNothing(filled.by, right) ? of(filled.value, isEmpty) : [];
    }
    case "Alternative": {
      const filled = filledWith(node);
      const by = filled === undefined ? undefined : constantOf(filled.by);
      return by === null || by === false ? of(filled!.value, !isTrue, true) : [];
    }
    case "Identity":
    case "Postfix":
    case "Hole":
    case "Variable":
      return of(node, !isTrue, true);
    default:
      return [];
  }
}

/** `… | not`, and what is asked of a value: `.email | . == null or . == ""`, also by a definition of the program. */
function emptinessByPipeline(node: Pipeline, isTrue: boolean, program: JqProgram): readonly Emptiness[] {
  const [first, last] = [node.stages[0], node.stages.at(-1)];
  if (first === undefined || last === undefined || !isExpression(first) || !isExpression(last)) return [];
  if (isTrue && last.kind === "Call" && node.stages.slice(1, -1).every(keepsText) && asksForForm(last))
    return emptinessOfText(first, program);
  if (node.stages.length > 2 && last.kind === "Call" && last.name.text === "not") {
    // `.email // "" | test("@") | not`
    const { stages } = node;
    const asked = { ...node, stages: stages.slice(0, -1), end: stages.at(-2)!.end };
    return isTrue ? [] : emptinessByPipeline(asked, true, program);
  }
  if (node.stages.length !== 2) return [];
  if (last.kind === "Call" && last.arguments.length === 0) {
    if (last.name.text === "not") return emptinessBy(first, !isTrue, program);
    const own = nodesOfKind(program, "Definition").filter(({ name }) => name.text === last.name.text);
    const [definition] = own;
    return definition === undefined || own.length > 1 || definition.parameters.length > 0
      ? []
      : emptinessOfInput(first, definition.body, isTrue, program);
  }
  return last.kind === "Logical" || last.kind === "Comparison" || last.kind === "Group"
    ? emptinessOfInput(first, last, isTrue, program)
    : [];
}

/** `.email // "" | test("@")`: where that holds, there is a text. */
function emptinessOfText(value: Expression, program: JqProgram): readonly Emptiness[] {
  const path = readPath(filledWith(value)?.value ?? value, program)?.filter((name) => name !== "");
  return path === undefined ? [] : [{ path, isEmpty: false, mayBeFalse: false }];
}

const keepsText = (stage: Stage): boolean =>
  stage.kind === "Call" && /^(?:tostring|ascii_downcase|ascii_upcase|trim)$/.test(stage.name.text);

/** Texts of a form that programs ask for. */
const formed = [
  ["ann.lee@example.com", "b@mail.example.org"],
  ["2024-01-31", "2031-11-05"],
] as const;

/** Whether a call asks whether a text is an address, or a day: `test("@")`. What asks for more, such as an address of one domain, doesn't fit each of them. */
function asksForForm({ name: { text: name }, arguments: given }: Call): boolean {
  const wanted = given[0] === undefined ? undefined : constantOf(given[0]);
  if (typeof wanted !== "string" || wanted === "" || wanted.length > 200) return false;
  if (name === "contains") return isFitted((text) => text.includes(wanted));
  // Repeated groups, and many repetitions, may take for ever.
  if (name !== "test" || /\)[*+{]/.test(wanted) || (wanted.match(/[*+{?]/g)?.length ?? 0) > 6) return false;
  try {
    const pattern = new RegExp(wanted, "i");
    return isFitted((text) => pattern.test(text));
  } catch {
    // jq's expressions have more than ours.
    return false;
  }
}

const isFitted = (fits: (text: string) => boolean): boolean =>
  formed.some((texts) => texts.every(fits)) && !fits("") && !fits("?");

/** What a condition that takes a value as its input says of it. */
function emptinessOfInput(
  value: Expression,
  condition: Expression,
  isTrue: boolean,
  program: JqProgram,
): readonly Emptiness[] {
  const filled = filledWith(value);
  const path = readPath(filled?.value ?? value, program)?.filter((name) => name !== "");
  if (path === undefined) return [];
  return emptinessBy(condition, isTrue, program).map((fact) =>
    fact.path[0] === "." ? { ...fact, path: [...path, ...fact.path.slice(1)] } : fact,
  );
}

function saidByAll([first = [], ...others]: readonly (readonly Emptiness[])[]): readonly Emptiness[] {
  return first.flatMap((fact) => {
    const same = others.map((side) =>
      side.find(({ path, isEmpty }) => isEmpty === fact.isEmpty && path.join("\n") === fact.path.join("\n")),
    );
    if (!same.every((each) => each !== undefined)) return [];
    return [{ ...fact, mayBeFalse: fact.mayBeFalse || same.some(({ mayBeFalse }) => mayBeFalse) }];
  });
}

/** Whether a condition asks for nothing but whether values are there. */
export function asksOnlyForEmptiness(condition: Expression, program: JqProgram): boolean {
  const node = bare(condition);
  if (node.kind === "Logical")
    return node.operands.every((side) => !deniesForm(side) && asksOnlyForEmptiness(side, program));
  if (node.kind === "Pipeline" && node.stages.length === 2) {
    const [first, last] = node.stages;
    if (last?.kind === "Call" && last.name.text === "not" && first !== undefined && isExpression(first))
      return asksOnlyForEmptiness(first, program);
  }
  // Of what is looked for, nothing is known by its name: `($wanted | index($state)) == null`.
  if (node.kind === "Comparison" && /^[!=]=$/.test(node.operator)) return isNothing(node.right);
  return emptinessBy(node, true, program).length > 0 || emptinessBy(node, false, program).length > 0;
}

/** `… | test("@") | not`, beside another condition: it asks whether what is there is right. */
function deniesForm(given: Expression): boolean {
  const node = bare(given);
  const [asked, last] = node.kind === "Pipeline" ? node.stages.slice(-2) : [];
  const call = asked?.kind === "Group" && asked.body.kind === "Pipeline" ? asked.body.stages.at(-1) : asked;
  return last?.kind === "Call" && last.name.text === "not" && call?.kind === "Call" && asksForForm(call);
}

/** Whether a condition is false only where each side of an `or` is: `(.email == null or .left) | not`, or its other branch. */
export function deniesEither(condition: Expression, isTrue: boolean): boolean {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operator === "or" && !isTrue;
  const [first, last] = node.kind === "Pipeline" && node.stages.length === 2 ? node.stages : [];
  if (last?.kind !== "Call" || last.name.text !== "not") return false;
  return first !== undefined && isExpression(first) && deniesEither(first, !isTrue);
}

/** `.email` and `""` of `.email // ""`. */
function filledWith(node: Expression): { readonly value: Expression; readonly by: Expression } | undefined {
  const inner = bare(node);
  if (inner.kind !== "Alternative" || inner.operands.length !== 2) return undefined;
  const [value, by] = inner.operands;
  return value === undefined || by === undefined || !(isNothing(by) || constantOf(by) !== undefined)
    ? undefined
    : { value, by };
}

function sameNothing(one: Expression, other: Expression): boolean {
  const [a, b] = [bare(one), bare(other)];
  if (a.kind === "Array" || b.kind === "Array") return a.kind === b.kind && isNothing(a) && isNothing(b);
  return constantOf(a) === constantOf(b);
}

function isNothing(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind === "Array") return inner.body === undefined;
  const value = constantOf(inner);
  return value === null || value === "";
}
