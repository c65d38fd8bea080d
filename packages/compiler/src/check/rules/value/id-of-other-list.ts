import { escapedPattern, groupBy } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { mayBeSame, nounOf, nounOfId, singular } from "../../../flow/nouns.ts";
import { sharesIds } from "../../../flow/said/of-name.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { beside } from "./one-id-two-kinds.ts";

export const idOfOtherList = defineRule<IdOfOtherList & Record<string, string>>({
  id: "value/id-of-other-list",
  severity: "warning",
  summary: "One id asks for a record of its own list and for one of another list",
  why: "The records of two lists are counted apart. By the id of the one, the other list has nothing, or a record that has the same id by chance: a contact gets the name of a stranger.",
  guards: ["command.!http", "http.path", "D18"],
  message: ({ read, list, own }) =>
    `\`${read}\` is an id of \`${own}\`, where another step asks for it. \`${list}\` has ids of its own.`,
  because: ({ list, named }) => [
    `the document has \`${named}\` for \`${list}\``,
    "the record is another one, or there is none",
  ],
  help: ({ list }) => `Read the id that belongs to \`${list}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"Who came is in locksmith_id."',
        "/workflows/0/setup/connect/describe_connection":
          '{"!pipe": [{"!http": {"path": "/locksmiths"}}, {"!jq": "{account_id: (.locksmiths[0].id | tostring), description: .locksmiths[0].name}"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/customers/${piped_content.0.customer_id}"}}, {"!http": {"path": "/locksmiths/«${piped_content.0.customer_id}»"}}, {"!jq": "{email: ${piped_content.1.email}, by: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/customers/${piped_content.0.customer_id}"}}, {"!http": {"path": "/locksmiths/${piped_content.0.locksmith_id}"}}, {"!jq": "{email: ${piped_content.1.email}, by: .name}"}]}',
    },
  ],
});

/** The ids in paths that ask for a record of another list than their own, by the text that they stand in. */
export const idsOfOtherLists = derived((model): ReadonlyMap<StringNode, IdOfOtherList> => {
  const asked = model.expansions.flatMap((expansion) => askedFor(expansion) ?? []);
  const owns = groupBy(asked, ({ read }) => read);
  const found = new Map<StringNode, IdOfOtherList>();
  for (const { expansion, list, noun, id, read, pipe } of asked) {
    if (mayBeSame(noun, id) || beside.test(noun)) continue;
    const own = owns.get(read)?.find((each) => each.pipe === pipe && each.noun === id);
    const named = own === undefined ? undefined : idNamed(noun, list, model);
    const { command } = expansion;
    // `A wallet has its customer's id.`
    if (command !== undefined && named !== undefined && sharesIds(noun, id, command, model)) continue;
    if (own !== undefined && named !== undefined)
      found.set(expansion.node, { read, list, own: own.list, named });
  }
  return found;
});

interface IdOfOtherList {
  readonly read: string;
  readonly list: string;
  readonly own: string;
  readonly named: string;
}

/** A record that is asked for by an id: `/locksmiths/${piped_content.0.customer_id}`. */
interface Asked {
  readonly expansion: Expansion;
  readonly pipe: Command | undefined;
  readonly list: string;
  readonly noun: string;
  /** What the id is one of, by its name. */
  readonly id: string;
  readonly read: string;
}

function askedFor(expansion: Expansion): Asked | undefined {
  const { root, position, syntax, node, command } = expansion;
  if (root !== "piped_content" || position !== "path" || command?.key !== "!http") return undefined;
  const id = nounOfId(syntax.path.at(-1)!.text);
  // What stands behind it is of this record: `/customers/${…}/plan`.
  if (id === undefined || syntax.end !== node.value.length) return undefined;
  const [, list] = /^\/?([a-z][\w-]*)\/$/i.exec(node.value.slice(0, syntax.start)) ?? [];
  const noun = list === undefined ? undefined : nounOf(singular(list));
  if (list === undefined || noun === undefined) return undefined;
  return {
    expansion,
    pipe: command.pipe,
    list,
    noun,
    id,
    read: syntax.path.map(({ text }) => text).join("."),
  };
}

/** What shows that the records of a list have ids of their own: `locksmith_id`, or `/locksmiths/${custom_data.locksmith.value}`. */
function idNamed(noun: string, list: string, model: Model): string | undefined {
  const [named] =
    new RegExp(`(?<![A-Za-z])${escapedPattern(noun)}_?[iI]d(?![a-zA-Z])`).exec(model.document.text) ?? [];
  return named ?? chosenLists(model).get(list);
}

/** The lists of which a request asks for a record that was chosen, with what was. */
const chosenLists = derived((model): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { root, position, node, syntax } of model.expansions) {
    if (root !== "custom_data" || position !== "path") continue;
    const [, list] = /\/([a-z][\w-]*)\/$/i.exec(node.value.slice(0, syntax.start)) ?? [];
    if (list !== undefined) found.set(list, syntax.path.map(({ text }) => text).join("."));
  }
  return found;
});
