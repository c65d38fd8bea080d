import type { ObjectConstruction } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { type ReadMember, readMember } from "../../../flow/member-read.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
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
          crossedIn(namedIn(node, program)) ??
          exchanged(entriesIn(node, program), () => isInState(node, program));
        if (crossed !== undefined)
          report(crossedMembers, { node: program.node, from: node.start, to: node.end }, crossed);
      }
    },
    command: {
      "!http"({ argument }, report) {
        const path = argument?.kind === "object" ? argument.get("path") : undefined;
        const crossedPath = path?.kind === "string" ? crossedIn(segmentsOf(path.value)) : undefined;
        if (path !== undefined && crossedPath !== undefined) report(crossedMembers, path, crossedPath);
        const pending = ["params", "body"].flatMap((part) =>
          argument?.kind === "object" ? (argument.get(part) ?? []) : [],
        );
        // It grows while it is gone through.
        for (const values of pending) {
          if (values.kind !== "object") continue;
          pending.push(...values.members.flatMap(({ value }) => value ?? []));
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
  /\b(?:the )?other way (?:a)?round\b|\b(?:swapped|reversed|interchanged|exchanged|transposed)\b/i;

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
export const namedIn = ({ entries }: ObjectConstruction, program: JqProgram): readonly Named[] =>
  entries.flatMap(({ key, value }): Named[] => {
    const name = nameOf(key);
    const from = name === undefined || value === undefined ? undefined : readMember(value, program);
    return name === undefined || from === undefined ? [] : [[name, from]];
  });

/** The same of a request's. */
export const membersOf = ({ members }: ObjectNode): readonly Named[] =>
  members.flatMap(({ name, value }): Named[] => {
    const from = value?.kind === "string" ? memberIn(value.value) : undefined;
    return from === undefined ? [] : [[name, from]];
  });

/** Names that are exchanged on purpose: an answer goes to whom the message came from. */
export const directions =
  /^(?:from|to|sender|recipient|source|target|old|new|previous|current|origin|destination|display|value)$/i;

type Crossed = Readonly<Record<"first" | "second", string>>;

export function crossedIn(named: readonly Named[]): Crossed | undefined {
  // Most members are read from those of the same name.
  const others = named.filter(([name, read]) => name !== read.name);
  const own = others.filter(([name]) => !directions.test(name));
  // A window has its ends under such names, too.
  const ends =
    own.length === others.length ? [] : others.filter(([, { name }]) => /^(?:since|until)$/.test(name));
  return crossedOf(own.map(pairOf)) ?? crossedOf(own.map(ownedPairOf)) ?? crossedOf(ends.map(pairOf));
}

/** The same with what has the member in its name: `company_id` of `company.id`. */
function ownedPairOf([name, read]: Named): Pair {
  const owner = wordsOf(read.name).length > 1 ? undefined : /[a-z]\w*$/i.exec(read.owner)?.[0];
  const from = owner === undefined ? read.name : `${singular(owner)}_${read.name}`;
  return { to: compared(name), from: compared(from), read };
}

function crossedOf(pairs: readonly Pair[]): Crossed | undefined {
  for (const [index, first] of pairs.entries())
    for (const second of pairs.slice(index + 1)) {
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
}

interface Pair {
  readonly to: Compared;
  readonly from: Compared;
  readonly read: ReadMember;
}

function pairOf([name, read]: Named): Pair {
  return { to: compared(name), from: compared(read.name), read };
}

function compared(name: string): Compared {
  return { name, words: ` ${wordsOf(name).join(" ")}`, bound: boundName(name), pole: poleOf(name) };
}

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
  if (a === undefined || a.subject !== c?.subject) return false;
  const isOne = first.read.owner === second.read.owner;
  // Two owners may be the opposites: `.shipping.city` and `.billing.city`.
  const [b, d] = [first.read, second.read].map(({ name, owner }) =>
    isOne ? poleOf(name) : poleOf(`${/\w+$/.exec(owner)?.[0]}_${name}`),
  );
  return b?.subject === d?.subject && areOpposite(a, c) && areOpposite(a, b) && areOpposite(c, d);
}

/** Whether an id is given a secret, and the secret an id. */
function areKeysOfIds(first: Pair, second: Pair): boolean {
  const roles = [first.to, first.from, second.to, second.from].map(({ name }) =>
    isIdName(name) ? "id" : isSecretName(name) ? "secret" : undefined,
  );
  const [a, b, c, d] = roles;
  return a !== undefined && c !== undefined && a !== c && b === c && d === a;
}

/** What stands behind the names of lists in a path, as members with the names of their records: `person_id` of `/people/X`. */
function segmentsOf(text: string): readonly Named[] {
  const segments = text.replace(/[?#].*$/s, "").split("/");
  return segments.flatMap((segment, index): Named[] => {
    const before = segments[index - 1] ?? "";
    const read = /^[a-z][\w-]*s$|^people$|^staff$/i.test(before) ? memberIn(segment) : undefined;
    return read === undefined || !isIdName(read.name) ? [] : [[`${singular(before)}_id`, read]];
  });
}

/** The member that a string reads which is nothing but an expansion. */
function memberIn(text: string): ReadMember | undefined {
  const [expansion, ...others] = parseTemplate(text)?.expansions ?? [];
  if (expansion === undefined || others.length > 0 || expansion.start > 0 || expansion.end < text.length)
    return undefined;
  const names = expansion.path.map(({ text: name }) => name);
  const owner = names.slice(0, -1).join(".");
  return names.length < 2 ? undefined : { name: names.at(-1)!, owner, path: names.join(".") };
}
