import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Part } from "../../../bind/part.ts";
import { fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { codesIn } from "../../../flow/documented-codes.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import {
  type JsonNode,
  objectItems,
  type StringNode,
  type SyntaxNode,
  textOf,
} from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";

/** Names and codes that a list of options, a lookup table or the branches of a condition have for one thing. */
export interface Codes {
  /** What they are of: `priority`. */
  readonly subjects: readonly string[];
  readonly pairs: readonly (readonly [code: string, label: string])[];
  /** The member that gets what is looked up, where a program says it. */
  readonly given?: string | undefined;
  readonly at: SyntaxNode | StringPart;
  /** What the service says goes before what customers see, and that before what a program makes of it. */
  readonly by: By;
}

/** Who says it, the less certain first. */
const bys = ["program", "option", "comment"] as const;
type By = (typeof bys)[number];
export const rankOf = ({ by }: Codes): number => bys.indexOf(by);

/** All that a document has of them. */
export const allCodes = derivedByPart((part, model) => {
  const found: Codes[] = [...offeredIn(part)];
  for (const program of part.programs) for (const codes of tablesIn(program)) found.push(codes);
  if (part.item !== undefined && hasComments(model))
    for (const comment of commentsBelow(part.item.node)) found.push(...saidIn(comment));
  return found;
});

/** Those of one thing, by its name. */
export const codesBySubject = derived((model): ReadonlyMap<string, readonly Codes[]> => {
  const bySubject = new Map<string, Codes[]>();
  for (const codes of allCodes(model))
    for (const subject of codes.subjects) {
      const same = bySubject.get(subject) ?? [];
      bySubject.set(subject, same);
      if (same.length < MOST) same.push(codes);
    }
  return bySubject;
});

/** Of one subject nobody has more by hand, and each is compared with each. */
const MOST = 12;

/** `priority: 1 urgent, 2 high, 3 low` */
function saidIn(comment: StringNode): readonly Codes[] {
  const spelled = spelledIn(comment);
  if (spelled.length > 0) return spelled;
  const lists = codesIn(comment);
  if (lists.length > 0)
    return lists.flatMap(({ subject, pairs }) => codes([subject.join("_")], pairs, comment, "comment"));
  return comment.value.split(/[.;](?=\s|$)/).flatMap((sentence) => {
    const found = [
      ...sentence.matchAll(/(?<![\w.])(\d{1,3})\s*(?:=|:|is|means|\()?\s*"?([A-Za-z][A-Za-z-]*)/g),
    ];
    const [first] = found;
    if (first === undefined || found.length < 2) return [];
    const pairs = found.map(([, code, label]): [string, string] => [code!, label!]);
    const before = wordsOf(sentence.slice(0, first.index)).slice(-3);
    return codes(before, pairs, comment, "comment");
  });
}

/** `state: P(acked), V(an), D(elivered)` */
const spelled =
  /\b([A-Za-z_]\w*)["`]?(?::| is| are) ((?:[A-Z]{1,3}\([a-z ]{1,30}\)(?:,? or |,? and |, ?)?){2,20})/g;
const spelledOne = /([A-Z]{1,3})\(([a-z ]{1,30})\)/g;

const spelledIn = (comment: StringNode): readonly Codes[] =>
  [...comment.value.matchAll(spelled)].flatMap(([, name, list = ""]) => {
    const pairs = [...list.matchAll(spelledOne)].map(([, code, rest]): [string, string] => [
      code!,
      `${code}${rest}`,
    ]);
    return codes([name], pairs, comment, "comment");
  });

/** The options of form fields, and the fixed values of mapped ones. */
function offeredIn({ workflows }: Part): readonly Codes[] {
  const found: Codes[] = [];
  for (const { fields, node } of workflows) {
    for (const field of fields) found.push(...ofField(field));
    const setup = node.get("setup");
    const map = setup?.kind === "object" ? setup.get("map") : undefined;
    const target = map?.kind === "object" ? map.get("describe_target") : undefined;
    for (const option of objectItems(target?.kind === "object" ? target.get("options") : undefined)) {
      const fixed = option.get("source_fields");
      if (fixed !== undefined) found.push(...codes([textOf(option, "id")], pairsOf(fixed), fixed, "option"));
    }
  }
  return found;
}

const pairsOf = (fixed: JsonNode): Codes["pairs"] =>
  objectItems(fixed).flatMap((each): Codes["pairs"] => {
    const [id, title] = [each.get("id"), textOf(each, "title")];
    const isCode = id?.kind === "string" || id?.kind === "number";
    return isCode && title !== undefined ? [[`${id.value}`, title]] : [];
  });

function ofField(field: FieldSymbol): readonly Codes[] {
  const pairs = staticOptions(field).map(({ value, display }) => [value, display] as const);
  if (pairs.length < 2) return [];
  return codes(
    [field.id, textOf(field.node, "label")],
    pairs,
    field.node.get("options") ?? field.node,
    "option",
  );
}

/** `{"1": "Urgent"}[.priority]`, `if .priority == 1 then "Urgent" … end`, and the other way round. */
function tablesIn(program: JqProgram): readonly Codes[] {
  const choices = nodesOfKind(program, "If").filter(({ branches }) => branches.length > 1);
  // Most programs look up nothing.
  if (choices.length === 0 && nodesOfKind(program, "Index").length === 0) return [];
  const given = new Map<Expression, string | undefined>();
  for (const { key, value } of nodesOfKind(program, "Entry"))
    if (value !== undefined) given.set(withoutDefault(value), nameOf(key));
  const found: Codes[] = [];
  const add = (subjects: readonly (string | undefined)[], pairs: Codes["pairs"], at: Expression): void => {
    const [name] = subjects;
    for (const each of codes(subjects, pairs, partAt(program, at), "program"))
      found.push({ ...each, given: name });
  };
  for (const node of nodesOfKind(program, "Postfix")) {
    const [suffix] = node.suffixes;
    const table = bare(
      (node.head.kind === "Variable" ? boundTo(program, node.head) : undefined) ?? node.head,
    );
    if (suffix?.kind === "Index" && table.kind === "Array") {
      const { of, first } = indexed(suffix.index);
      const pairs = namesByIndex(table, first);
      if (pairs.length > 1) add([given.get(node), asked(of, program)], pairs, table);
    }
    if (suffix?.kind !== "Index" || table.kind !== "Object" || table.entries.length < 2) continue;
    const pairs = table.entries.flatMap(({ key, value }): Codes["pairs"] => {
      const [name, text] = [nameOf(key), value === undefined ? undefined : constantOf(value)];
      return name === undefined || (typeof text !== "string" && typeof text !== "number")
        ? []
        : [[name, `${text}`]];
    });
    if (pairs.length === table.entries.length)
      add([given.get(node), asked(suffix.index, program)], pairs, table);
  }
  for (const node of choices) {
    const names = new Set<string | undefined>();
    const pairs = node.branches.flatMap(({ condition, body }): Codes["pairs"] => {
      const test = bare(condition);
      if (test.kind !== "Comparison" || test.operator !== "==") return [];
      const [code, label] = [constantOf(test.right), constantOf(body)];
      names.add(asked(test.left, program));
      const isCode = typeof label === "string" || typeof label === "number";
      return code === undefined || !isCode ? [] : [[`${code}`, `${label}`]];
    });
    if (names.size === 1 && pairs.length === node.branches.length)
      add([given.get(node), ...names], [...pairs, ...restOf(node, pairs, program)], node);
  }
  return found;
}

/** What the last branch gives for the one option that no condition asks for. */
function restOf(
  { branches: [first], otherwise }: Expression & { kind: "If" },
  pairs: Codes["pairs"],
  program: JqProgram,
): Codes["pairs"] {
  const test = first === undefined ? undefined : bare(first.condition);
  const label = otherwise === undefined ? undefined : constantOf(otherwise);
  if (test?.kind !== "Comparison" || typeof label !== "number") return [];
  // Of an intake's program the options stand in another part.
  const field = program.command.unit?.kind === "workflow" ? fieldChosen(test.left, program) : undefined;
  const left =
    field === undefined
      ? []
      : staticOptions(field).filter(({ value }) => !pairs.some(([code]) => code === value));
  return left.length === 1 ? [[left[0]!.value, `${label}`]] : [];
}

/** The list over whose items the `map` goes in which a `.` stands. */
function listMapped(item: Expression, program: JqProgram): Expression | undefined {
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (stage.kind !== "Call" || stage.name.text !== "map" || before === undefined || !isExpression(before))
        continue;
      // Behind a pipe, a `.` is something else.
      const [body] = stage.arguments;
      const inner = body === undefined ? undefined : withoutDefault(body);
      if (inner?.kind === "Postfix" && inner.start <= item.start && item.end <= inner.end) return before;
    }
  return undefined;
}

/** What is taken where it is there: `{…}[.state]` of `{…}[.state] // .state`. */
function withoutDefault(value: Expression): Expression {
  const inner = bare(value);
  return inner.kind === "Alternative" ? withoutDefault(inner.operands[0]!) : inner;
}

/** Of `["Low", "High"][.priority - 1]`, what is looked up, and the code of the first name. */
function indexed(index: Expression): { readonly of: Expression; readonly first: number } {
  const node = withoutDefault(index);
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return { of: index, first: 0 };
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[number]];
  const step = constantOf(operand);
  return typeof step === "number" && (operator === "-" || operator === "+")
    ? { of: node.first, first: operator === "-" ? step : -step }
    : { of: index, first: 0 };
}

/** `["Attendee", "Panelist", "Host"]`: the names of 0, 1 and 2; none where some item is anything else. */
function namesByIndex({ body }: Expression & { kind: "Array" }, first: number): Codes["pairs"] {
  const items = body?.kind === "Comma" ? body.items.map(constantOf) : [];
  if (!items.every((item) => typeof item === "string" || item === null)) return [];
  return items.flatMap((item, index): Codes["pairs"] =>
    item === null ? [] : [[`${index + first}`, `${item}`]],
  );
}

/**
 * The member that is looked up, made a text or not, with another value where it is missing or without one; of each of a list, the list:
 * `${custom_data.kinds.value} | map({…}[.])`.
 */
function asked(node: Expression, program: JqProgram): string | undefined {
  const inner = withoutDefault(node);
  if (inner.kind === "Identity") {
    const behind = listMapped(inner, program);
    return behind === undefined ? undefined : nameRead(behind, program);
  }
  const [first] = inner.kind === "Pipeline" ? inner.stages : [inner];
  return first === undefined ? undefined : nameRead(first as Expression, program);
}

function codes(
  names: readonly (string | undefined)[],
  pairs: Codes["pairs"],
  at: Codes["at"],
  by: By,
): readonly Codes[] {
  if (pairs.length < 2) return [];
  const subjects = new Set(names.map((name) => singular(wordsOf(name ?? "").at(-1) ?? "")));
  subjects.delete("");
  return subjects.size === 0 ? [] : [{ subjects: [...subjects], pairs, at, by }];
}

/** What an option is called before what it explains: “Urgent (answered within 15 minutes)”. */
export const keyOf = (label: string): string =>
  label
    .split(/\s*(?:[(,:;]|\s[-–—]\s)/)[0]!
    .trim()
    .toLowerCase();
