import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import { objectItems, type StringNode, type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const crossedCodes = defineRule<{ code: string; label: string; other: string; subject: string }>({
  id: "value/crossed-codes",
  severity: "warning",
  summary: "Two tables give the same names to each other's codes",
  why: "If 1 is “Urgent” in one and “Low” in the other, what is urgent comes back as the least important, and nothing fails.",
  guards: ["D23", "field.options", "option.source_fields"],
  message: ({ code, label, other, subject }) =>
    `\`${code}\` is “${label}” here, and “${other}” where the app has the \`${subject}\` elsewhere.`,
  because: ({ code, label, other }) => [
    `here: \`${code}\` is “${label}”`,
    `elsewhere: \`${code}\` is “${other}”`,
  ],
  help: () => "Use the same order in both.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Priority", "id": "priority", "type": "dropdown", "options": [{"display": "High", "value": "1"}, {"display": "Low", "value": "2"}]}',
      },
      bad: '{"!jq": "{email: .email, priority: «{\\"1\\": \\"Low\\", \\"2\\": \\"High\\"}»[.priority | tostring], chosen: ${custom_data.priority.value}}"}',
      good: '{"!jq": "{email: .email, priority: {\\"1\\": \\"High\\", \\"2\\": \\"Low\\"}[.priority | tostring], chosen: ${custom_data.priority.value}}"}',
    },
  ],
});

/** Names and codes that a list of options, a lookup table or the branches of a condition have for one thing. */
interface Codes {
  /** What they are of: `priority`. */
  readonly subjects: readonly string[];
  readonly pairs: readonly (readonly [code: string, label: string])[];
  readonly at: SyntaxNode | StringPart;
  /** Options are what customers see, and comments what the service says: the table is told. */
  readonly isOffered: boolean;
}

const module: RuleModule = {
  rules: [crossedCodes],
  checks: {
    document(model, report) {
      const bySubject = new Map<string, Codes[]>();
      for (const codes of allCodes(model))
        for (const subject of codes.subjects) {
          const same = bySubject.get(subject) ?? [];
          bySubject.set(subject, same);
          if (same.length < MOST) same.push(codes);
        }
      const told = new Set<Codes>();
      for (const [subject, same] of bySubject)
        for (const [index, one] of same.entries())
          for (const two of same.slice(0, index)) {
            const [wrong, right] = one.isOffered ? [two, one] : [one, two];
            if (wrong.isOffered || told.has(wrong)) continue;
            const found = crossing(wrong, right);
            if (found === undefined || isSaid(wrong, found, model)) continue;
            told.add(wrong);
            report(crossedCodes, wrong.at, { ...found, subject }, [{ message: "elsewhere", at: right.at }]);
          }
    },
  },
};
export default module;

/** Of one subject nobody has more by hand, and each is compared with each. */
const MOST = 12;

const allCodes = derivedByPart((part) => [
  ...offeredIn(part),
  ...part.programs.flatMap(codesIn),
  ...(part.item === undefined ? [] : [...commentsBelow(part.item.node)].flatMap(saidIn)),
]);

/** `priority: 1 urgent, 2 high, 3 low` */
function saidIn(comment: StringNode): readonly Codes[] {
  return comment.value.split(/[.;](?=\s|$)/).flatMap((sentence) => {
    const found = [
      ...sentence.matchAll(/(?<![\w.])(\d{1,3})\s*(?:=|:|is|means|\()?\s*"?([A-Za-z][A-Za-z-]*)/g),
    ];
    const [first] = found;
    if (first === undefined || found.length < 2) return [];
    const pairs = found.map(([, code, label]): [string, string] => [code!, label!]);
    const before = wordsOf(sentence.slice(0, first.index)).slice(-3);
    return codes(before, pairs, comment, true);
  });
}

/** The options of form fields, and the fixed values of mapped ones. */
function offeredIn({ workflows }: Part): readonly Codes[] {
  return workflows.flatMap(({ fields, node }) => {
    const setup = node.get("setup");
    const map = setup?.kind === "object" ? setup.get("map") : undefined;
    const target = map?.kind === "object" ? map.get("describe_target") : undefined;
    const fixed = objectItems(target?.kind === "object" ? target.get("options") : undefined).flatMap(
      (option) => {
        const pairs = objectItems(option.get("source_fields")).flatMap((each): Codes["pairs"] => {
          const [id, title] = [textOf(each, "id"), textOf(each, "title")];
          return id === undefined || title === undefined ? [] : [[id, title]];
        });
        return codes([textOf(option, "id")], pairs, option.get("source_fields") ?? option, true);
      },
    );
    return [...fields.flatMap(ofField), ...fixed];
  });
}

function ofField(field: FieldSymbol): readonly Codes[] {
  const pairs = staticOptions(field).map(({ value, display }) => [value, display] as const);
  return codes([field.id, textOf(field.node, "label")], pairs, field.node.get("options") ?? field.node, true);
}

/** `{"1": "Urgent"}[.priority]`, `if .priority == 1 then "Urgent" … end`, and the other way round. */
function codesIn(program: JqProgram): readonly Codes[] {
  if (program.diagnostics.length > 0 || !/[[{]|\bif\b/.test(program.node.value)) return [];
  const given = new Map<Expression, string | undefined>();
  for (const { key, value } of nodesOfKind(program, "Entry"))
    if (value !== undefined) given.set(bare(value), nameOf(key));
  const found: Codes[] = [];
  const add = (subjects: readonly (string | undefined)[], pairs: Codes["pairs"], at: Expression): void => {
    found.push(...codes(subjects, pairs, partAt(program, at), false));
  };
  for (const node of nodesOfKind(program, "Postfix")) {
    const [suffix] = node.suffixes;
    const table = bare(node.head);
    if (suffix?.kind === "Index" && table.kind === "Array")
      add(
        [given.get(node), asked(indexed(suffix.index).of, program)],
        listed(table.body, indexed(suffix.index).first),
        table,
      );
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
  for (const node of nodesOfKind(program, "If")) {
    if (node.branches.length < 2) continue;
    const names = new Set<string | undefined>();
    const pairs = node.branches.flatMap(({ condition, body }): Codes["pairs"] => {
      const test = bare(condition);
      if (test.kind !== "Comparison" || test.operator !== "==") return [];
      const [code, label] = [constantOf(test.right), constantOf(body)];
      names.add(asked(test.left, program));
      return code === undefined || typeof label !== "string" ? [] : [[`${code}`, label]];
    });
    if (names.size === 1 && pairs.length === node.branches.length)
      add([given.get(node), ...names], pairs, node);
  }
  return found;
}

/** Of `["Low", "High"][.priority - 1]`, what is looked up, and which code comes first. */
function indexed(index: Expression): { readonly of: Expression; readonly first: number } {
  const node = bare(index);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  const less = step === undefined ? undefined : constantOf(step.operand);
  return node.kind === "Arithmetic" &&
    step?.operator === "-" &&
    others.length === 0 &&
    typeof less === "number"
    ? { of: node.first, first: less }
    : { of: node, first: 0 };
}

/** The texts of a list with the codes by which they are taken; none where one isn't constant. */
function listed(body: Expression | undefined, first: number): Codes["pairs"] {
  const node = body === undefined ? undefined : bare(body);
  if (node?.kind !== "Comma") return [];
  const texts = node.items.map((item) => constantOf(bare(item)));
  return texts.every((text): text is string => typeof text === "string")
    ? texts.map((text, index) => [`${index + first}`, text] as const)
    : [];
}

/** The member that is looked up, made a text or not. */
function asked(node: Expression, program: JqProgram): string | undefined {
  const inner = bare(node);
  const [first] = inner.kind === "Pipeline" ? inner.stages : [inner];
  return first === undefined ? undefined : nameRead(first as Expression, program);
}

function codes(
  names: readonly (string | undefined)[],
  pairs: Codes["pairs"],
  at: Codes["at"],
  isOffered: boolean,
): readonly Codes[] {
  const subjects = new Set(names.map((name) => singular(wordsOf(name ?? "").at(-1) ?? "")));
  subjects.delete("");
  return pairs.length < 2 || subjects.size === 0 ? [] : [{ subjects: [...subjects], pairs, at, isOffered }];
}

/** A code that two tables give to two names, where each other name that both have goes with a code of both, too. */
function crossing(
  one: Codes,
  other: Codes,
): Pick<Parameters<typeof crossedCodes.message>[0], "code" | "label" | "other"> | undefined {
  const turned = one.pairs.map(([code, label]) => [label, code] as const);
  for (const pairs of [one.pairs, turned]) {
    const labels = new Map(other.pairs.map(([code, label]) => [keyOf(label), code]));
    const names = new Map(other.pairs);
    const both = pairs.filter(([code, label]) => labels.has(keyOf(label)) && names.has(code));
    const crossed = both.filter(([code, label]) => labels.get(keyOf(label)) !== code);
    const [first] = crossed;
    const shifted = shiftOf(pairs, labels, names);
    if (shifted !== undefined) return shifted;
    if (
      first === undefined ||
      crossed.length < 2 ||
      both.length < pairs.length ||
      labels.size < other.pairs.length
    )
      continue;
    return { code: first[0], label: first[1], other: names.get(first[0])! };
  }
  return undefined;
}

/** All the same names, each with the next code: a list that is read from 0 where the service counts from 1. */
function shiftOf(
  pairs: Codes["pairs"],
  labels: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): ReturnType<typeof crossing> {
  if (pairs.length < 3 || labels.size !== pairs.length) return undefined;
  const shifts = new Set(
    pairs.map(([code, label]) => Number(labels.get(keyOf(label)) ?? Number.NaN) - Number(code)),
  );
  const [shift] = shifts;
  const told = pairs.find(([code]) => names.has(code));
  return shifts.size === 1 && (shift === 1 || shift === -1) && told !== undefined
    ? { code: told[0], label: told[1], other: names.get(told[0])! }
    : undefined;
}

/** What an option is called before what it explains: “Urgent (answered within 15 minutes)”. */
const keyOf = (label: string): string =>
  label
    .split(/\s*(?:[(,:;]|\s[-–—]\s)/)[0]!
    .trim()
    .toLowerCase();

/** Whether a comment says what a code is here: it may be another one elsewhere. */
const isSaid = ({ at }: Codes, { code, label }: { code: string; label: string }, model: Model): boolean =>
  hasComments(model) &&
  commentsAround("node" in at ? at.node : at, []).some(({ value }) =>
    value
      .toLowerCase()
      .split(/[.,;()]|\b(?:and|or)\b/)
      .some((piece) => wordsOf(piece).includes(code.toLowerCase()) && piece.includes(keyOf(label))),
  );
