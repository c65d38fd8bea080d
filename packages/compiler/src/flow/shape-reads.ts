import type { Call, Comparison, Expression, Node, Postfix, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import type { Part } from "../bind/part.ts";
import type { StringPart } from "../parse/document.ts";
import { bare, isExpression, nodesOfKind } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";
import { stepsOf, type ValuePath } from "./value-path.ts";

/*
 * How programs and expansions read a member of something, as it is written: as a list, by a member, as a text. Two places that read one
 * value in two ways can't both be right. Where the value comes from isn't asked here: that takes longer, and few names are read in
 * two ways.
 */

/** What a read takes a value for. */
export type ShapeUse =
  /** `.0`, `[1:]`, `join(", ")`: only a list has that. */
  | "listed"
  /** `.[]`, `map(…)`: the items of a list, or the values of an object. */
  | "iterated"
  /** `length` */
  | "counted"
  | "member"
  /** `join(", ")`: a list, but none of objects. */
  | "joined"
  /** `ascii_downcase`, `test("…")`, `== "open"`, `"Hello \\(…)"` */
  | "text"
  /** `/ 100`, `> 5` */
  | "number"
  /** It is all of a segment of a path, or of a header. */
  | "pasted"
  /** `if .x then`, which asks nothing of a list. */
  | "condition"
  /** The author asks what it is: `type`, `arrays`, `?`. */
  | "asked";

/** A value that is read in a way, and how to get to it. */
export interface ShapeRead {
  /** Of the member that is read so. */
  readonly name: string;
  readonly use: ShapeUse;
  /** What is read of it, by name. */
  readonly member: string | undefined;
  readonly at: StringPart;
  readonly from: ReadValue;
}

/** Of which value something is read: the same one for all that is read of it at one place. */
export type ReadValue = (
  | { readonly program: JqProgram; readonly head: Expression; readonly path: ValuePath }
  /** The expansion, and how many segments lead to the value. */
  | { readonly expansion: Expansion; readonly length: number }
) & {
  /** What it may be a part of, once that was asked for. */
  subjects?: readonly ShapeSubject[];
};

/** What a read value is a part of: the answer to a request, or what a webhook sends. */
export interface ShapeSubject {
  /** The same for requests that differ in their values only. */
  readonly key: string;
  /** As a message names it: `GET /people`. */
  readonly text: string;
  readonly request: Command | undefined;
  readonly path: ValuePath;
  /** The same for equal keys and paths. */
  readonly id: string;
}

/** All that the programs and expansions of a part read. */
export function shapeReadsIn({ programs, expansions }: Part): readonly ShapeRead[] {
  const found: ShapeRead[] = [];
  for (const program of programs) {
    const { node } = program;
    const values = new Map<Target, ReadValue>();
    for (const { target, use, member } of writtenReads(program)) {
      const { name, start, end, head, path } = target;
      let from = values.get(target);
      if (from === undefined) values.set(target, (from = { program, head, path }));
      found.push({ name, use, member, at: { node, from: start, to: end }, from });
    }
  }
  for (const expansion of expansions) addExpansionReads(expansion, found);
  return found;
}

function addExpansionReads(expansion: Expansion, found: ShapeRead[]): void {
  const { node, root, rootExact, syntax, position, command } = expansion;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) return;
  // A condition in a program asks about the whole of it.
  if (command === undefined || syntax.path.length < 3) return;
  const names = syntax.path.map(({ text }) => text);
  const add = (index: number, use: ShapeUse, member?: string): void => {
    const name = names[index]!;
    const { start, end } = syntax.path[index]!;
    found.push({
      name,
      use,
      member,
      at: { node, from: start, to: end },
      from: { expansion, length: index + 1 },
    });
  };
  for (let index = 2; index < names.length; index++) {
    if (/^\d+$/.test(names[index]!)) continue;
    const next = names[index + 1];
    if (next !== undefined && /^\d+$/.test(next)) add(index, "listed");
    else if (next !== undefined) add(index, "member", next);
    else if (position === "path" || position === "header") add(index, "pasted");
  }
}

/** A value with a name, and where it stands in a program. */
interface Target {
  readonly name: string;
  readonly head: Expression;
  readonly path: ValuePath;
  readonly start: number;
  readonly end: number;
}

interface WrittenRead extends Pick<ShapeRead, "use" | "member"> {
  readonly target: Target;
}

/** What a program reads follows from its text, and programs stand in many places. */
function writtenReads(program: JqProgram): readonly WrittenRead[] {
  const known = knownReads(program);
  known.reads ??= readsWritten(program);
  return known.reads;
}

const knownReads = derivedFromText((): { reads?: readonly WrittenRead[] } => ({}));

function readsWritten(program: JqProgram): readonly WrittenRead[] {
  if (program.diagnostics.length > 0) return [];
  const found: WrittenRead[] = [];
  const add = (target: Target | undefined, use: ShapeUse, member?: string): void => {
    if (target !== undefined) found.push({ target, use, member });
  };
  for (const node of nodesOfKind(program, "Postfix")) {
    const { suffixes } = node;
    for (let index = 0; index < suffixes.length; index++)
      addUse(targetOf(node, index, program), suffixes[index]!, add);
  }
  for (const node of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of node.stages.entries()) {
      const next = node.stages[index + 1];
      if (next === undefined || !isExpression(stage) || !isExpression(next)) continue;
      const target = wholeTarget(stage, program);
      if (target === undefined) continue;
      for (const use of usesOfInput(next)) add(target, ...use);
      const item = itemOf(next);
      if (item === undefined || target.path.at(-1) === "[]") continue;
      const items = { ...target, path: [...target.path, "[]"] };
      for (const use of usesOfInput(item)) add(items, ...use);
    }
  for (const [part, use] of scalarParts(program)) add(wholeTarget(part, program), use);
  for (const { name, arguments: given } of nodesOfKind(program, "Call"))
    if (name.text === "select" && given[0] !== undefined)
      add(wholeTarget(bare(given[0]), program), "condition");
  for (const { branches } of nodesOfKind(program, "If"))
    for (const { condition } of branches) {
      const asked = bare(condition);
      const parts = asked.kind === "Logical" ? asked.operands : [asked];
      for (const part of parts) if (part.kind === "Postfix") add(wholeTarget(part, program), "condition");
    }
  return found;
}

/** Parts that are compared, reckoned with or written as texts and numbers are. */
function scalarParts(program: JqProgram): readonly (readonly [Expression, ShapeUse])[] {
  const found: (readonly [Expression, ShapeUse])[] = [];
  const beside = (part: Expression, other: Expression): void => {
    const value = constantOf(other);
    if (typeof value === "string" && value !== "") found.push([part, "text"]);
    if (typeof value === "number") found.push([part, "number"]);
  };
  for (const comparison of nodesOfKind(program, "Comparison")) {
    const { left, right } = comparison;
    const before = found.length;
    beside(left, right);
    beside(right, left);
    // `if .plan == "none" then null else .plan.name end` knows of both.
    for (const [at, [part]] of found.slice(before).entries())
      if (decidesOf(part, comparison, program)) found[before + at] = [part, "asked"];
  }
  for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
    const operands = [first, ...rest.map(({ operand }) => operand)];
    const [constant] = operands.filter((operand) => constantOf(operand) !== undefined);
    if (constant !== undefined && rest.length === 1)
      for (const operand of operands) if (operand !== constant) beside(operand, constant);
  }
  for (const text of nodesOfKind(program, "String"))
    for (const part of text.format === undefined && text.parts.length > 1 ? text.parts : [])
      if (part.kind === "Interpolation") found.push([part.expression, "text"]);
  return found;
}

/** Whether a comparison decides whether a member of what is compared is read. */
function decidesOf(part: Expression, { start, end }: Comparison, program: JqProgram): boolean {
  const text = program.node.value;
  const read = text.slice(part.start, part.end);
  // Most texts are compared without anything being read of them.
  if (!text.includes(`${read}.`)) return false;
  const isIn = (around: Node): boolean => around.start <= start && end <= around.end;
  return (
    nodesOfKind(program, "Binding").some(({ source }) => isIn(source) && bare(source).kind !== "Object") ||
    nodesOfKind(program, "If").some(
      (choice) =>
        choice.branches.some(({ condition }) => isIn(condition)) &&
        (text.slice(end, choice.end).includes(`${read}.`) ||
          [...choice.branches.map(({ body }) => body), choice.otherwise].some(
            (way) => way !== undefined && givesNothing(way),
          )),
    )
  );
}

type Add = (target: Target | undefined, use: ShapeUse, member?: string) => void;

/** What a suffix takes the value before it for. */
function addUse(target: Target | undefined, suffix: Suffix, add: Add): void {
  if (target === undefined) return;
  switch (suffix.kind) {
    case "Iterate":
      add(target, "iterated");
      return;
    case "Slice":
      return;
    case "Optional":
      add(target, "asked");
      return;
    default: {
      const key = suffix.kind === "Index" ? suffix.index : suffix.key;
      if (key.kind === "Name") add(target, "member", key.text);
      else if (key.kind !== "Hole") {
        const value = constantOf(key);
        if (typeof value === "number") add(target, "listed");
        else if (typeof value === "string") add(target, "member", value);
      }
    }
  }
}

/** The member before a suffix, or an item of it: `.order.customer` before `.email`, `.labels[]` before `.name`. */
function targetOf(node: Postfix, index: number, program: JqProgram): Target | undefined {
  return index === 0 ? headTarget(node.head, program) : endingAt(node, index);
}

/** Nobody writes longer ones by hand, and the paths of all members of a long one would be quadratic. */
const LONGEST_PATH = 32;

function endingAt({ head, suffixes }: Postfix, length: number): Target | undefined {
  if (length > LONGEST_PATH) return undefined;
  let last = length - 1;
  while (last >= 0 && (suffixes[last]!.kind === "Iterate" || suffixes[last]!.kind === "Index")) last--;
  const field = suffixes[last];
  if (field?.kind !== "Field" || field.key.kind !== "Name") return undefined;
  const path = stepsOf(suffixes.slice(0, length));
  if (path === undefined) return undefined;
  const items = path.length - path.lastIndexOf(field.key.text) - 1;
  if (items > 1 || path.slice(path.length - items).some((step) => step !== "[]")) return undefined;
  return { name: field.key.text, head, path, start: field.start, end: field.end };
}

/** `${piped_content.1.person}` and `$person` before `.email`. */
function headTarget(head: Expression, program: JqProgram): Target | undefined {
  const { start, end } = head;
  if (head.kind === "Hole") {
    const path = program.holes[head.hole]?.syntax.path ?? [];
    const name = path.length > 2 ? path.at(-1)!.text : undefined;
    return name === undefined || /^\d+$/.test(name) ? undefined : { name, head, path: [], start, end };
  }
  if (head.kind === "Group") return wholeTarget(head, program);
  if (head.kind !== "Variable") return undefined;
  const source = boundTo(program, head);
  const target = source === undefined ? undefined : wholeTarget(source, program);
  return target === undefined ? undefined : { ...target, start, end };
}

/** All of an expression, where that is a member: `.customer`, `(.customer // "")`. */
function wholeTarget(expression: Expression, program: JqProgram): Target | undefined {
  const node = bare(expression);
  if (node.kind === "Alternative") {
    const others = node.operands.slice(1);
    return others.every((other) => constantOf(other) !== undefined)
      ? wholeTarget(node.operands[0]!, program)
      : undefined;
  }
  if (node.kind === "If") {
    // `if .errors != null then error(…) else .data.lists.nodes end`: only one way gives a value.
    const ways = [...node.branches.map(({ body }) => body), node.otherwise].filter(
      (way) => way !== undefined && constantOf(way) === undefined && !givesNothing(way),
    );
    return ways.length === 1 && node.otherwise !== undefined ? wholeTarget(ways[0]!, program) : undefined;
  }
  if (node.kind !== "Postfix") return headTarget(node, program);
  return endingAt(node, node.suffixes.length);
}

const givesNothing = (way: Expression): boolean => {
  const node = bare(way);
  return node.kind === "Call" && (node.name.text === "error" || node.name.text === "empty");
};

/** What a stage takes its input for. */
function usesOfInput(stage: Node): readonly (readonly [ShapeUse, string?])[] {
  switch (stage.kind) {
    case "Call": {
      const use = callUse(stage);
      return use === undefined ? [] : [[use]];
    }
    case "Postfix": {
      const [first] = stage.suffixes;
      const found: (readonly [ShapeUse, string?])[] = [];
      if (stage.head.kind === "Identity" && first !== undefined)
        addUse(anything, first, (_, use, member) => found.push(member === undefined ? [use] : [use, member]));
      return found;
    }
    case "Object":
      return stage.entries.flatMap(({ key, value }) =>
        value === undefined
          ? key.kind === "Name"
            ? [["member", key.text] as const]
            : []
          : usesOfInput(bare(value)),
      );
    case "Group":
      return usesOfInput(stage.body);
    case "If":
      return /* The author asks about it. */ stage.branches.flatMap(({ condition }) =>
        asksForType(condition) ? [["asked"] as const] : [],
      );
    default:
      return [];
  }
}

/** What each item goes through: `.name` of `map(.name)`. */
function itemOf(stage: Expression): Expression | undefined {
  const node = bare(stage);
  const isEach =
    node.kind === "Call" && /^(?:map|any|all|sort_by|group_by|unique_by|min_by|max_by)$/.test(node.name.text);
  const given = isEach && node.arguments.length === 1 ? bare(node.arguments[0]!) : undefined;
  return given?.kind === "Comparison" ? given.left : given;
}

const anything: Target = {
  name: "",
  head: undefined as never,
  path: [],
  start: 0,
  end: 0,
};

const asksForType = (condition: Expression): boolean => {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operands.some(asksForType);
  const asked = node.kind === "Comparison" ? bare(node.left) : node;
  return asked.kind === "Call" && asked.name.text === "type";
};

const uses: Readonly<Record<string, ShapeUse>> = {
  ...of("listed", "first", "last", "sort", "sort_by", "unique", "unique_by", "group_by"),
  ...of("listed", "max_by", "min_by", "max", "min", "reverse", "flatten"),
  ...of("joined", "join"),
  ...of("iterated", "map", "any", "all", "add"),
  ...of("counted", "length"),
  ...of("text", "ascii_downcase", "ascii_upcase", "split", "test", "match", "capture", "sub", "gsub", "IN"),
  ...of("text", "startswith", "endswith", "ltrimstr", "rtrimstr"),
  ...of("text", "fromdate", "fromdateiso8601", "strptime", "fromjson", "explode", "trim"),
  ...of("asked", "type", "arrays", "objects", "iterables", "scalars", "strings", "values", "tojson"),
  ...of("asked", "to_entries", "with_entries", "keys", "map_values", "tostring", "has"),
};

function of(use: ShapeUse, ...names: readonly string[]): Record<string, ShapeUse> {
  return Object.fromEntries(names.map((name) => [name, use]));
}

/** `first(f)` and `any(a; b)` say nothing of their input. */
function callUse({ name: { text }, arguments: given }: Call): ShapeUse | undefined {
  const use = Object.hasOwn(uses, text) ? uses[text] : undefined;
  const others = /^(?:first|last)$/.test(text) ? given.length > 0 : given.length > 1 && use !== "text";
  return others ? undefined : use;
}
