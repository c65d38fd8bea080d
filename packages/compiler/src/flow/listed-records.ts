import type { Command } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { graphqlQuery, graphqlSelection, type Selection } from "../samples/graphql.ts";
import { isPlural, singular } from "./nouns.ts";
import type { Origin } from "./origin.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { withoutSearch } from "./searches.ts";

/** An item of a list of an answer, as it is. */
export interface ListedItem {
  readonly list: string;
  readonly command: Command;
}

/** The list of an answer of which a value is an item as it came: `.people[0]`; undefined where it is something else. */
export function itemOfAnswer(origin: Origin): ListedItem | undefined {
  if (origin.kind !== "response") return undefined;
  const [list, item] = origin.path.slice(-2);
  return item === "[]" && list !== undefined && list !== "[]" ? { list, command: origin.command } : undefined;
}

/**
 * Why the items of a list are records, by what the request asks for: `/people` gives `people`, or a `data` of people. Of `/people/ID/tags`,
 * and of what has ids by its name, who knows.
 */
export function listsRecords({ list, command }: ListedItem): string | undefined {
  const path = pathAsked(command);
  if (/ids?$/i.test(list)) return undefined;
  const before = path.split("${")[0]!.split("/");
  const last = before.at(-1) ?? "";
  const isNamed =
    before.includes(list) ||
    (envelope.test(list) && last === path.split("/").at(-1) && isPlural(last) && !ofTexts.test(last));
  if (isNamed) return `\`${path}\` gives \`${list}\`, which are records`;
  const searched = asksForList({ list, command }) ? searchedBy(command) : undefined;
  return searched === undefined
    ? undefined
    : `\`${path}\` is searched by \`${searched}\`, which is a member of what it gives`;
}

/**
 * The parameter by which a request looks for some of the records below another one: `email` of `/offices/ID/applicants`. What is called by
 * ids only has ids in it, and so may tags.
 */
function searchedBy({ argument }: Command): string | undefined {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const members = params?.kind === "object" ? params.members : [];
  return members.find(
    ({ name, value }) =>
      ofRecord.test(name) && value?.kind === "string" && value.value.includes("piped_content"),
  )?.name;
}

/** What people and things are looked for by: a text has no such member. */
const ofRecord = /(?:^|[_[-])(?:e-?mail|mail|phone|mobile|serial|reference|number)\]?$/i;

/** What a value is the whole of: a record that a search has found, or one of which a query selects members. */
export interface WholeRecord {
  readonly name: string;
  readonly reason: string;
}

export function wholeRecord(origin: Origin): WholeRecord | undefined {
  const item = itemOfAnswer(origin);
  const reason = item === undefined ? undefined : listsRecords(item);
  return item === undefined || reason === undefined
    ? (selectsMembers(origin) ?? writtenRecord(origin))
    : { name: item.list, reason };
}

/**
 * The record that a request changes or gets, in a member that is called so: `singer` of `PATCH /singers/ID`. What makes one may answer with an
 * id under that name, except where the record is sent under it, too.
 */
function writtenRecord(origin: Origin): WholeRecord | undefined {
  if (origin.kind !== "response" || origin.path.length !== 1) return undefined;
  const [name = ""] = origin.path;
  const { argument } = origin.command;
  const path = pathAsked(origin.command);
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  const segments = path.split("/");
  const isOne = /^[$][{<][^}>]*[}>]$/.test(segments.at(-1) ?? "");
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const isWrapped = body?.kind === "object" && body.get(name) !== undefined;
  const collection = isOne ? segments.at(-2) : method === "POST" && isWrapped ? segments.at(-1) : undefined;
  if (collection === undefined || method === "DELETE" || !isPlural(collection)) return undefined;
  if (isOne && ofOne.test(name))
    return { name, reason: `\`${method} ${path}\` answers with one record in \`${name}\`` };
  const words = (each: string): string => wordsOf(each).map(singular).join(" ");
  if (isPlural(name) || words(collection) !== words(name)) return undefined;
  return { name, reason: `\`${method} ${path}\` answers with the record \`${name}\`` };
}

/** Whether a request asks for a list by the last segment of its path, which is called so: `fans` of `/artists/ID/fans`. */
export function asksForList({ list, command }: ListedItem): boolean {
  const path = pathAsked(command);
  const last = path.split("/").at(-1) ?? "";
  if (last.includes("${") || !isPlural(last)) return false;
  return wordsOf(last).join(" ") === wordsOf(list).join(" ") || (envelope.test(list) && !ofTexts.test(last));
}

/** The path of what is asked for: `/schools` of `/schools/lookup`. */
const pathAsked = ({ argument }: Command): string =>
  withoutSearch((textOf(argument, "path") ?? textOf(argument, "url") ?? "").split("?")[0]!);

/** What a list is called whatever is in it. */
const envelope = /^(?:data|items|results|records|rows|entries|body)$/;

/** What a path ends with that gives no records: `/people/ids`. */
const ofTexts = /(?:ids?|numbers|codes|names|keys|tokens|slugs|emails)$/i;

/** What one record is called whatever it is: `{data: {…}}`. */
const ofOne = /^(?:data|record|item|entity)$/;

/** Why a part of an answer is a record: the GraphQL query selects members of it. */
export function selectsMembers(origin: Origin): WholeRecord | undefined {
  if (origin.kind !== "response") return undefined;
  const [data, ...path] = origin.path.filter((name) => name !== "[]" && name !== "body");
  const name = path.at(-1);
  const query = data === "data" && name !== undefined ? graphqlQuery(origin.command) : undefined;
  if (name === undefined || query === undefined) return undefined;
  let selected: Selection | undefined = graphqlSelection(query.value);
  for (const each of path) selected = selected?.get(each);
  const [first] = selected?.keys() ?? [];
  return first === undefined ? undefined : { name, reason: `the query selects \`${first}\` of \`${name}\`` };
}
