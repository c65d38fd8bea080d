import type { Expression, ObjectConstruction } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { type ReadMember, readMember } from "../../../flow/member-read.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { objectsSent } from "../../../flow/objects-sent.ts";
import { areOpposite, type Pole, poleOf } from "../../../flow/poles.ts";
import { type BoundName, boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { type Entry, entriesIn, entriesOf, exchangeIn } from "./exchanged-values.ts";

const crossedMembers = defineRule<{ first: string; second: string; given?: string; taken?: string }>({
  id: "jq/crossed-members",
  severity: "warning",
  summary: "Two members look swapped",
  why: "Each of the two members is read from a member with the other's name. Nothing fails, but every record gets a name where the address belongs, or a window that begins where it ends.",
  guards: ["D23", "D17"],
  message: ({ first, second }) =>
    `\`${first}\` gets what belongs to \`${second}\`, and \`${second}\` what belongs to \`${first}\`.`,
  because: ({ first, second, given, taken }) =>
    given === undefined || taken === undefined
      ? [
          `\`${first}\` is read from a member that is called as \`${second}\` is`,
          `\`${second}\` is read from a member that is called as \`${first}\` is`,
        ]
      : [
          `\`${first}\` gets \`${given}\`, which goes with \`${second}\``,
          `\`${second}\` gets \`${taken}\`, which goes with \`${first}\``,
        ],
  help: () => "Swap them.",
  examples: [
    {
      title: "In a program",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "«{email: .email, first_name: .last_name, last_name: .first_name}»"}',
      good: '{"!jq": "{email: .email, first_name: .first_name, last_name: .last_name}"}',
    },
    {
      title: "By what the values are",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "«{email: .email, joined_on: ([.orders[].id] | length), order_count: .joined_at[0:10]}»"}',
      good: '{"!jq": "{email: .email, joined_on: .joined_at[0:10], order_count: ([.orders[].id] | length)}"}',
    },
    {
      title: "A constant",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/params",
      bad: '«{"sort": "100", "limit": "name"}»',
      good: '{"sort": "name", "limit": "100"}',
    },
    {
      title: "In a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name", "required": true}]',
      },
      bad: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": «{"email": "${piped_content.0.name}", "name": "${piped_content.0.email}"}»}}',
      good: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [crossedMembers],
  checks: {
    program(program, report) {
      if (commentsAround(program.node, []).some(({ value }) => onPurpose.test(value))) return;
      for (const node of nodesOfKind(program, "Object")) {
        if (node.entries.length < 2) continue;
        const crossed =
          crossedIn(othersIn(node, program)) ??
          exchanged(entriesIn(node, program), () => isInState(node, program));
        if (crossed !== undefined)
          report(crossedMembers, { node: program.node, from: node.start, to: node.end }, crossed);
      }
    },
    command: {
      "!http"({ argument }, report) {
        if (argument?.kind !== "object") return;
        const path = argument.get("path");
        const crossedPath = path?.kind === "string" ? crossedIn(segmentsOf(path.value)) : undefined;
        if (path !== undefined && crossedPath !== undefined) report(crossedMembers, path, crossedPath);
        for (const values of objectsSent(argument)) {
          if (values.members.length < 2) continue;
          const crossed = crossedIn(membersOf(values)) ?? exchanged(entriesOf(values));
          if (crossed !== undefined) report(crossedMembers, values, crossed);
        }
      },
    },
  },
};
export default module;

/** What a comment says where a service has two members the other way round. */
const onPurpose =
  /\b(?:the )?(?:other|wrong) way (?:a)?round\b|\b(?:swapped|reversed|interchanged|exchanged|transposed|mirrored)\b|\bfrom (?:its|their|our|the other|the service's) (?:own )?(?:side|(?:point of )?view)\b|\b(?:turned|rotated) by\b|\bfamily name (?:comes|stands|is) first\b|\btheir \w+ (?:is|are) our\b|\bour \w+ (?:is|are) their\b/i;

/** What is told of two members whose values go with each other's names. */
function exchanged(
  entries: readonly Entry[],
  isState?: () => boolean,
): Parameters<typeof crossedMembers.message>[0] | undefined {
  const exchange = exchangeIn(entries, isState);
  if (exchange === undefined) return undefined;
  const { first, second } = exchange;
  return { first: first.member, second: second.member, given: short(first.text), taken: short(second.text) };
}

/** Whether an object stands in what is kept between polls. */
const isInState = (node: ObjectConstruction, program: JqProgram): boolean =>
  nodesOfKind(program, "Object").some((outer) => {
    const state = entryOf(outer, "polling_state")?.value;
    return state !== undefined && state.start <= node.start && node.end <= state.end;
  });

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** The name of a member, and what it is given. */
export type Named = readonly [string, ReadMember];

/** Members of an object that are read from one member each. */
export function namedIn(
  { entries }: Pick<ObjectConstruction, "entries">,
  program: JqProgram,
): readonly Named[] {
  const named: Named[] = [];
  for (const { key, value } of entries) {
    const name = nameOf(key);
    const from = name === undefined || value === undefined ? undefined : readMember(value, program);
    if (name !== undefined && from !== undefined) named.push([name, from]);
  }
  return named;
}

/** The same of a request's. */
export function membersOf({ members }: ObjectNode): readonly Named[] {
  const named: Named[] = [];
  for (const { name, value } of members) {
    const from = value?.kind === "string" ? memberIn(value.value) : undefined;
    if (from !== undefined) named.push([name, from]);
  }
  return named;
}

/** The same without those that are certainly no part of a crossing. */
function othersIn({ entries }: ObjectConstruction, program: JqProgram): readonly Named[] {
  const hasEnds = (): boolean => /since|until/.test(program.node.value);
  const others = entries.filter(({ key, value }) => {
    const name = value === undefined ? undefined : nameOf(key);
    return name !== undefined && (!isDirection(name) || hasEnds()) && !readsOwnName(name, value!);
  });
  // It takes two.
  return others.length < 2 ? [] : namedIn({ entries: others }, program);
}

/** `.city` for `city` */
function readsOwnName(name: string, value: Expression): boolean {
  const last = value.kind === "Postfix" ? value.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" && last.key.text === name;
}

/** Names that are exchanged on purpose: an answer goes to whom the message came from, and a reversal credits what was debited. */
const directions: ReadonlySet<string> = new Set(
  "from to sender recipient source target old new previous current origin destination display value debit credit payer payee debtor creditor".split(
    " ",
  ),
);
export const isDirection = (name: string): boolean => directions.has(name.toLowerCase());

type Crossed = Readonly<Record<"first" | "second", string>>;

export function crossedIn(named: readonly Named[]): Crossed | undefined {
  // Most members are read from those of the same name.
  const others = named.filter(([name, read]) => name !== read.name);
  // It takes two.
  if (others.length < 2) return undefined;
  const own = others.filter(([name]) => !isDirection(name));
  // A window has its ends under such names, too.
  const ends =
    own.length === others.length ? [] : others.filter(([, { name }]) => /^(?:since|until)$/.test(name));
  return crossedOf(own, pairOf) ?? crossedOf(own, ownedPairOf) ?? crossedOf(ends, pairOf);
}

/** The same with what has the member in its name: `company_id` of `company.id`. */
function ownedPairOf([name, read]: Named): Pair {
  const owner = wordsOf(read.name).length > 1 ? undefined : /[a-z]\w*$/i.exec(read.owner)?.[0];
  const from = owner === undefined ? read.name : `${singular(owner)}_${read.name}`;
  return { to: compared(name), from: compared(from), read };
}

function crossedOf(named: readonly Named[], toPair: (named: Named) => Pair): Crossed | undefined {
  if (named.length < 2) return undefined;
  const pairs = named.map(toPair);
  for (let index = 0; index < pairs.length; index++)
    for (let other = index + 1; other < pairs.length; other++) {
      const [first, second] = [pairs[index]!, pairs[other]!];
      if (areKeysOfIds(first, second) || arePoles(first, second))
        return { first: first.to.name, second: second.to.name };
      if (!areEnds(first, second) && !(areSame(first.to, second.from) && areSame(second.to, first.from)))
        continue;
      if (!areSame(first.to, first.from) && !areSame(second.to, second.from))
        return { first: first.to.name, second: second.to.name };
    }
  return undefined;
}

/** A name as it is compared with others. */
interface Compared {
  readonly name: string;
  /** Its words, with a space before each. */
  readonly words: string;
  readonly bound: BoundName | undefined;
  readonly pole: Pole | undefined;
  readonly role: "id" | "secret" | undefined;
}

interface Pair {
  readonly to: Compared;
  readonly from: Compared;
  readonly read: ReadMember;
}

function pairOf([name, read]: Named): Pair {
  return { to: compared(name), from: compared(read.name), read };
}

/** The same names come again and again. */
const compared = memoize(
  (name): Compared => ({
    name,
    words: ` ${wordsOf(name).join(" ")}`,
    bound: boundName(name),
    pole: poleOf(name),
    role: isIdName(name) ? "id" : isSecretName(name) ? "secret" : undefined,
  }),
  5_000,
);

/** Whether two names are the same, or one ends with the other: `hook_id` and `id`. */
function areSame(a: Compared, b: Compared): boolean {
  return a.words.endsWith(b.words) || b.words.endsWith(a.words);
}

/** Whether the start of a window is given its end, and its end the start. */
function areEnds(first: Pair, second: Pair): boolean {
  const [a, c] = [first.to.bound?.end, second.to.bound?.end];
  if (a === undefined || c === undefined || a === c) return false;
  return first.from.bound?.end === c && second.from.bound?.end === a;
}

/** Whether each of two opposites is given the other: the first name is the last, and the last name the first. */
function arePoles(first: Pair, second: Pair): boolean {
  const [a, c] = [first.to.pole, second.to.pole];
  if (!areOpposite(a, c) || a!.subject !== c!.subject) return false;
  const isOne = first.read.owner === second.read.owner;
  // Two owners may be the opposites: `.shipping.city` and `.billing.city`.
  const [b, d] = [first.read, second.read].map(({ name, owner }) =>
    isOne ? poleOf(name) : poleOf(`${/\w+$/.exec(owner)?.[0]}_${name}`),
  );
  return b?.subject === d?.subject && areOpposite(a, b) && areOpposite(c, d);
}

/** Whether an id is given a secret, and the secret an id. */
function areKeysOfIds(first: Pair, second: Pair): boolean {
  const [a, c] = [first.to.role, second.to.role];
  return a !== undefined && c !== undefined && a !== c && first.from.role === c && second.from.role === a;
}

/** What stands behind the names of lists in a path, as members with the names of their records: `person_id` of `/people/X`. */
function segmentsOf(text: string): readonly Named[] {
  // It takes two.
  if (text.indexOf("/$") === text.lastIndexOf("/$")) return [];
  const segments = text.replace(/[?#].*$/s, "").split("/");
  return segments.flatMap((segment, index): Named[] => {
    const before = segments[index - 1] ?? "";
    const read = /^[a-z][\w-]*s$|^people$|^staff$/i.test(before) ? memberIn(segment) : undefined;
    return read === undefined || !isIdName(read.name) ? [] : [[`${singular(before)}_id`, read]];
  });
}

/** The member that a string reads which is nothing but an expansion. */
function memberIn(text: string): ReadMember | undefined {
  if (!text.startsWith("$")) return undefined;
  const [expansion, ...others] = parseTemplate(text)?.expansions ?? [];
  if (expansion === undefined || others.length > 0 || expansion.start > 0 || expansion.end < text.length)
    return undefined;
  const names = expansion.path.map(({ text: name }) => name);
  const owner = names.slice(0, -1).join(".");
  return names.length < 2 ? undefined : { name: names.at(-1)!, owner, path: names.join(".") };
}
