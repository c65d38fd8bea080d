import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { kindRead } from "./kind-read.ts";

const ownId = defineRule<{ read: string; place: string; instead: string }>({
  id: "value/own-id",
  severity: "warning",
  summary: "A record is requested by the id of the record that refers to it",
  why: "An order that has a `customer_id` isn't the customer. Its own id leads to another customer, or to none.",
  guards: ["command.!http", "D17", "D18"],
  message: ({ read, place, instead }) =>
    `\`${read}\` goes where ${place} wants an id, but beside it there is \`${instead}\`.`,
  because: ({ read, place, instead }) => [
    `what has \`${instead}\` isn't one of ${place} itself`,
    `\`${read}\` is the id of another record`,
  ],
  help: ({ instead }) => `Did you mean \`${instead}\`?`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "if .data.customer_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/customers/«${piped_content.0.data.id}»"}}, {"!jq": "{email: .email}"}]}]}}',
      good: '{"!switch": {"jq": "if .data.customer_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/customers/${piped_content.0.data.customer_id}"}}, {"!jq": "{email: .email}"}]}]}}',
    },
    {
      title: "The id stands beside the record",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Payload: {event, school_id, order: {id, number}}."' },
      bad: '{"!pipe": [{"!http": {"path": "/schools/«${piped_content.0.order.id}»/head"}}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/schools/${piped_content.0.school_id}/head"}}, {"!jq": "{email: .email}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [ownId],
  checks: {
    document(model, report) {
      for (const { expansion, read, place, instead } of foundByPart(model)) {
        const { node, syntax } = expansion;
        report(ownId, { node, from: syntax.start, to: syntax.end }, { read, place, instead });
      }
    },
  },
};
export default module;

interface Found {
  readonly expansion: Expansion;
  readonly read: string;
  readonly place: string;
  readonly instead: string;
}

const foundByPart = derivedByPart(foundIn, "saved");

function foundIn({ expansions }: Part, model: Model): readonly Found[] {
  const candidates = expansions.filter(isOwnId);
  if (candidates.length === 0) return [];
  const reads = new Map<unknown, Set<string>>();
  for (const { root, command, syntax } of expansions) {
    if (root !== "piped_content") continue;
    const own = reads.get(command?.pipe) ?? new Set<string>();
    reads.set(command?.pipe, own.add(namesOf(syntax).join(".")));
  }
  return candidates.flatMap((expansion) => {
    const { syntax, command } = expansion;
    const [index = "", ...names] = namesOf(syntax);
    const before = listBefore(expansion) ?? "";
    const noun = nounOf(before);
    const around = names.slice(0, -1);
    const owner = nounOf(around.at(-1) ?? "");
    if (noun === undefined || (owner !== undefined && mayBeSame(owner, noun))) return [];
    // A customer may have a number called `customer_id`.
    const kind = kindRead(expansion, model);
    if (kind !== undefined && [...kind.nouns].some((each) => mayBeSame(each, noun))) return [];
    const decided = index === "0" ? command?.pipe?.parent?.program : undefined;
    const known = [
      ...(reads.get(command?.pipe) ?? []),
      ...(decided === undefined ? [] : inputPaths(decided).map((path) => `0.${path}`)),
    ];
    const isWanted = (name: string): boolean => !name.includes(".") && nounOfKey(name) === noun;
    // The record itself may have it, or what the record stands in: `{school_id, order: {id}}`.
    const holders = around.map((_, at) => [index, ...around.slice(0, around.length - at)]);
    const read = [...holders, [index]]
      .map((holder) => `${holder.join(".")}.`)
      .flatMap((prefix) =>
        known.filter((path) => path.startsWith(prefix) && isWanted(path.slice(prefix.length))),
      )[0];
    const shownIn = (holder: readonly string[], member: string | undefined): string | undefined => {
      if (command === undefined || member === undefined) return undefined;
      const shown = shownWith(member, isWanted, command, model);
      return shown === undefined ? undefined : [index, ...holder, shown].join(".");
    };
    const beside = read ?? shownIn(around, names.at(-1)) ?? shownIn(around.slice(0, -1), around.at(-1));
    if (beside === undefined) return [];
    // `data is a customer`
    const holder = around.at(-1);
    const isOne = new RegExp(`\\b(?:an?|the) ${escapedPattern(noun)}\\b`, "i");
    if (holder !== undefined && command !== undefined && saysOf(holder, isOne, command, model)) return [];
    return [
      {
        expansion,
        read: ["piped_content", index, ...names].join("."),
        place: `\`/${before}/\``,
        instead: `piped_content.${beside}`,
      },
    ];
  });
}

/** What names the wanted record in the one that a comment shows with the member that is read: `{no: 88120, office_no: 515}`. */
export function shownWith(
  name: string,
  isWanted: (name: string) => boolean,
  command: Command,
  model: Model,
): string | undefined {
  for (const { members = [] } of [...documentedAt(command, model).values()].flat()) {
    if (!members.some((member) => member.name === name)) continue;
    const [only, ...others] = members.filter((member) => isWanted(member.name));
    if (only !== undefined && others.length === 0) return only.name;
  }
  return undefined;
}

/** What services call a record by: each has its own. */
const isKeyName = /^(?:id|uuid|guid|no|nr|num|number|code|key|ref|slug)$/i;

/** `office` of `office_no` and `officeId`. */
function nounOfKey(name: string): string | undefined {
  const words = wordsOf(name);
  const owner = words.length > 1 && isKeyName.test(words.at(-1)!) ? words.at(-2) : undefined;
  return nounOfId(name) ?? (owner === undefined ? undefined : nounOf(owner));
}

const namesOf = ({ path }: Expansion["syntax"]): readonly string[] => path.slice(1).map(({ text }) => text);

/** `/customers/${piped_content.0.data.id}` */
function isOwnId({ root, position, node, syntax }: Expansion): boolean {
  if (root !== "piped_content" || position !== "path" || syntax.path.length < 3) return false;
  if (!isKeyName.test(syntax.path.at(-1)!.text)) return false;
  const before = listBefore({ node, syntax });
  return before !== undefined && isPlural(before) && /^(?:[/?]|$)/.test(node.value.slice(syntax.end));
}

/** What a program reads of its input, by the names: `data.customer_id`. */
const inputPaths = (program: JqProgram): readonly string[] =>
  nodesOfKind(program, "Postfix").flatMap(({ head, suffixes }) => {
    const names = suffixes.flatMap((suffix) =>
      suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
    );
    return head.kind === "Identity" && names.length === suffixes.length ? [names.join(".")] : [];
  });
