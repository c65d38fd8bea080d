import { type Expression, printType, type Type, types } from "@configc/jq";
import { nearest } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import {
  type Args,
  defineRule,
  type Finding,
  type Fix,
  type FixContext,
  type Rule,
} from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { partOfKind, violates } from "../../../flow/violation.ts";
import type { Witness } from "../../../flow/witnesses.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { capitalized, excerpt } from "../../message-text.ts";

/** Arguments of the findings about contracts; types stand in them as text. */
export interface ViolationArgs extends Args {
  /** Whose contract it is: "`describe_connection`". */
  readonly subject: string;
  /** What is wrong, below the subject: `iterate`, `[].display`; empty for the whole. */
  readonly path: string;
  readonly wanted: string;
  readonly found: string;
  /** Members that are wanted and absent, and members that are there and not read; both where objects are compared. */
  readonly missing: readonly string[];
  readonly unread: readonly string[];
  /** Both types, member by member. */
  readonly difference: readonly string[];
  /** Whether a list of what was found would do. */
  readonly listWanted: boolean;
}

export type ViolationRule = Rule<ViolationArgs>;
type Page = Pick<ViolationRule, "id" | "summary" | "why" | "guards" | "examples">;

/** A rule about what a command has to give or to take. */
export function violationRule(page: Page): ViolationRule {
  return defineRule<ViolationArgs>({
    ...page,
    severity: "error",
    message: ({ subject, path, wanted, found, missing, unread }) => {
      if (missing.length > 0) {
        const names = missing.map((name) => `\`${name}\``).join(" and no ");
        const rename = missing.length === 1 ? nearest(missing[0]!, unread) : undefined;
        const renamed = rename === undefined ? "" : ` Did you mean \`${rename}\`?`;
        return `${placeIn(subject, path)} must be ${wantedText(wanted)}, but \`${found}\` has no ${names}.${renamed}`;
      }
      return `${placeIn(subject, path)} must be ${wantedText(wanted)}, but is \`${found}\`.`;
    },
    help: ({ difference, listWanted }) => {
      if (listWanted) return "Wrap it in a list: `[ … ]`.";
      return difference.length === 0 ? undefined : difference.join("\n");
    },
    fixes: (finding, context) => {
      const renames = renameFix(finding, context);
      return [
        ...renames,
        ...wrapFix(finding, context),
        ...(renames.length > 0 ? [] : addFix(finding, context)),
      ];
    },
  });
}

/** "`display` of an item of `options` of a form field", for the path `[].display`. */
function placeIn(subject: string, path: string): string {
  const steps = path.match(/\[\]|[^.[\]]+/g) ?? [];
  const text = steps.reduce(
    (whole, step) => `${step === "[]" ? "an item" : `\`${step}\``} of ${whole}`,
    subject,
  );
  return capitalized(text);
}

const plainWords: Readonly<Record<string, string>> = {
  "{…}": "an object",
  "unknown[]": "a list",
  null: "null",
};

/** In words where it is about a kind and nothing else: "an object or null". */
function wantedText(wanted: string): string {
  const parts = wanted.split(" | ");
  return parts.every((part) => part in plainWords)
    ? parts.map((part) => plainWords[part]).join(" or ")
    : `\`${wanted}\``;
}

export function reportViolations(
  rule: ViolationRule,
  subject: string,
  offenders: readonly Witness[],
  report: Report,
): void {
  for (const offender of offenders) report(rule, offender.at, argsOf(subject, offender));
}

function argsOf(subject: string, { found, wanted, path }: Witness): ViolationArgs {
  const shown = types.widenLiterals(found);
  const [inner, innerWanted] = itemsOf(shown, wanted);
  const object = partOfKind(innerWanted, "object");
  const members = types.partsOf(inner).filter((part) => part.kind === "object");
  const comparable = object?.kind === "object" && members.length > 0;
  const names = new Set(members.flatMap((part) => (part.kind === "object" ? [...part.members.keys()] : [])));
  const expected = comparable ? [...object.members] : [];
  const list = partOfKind(wanted, "array");
  return {
    subject,
    path: path.join(".").replaceAll(".[]", "[]"),
    wanted: typeText(wanted),
    found: typeText(shown),
    missing: expected.filter(([name, { optional }]) => !optional && !names.has(name)).map(([name]) => name),
    unread: comparable ? [...names].filter((name) => !object.members.has(name)) : [],
    difference: comparable ? difference(object, members) : [],
    listWanted:
      list?.kind === "array" &&
      types.partsOf(wanted).every(({ kind }) => kind === "array" || kind === "null") &&
      found.kind !== "array" &&
      !violates(found, list.items),
  };
}

/** What is compared member by member: of two lists, their items. */
function itemsOf(found: Type, wanted: Type): readonly [Type, Type] {
  const list = partOfKind(wanted, "array");
  return found.kind === "array" && list?.kind === "array"
    ? itemsOf(found.items, list.items)
    : [found, wanted];
}

/** Characters of a type at most; what is deeper in it is left out before anything is cut. */
const WIDTH = 160;

function typeText(type: Type): string {
  const levels = [
    { depth: 3, members: 8 },
    { depth: 2, members: 8 },
    { depth: 1, members: 6 },
    { depth: 1, members: 2 },
  ];
  const texts = levels.map((level) => printType(type, level));
  return texts.find(({ length }) => length <= WIDTH) ?? excerpt(texts.at(-1) ?? "", WIDTH);
}

/** `+` is wanted and missing, `-` is there and not read, `≠` differs. */
function difference(wanted: Type, found: readonly Type[]): string[] {
  if (wanted.kind !== "object") return [];
  const given = new Map<string, Type>();
  for (const part of found) {
    if (part.kind !== "object") continue;
    for (const [name, { type }] of part.members)
      given.set(name, types.union(given.get(name) ?? types.never, type));
  }
  const lines: string[] = [];
  const line = (sign: string, name: string, text: string): void => {
    lines.push(`${sign} ${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}: ${text}`);
  };
  for (const [name, { type, optional }] of wanted.members) {
    const own = given.get(name);
    if (own === undefined) {
      if (!optional) line("+", name, typeText(type));
    } else if (violates(own, type)) line("≠", name, `${typeText(own)}, expected ${typeText(type)}`);
    else line(" ", name, typeText(own));
  }
  for (const [name, type] of given) if (!wanted.members.has(name)) line("-", name, typeText(type));
  return ["+ missing, - not read, ≠ differs:", ...lines.slice(0, 12)];
}

/** The expression that a finding points at. */
function expressionAt({ at }: Finding<ViolationArgs>, model: Model): Expression | undefined {
  if (!("from" in at)) return undefined;
  const { node, from, to } = at as StringPart;
  const program = model.programs.find((candidate) => candidate.node === node);
  const pending: unknown[] = program === undefined ? [] : [program.tree.body];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at !== "object" || at === null) continue;
    const { kind, start, end } = at as Partial<Expression>;
    if (kind === "Object" && start === from && end === to) return at as Expression;
    for (const inner of Object.values(at)) if (typeof inner === "object") pending.push(inner);
  }
  return undefined;
}

/** One member is missing and one is there that nobody reads: it may be the same under another name. */
function renameFix(finding: Finding<ViolationArgs>, { document, model }: FixContext): Fix[] {
  const { missing, unread } = finding.args;
  const [name] = missing;
  const other = unread.length === 1 ? unread[0] : nearest(name ?? "", unread);
  if (name === undefined || other === undefined || missing.length > 1) return [];
  const made = expressionAt(finding, model);
  const entry = made?.kind === "Object" ? made.entries.find(({ key }) => nameOf(key) === other) : undefined;
  if (entry === undefined || entry.key.kind !== "Name") return [];
  const { node } = finding.at as StringPart;
  const text = entry.value === undefined ? `${name}: .${other}` : name;
  const edits = [replaceInString(document, node, entry.key.start, entry.key.end, text)];
  return [{ title: `Rename \`${other}\` to \`${name}\``, safe: false, edits }];
}

/** What keeps to the present page and state: of these members alone a value is known that does no harm. */
const harmless: Readonly<Record<string, string>> = {
  iterate: "false",
  polling_state: "${polling_state}",
};

function addFix(finding: Finding<ViolationArgs>, { document, model }: FixContext): Fix[] {
  const { at, args, rule } = finding;
  const [name, ...others] = args.missing;
  const value = name === undefined ? undefined : harmless[name];
  if (rule.id !== "contract/iteration" || value === undefined || others.length > 0) return [];
  if (expressionAt(finding, model)?.kind !== "Object" || !("from" in at) || args.path !== "") return [];
  const text = `, ${name}: ${value}`;
  const edits = [replaceInString(document, at.node, at.to - 1, at.to - 1, text)];
  return [{ title: `Add \`${name}: ${value}\``, safe: false, edits }];
}

function wrapFix({ at, args }: Finding<ViolationArgs>, { document }: FixContext): Fix[] {
  if (!args.listWanted || !("from" in at)) return [];
  const { node, from, to } = at as StringPart;
  const edits = [
    replaceInString(document, node, from, from, "["),
    replaceInString(document, node, to, to, "]"),
  ];
  return [{ title: "Wrap in `[ … ]`", safe: false, edits }];
}
