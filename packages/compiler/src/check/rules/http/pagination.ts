import { memoize } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isPlural } from "../../../flow/nouns.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode, MemberNode } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { ownerOf } from "../../locate.ts";
import { hasMember, memberAt, memberOf, valueAt } from "./at.ts";

const notConfigured = defineRule<Record<string, never>>({
  id: "http/pagination-not-configured",
  severity: "error",
  summary: "`pagination: true` without `api.pagination`",
  why: "`pagination: true` makes a request read all pages as `api.pagination` says. Without `api.pagination` the request is refused.",
  guards: ["command.!http", "http.pagination", "api.pagination", "D17", "D22"],
  message: () => "This request asks for pagination, but `api` has no `pagination` to say how pages are read.",
  help: () => "Add `pagination` with `style` and `parser` to `api`, or remove this member.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"path": "/me", "pagination": «true»}}',
      good: '{"!http": {"path": "/me", "pagination": false}}',
      fixed: '{"!http": {"path": "/me"}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberOf(valueAt(document, at));
    if (member === undefined) return [];
    return [{ title: "Remove `pagination`", safe: false, edits: [removeMember(document, member)] }];
  },
});

const ignored = defineRule<{ place: string; isRequest: boolean }>({
  id: "http/pagination-ignored",
  severity: "warning",
  tag: "unnecessary",
  summary: "`pagination` in a command of a polling intake",
  why: "A poll reads one page per request and keeps its place in `polling_state`. It doesn't use `api.pagination`, so without its own paging it imports only the first page.",
  guards: ["command.!http", "http.pagination", "polling.request", "polling.polling_state", "D22", "D33"],
  message: ({ place }) => `\`pagination\` is ignored in ${place}.`,
  because: ({ isRequest }) => [
    "page 1 is read",
    isRequest
      ? "nothing asks for page 2: the cycle ends, or gets page 1 again"
      : "nothing asks for page 2: this command runs once",
  ],
  help: ({ isRequest }) =>
    isRequest
      ? "Send the page or token from `polling_state`, return the next one in it, and set `iterate` to whether there is more."
      : "Read the list in `request`, page by page. If the service gives all of it in one answer, ask for that with a parameter.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http",
      bad: '{"path": "/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}, «"pagination"»: true}',
      good: '{"path": "/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}',
      fixed:
        '{"path": "/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberAt(document, at);
    if (member === undefined) return [];
    return [{ title: "Remove `pagination`", safe: true, edits: [removeMember(document, member)] }];
  },
});

const unusedPagination = defineRule<Record<string, never>>({
  id: "unused/pagination",
  severity: "hint",
  tag: "unnecessary",
  summary: "No request uses `api.pagination`",
  why: 'Only requests with `"pagination": true` read all pages. Every other list ends with its first page, so customers may not find their form or list among the options.',
  guards: ["command.!http", "http.pagination", "api.pagination", "D22"],
  message: () => 'No `!http` has `"pagination": true`, so `api.pagination` is never used.',
  because: () => ["a list has 250 items, in pages of 100", "100 are read"],
  help: () => "Add it to the requests that read lists. Polling commands use `polling_state` instead.",
  examples: [
    {
      in: "outbound",
      at: "/api",
      bad: '{"base_url": "https://api.example.com/v1", «"pagination"»: {"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}}',
      good: '{"base_url": "https://api.example.com/v1"}',
    },
  ],
});

const firstPageOnly = defineRule<{ path: string; isSaid: boolean; part?: string }>({
  id: "http/first-page-only",
  severity: "warning",
  summary: "One place reads all pages of a list, another one only the first",
  why: "Without `pagination`, a list ends with its first page. Where the document reads all pages of the same list elsewhere, the list has several: customers with many records don't find theirs among the options.",
  guards: ["command.!http", "http.pagination", "api.pagination", "D22"],
  message: ({ path, isSaid, part }) =>
    part !== undefined
      ? `Another request reads all pages of \`${part}\`. \`${path}\` has still more, but this request has no \`pagination\`, so it reads only the first page.`
      : isSaid
        ? `A comment says that \`${path}\` comes in pages. This request has no \`pagination\`, so it reads only the first page.`
        : `Another request reads all pages of \`${path}\`. This one has no \`pagination\`, so it reads only the first page.`,
  because: ({ isSaid }) => [
    "a customer has more records than one page holds",
    isSaid ? "those of the second page aren't looked at" : "those of the second page aren't offered",
  ],
  help: () => 'Add `"pagination": true`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/api/pagination":
          '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
        "/workflows/0/setup/map/describe_target/options":
          '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.lists[] | {title: .name, id: .id}] + [{title: \\"Email\\", id: \\"email\\"}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {«"path"»: "/lists"}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}',
    },
    {
      title: "A comment that says which lists come in pages",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/api/pagination":
          '{"_comment": "lists, seats and clubs are paged, 20 rows a page.", "style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {«"path"»: "/lists/${custom_data.list.value}/seats"}}, {"!jq": "[.seats[] | select(.free)] | first | {seat: .id}"}, {"!http": {"method": "POST", "path": "/bookings", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/seats", "pagination": true}}, {"!jq": "[.seats[] | select(.free)] | first | {seat: .id}"}, {"!http": {"method": "POST", "path": "/bookings", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [notConfigured, ignored, unusedPagination, firstPageOnly],
  checks: {
    document(model, report) {
      const { api } = model;
      let used = false;
      const asking: Location[] = [];
      for (const { member, value, place } of requests(model)) {
        if (place.polling === true) {
          report(ignored, member.key, { place: place.title, isRequest: place.name === "intake.request" });
          continue;
        }
        used = true;
        if (value.kind === "boolean") asking.push(value);
      }
      const inPart = readInPart(model);
      for (const { at, path, part } of inPart)
        report(firstPageOnly, at, { path, isSaid: false, ...(part === undefined ? {} : { part }) });
      const pagination = api?.node.member("pagination");
      for (const { at, path, comment } of saidToBePaged(pagination?.value, model))
        if (!inPart.some((each) => each.at === at))
          report(firstPageOnly, at, { path, isSaid: true }, [{ message: "the comment", at: comment }]);
      const [first, ...others] = asking;
      if (first !== undefined && api !== undefined && !hasMember(api.node, "pagination")) {
        // One mistake, however many requests rely on it.
        report(notConfigured, first, {}, [
          { message: "`api` has no `pagination`", at: ownerOf(api.node) },
          ...others.map((at) => ({ message: "this one asks for it too", at })),
        ]);
      }
      // While the document is in pieces, the request that asks for it may be among them.
      if (used || pagination === undefined || model.document.problems.length > 0) return;
      const unread = model.structure.some(
        ({ kind }) => kind === "not-a-command" || kind === "unknown-command",
      );
      if (!unread) report(unusedPagination, pagination.key, {});
    },
  },
};
export default module;

/** Those that ask for pagination. */
const requests = derivedByPart(({ commands }) => {
  const found: { member: MemberNode; value: JsonNode; place: Command["place"] }[] = [];
  for (const { key, argument, place } of commands) {
    const member = key === "!http" && argument?.kind === "object" ? argument.member("pagination") : undefined;
    const value = member?.value;
    if (member !== undefined && value !== undefined && !isFalse(value)) found.push({ member, value, place });
  }
  return found;
});

/** How many lists are read with all their pages, and how many without, by the names of their paths. */
export function listsRead(model: Model): { readonly paged: number; readonly unpaged: number } {
  const lists = listReads(model);
  return {
    paged: requests(model).filter(({ place }) => place.polling !== true).length,
    unpaged: lists.filter(({ isPaged, path }) => !isPaged && isPlural(lastOf(path))).length,
  };
}

const lastOf = (path: string): string => path.split("?")[0]!.replace(/\/$/, "").split("/").at(-1) ?? "";

/** A request for a list, as far as its text says which one. */
interface ListRead {
  readonly path: string;
  /** The list that is asked for: the same for requests of one. */
  readonly list: string;
  readonly at: Location;
  readonly isPaged: boolean;
  readonly isOffered: boolean;
  /** Whether the step behind goes through all records, and nothing but what customers chose says which ones are asked for. */
  readonly isSearched: boolean;
}

/** Requests for lists of which the comment of the pagination says that they come in pages. */
function saidToBePaged(pagination: JsonNode | undefined, model: Model) {
  const comments = pagination?.kind !== "object" || !hasComments(model) ? [] : [...commentsBelow(pagination)];
  const said = comments.flatMap((comment) => pagedIn(comment.value).map((name) => ({ name, comment })));
  const ofAll = comments.find(({ value }) => allPaged.test(value));
  if (said.length === 0 && ofAll === undefined) return [];
  const reads = listReads(model);
  const one = ofAll === undefined ? undefined : onlyUnpaged(reads);
  return reads.flatMap((read) => {
    if (read === one && ofAll !== undefined) return [{ ...read, comment: ofAll }];
    const last = read.isPaged || !read.isSearched ? undefined : /([\w-]+)\/?$/.exec(read.path)?.[1];
    const found = last === undefined ? undefined : said.find(({ name }) => name === last.toLowerCase());
    return found === undefined ? [] : [{ ...read, comment: found.comment }];
  });
}

/** `Listings come 50 to a page`, `All lists are paged`: whatever they are of. */
const allPaged =
  /(?:^|[.;] )(?:(?:all|the) )?(?:listings|lists) (?:(?:always |all )?come (?:\d{1,5} (?:to|on) a page|in pages(?: of \d{1,5})?)|are (?:always |all )?(?:paged|paginated))(?![\w-]| only\b| if\b| when\b| unless\b| but\b| except\b|[,;] (?:but|except|only)\b)/i;

/** The one list of many records that is offered as far as its first page goes, where all others that are offered are read to their end. */
function onlyUnpaged(reads: readonly ListRead[]): ListRead | undefined {
  const offered = reads.filter(({ isOffered }) => isOffered);
  const [one, ...others] = offered.filter(({ isPaged }) => !isPaged);
  const paged = new Set(offered.filter(({ isPaged }) => isPaged).map(({ list }) => list));
  if (one === undefined || paged.size < 2 || others.some(({ list }) => list !== one.list)) return undefined;
  const name = lastOf(one.path);
  // What asks for some of them, or is known to be few, needs no second page.
  const isAll = one.list.endsWith(" ") && !one.path.includes("?");
  return isAll && isPlural(name) && !/\$/.test(name) && !fewNames.test(name) ? one : undefined;
}

/** What there are few of. */
const fewNames =
  /(?:types?|kinds?|tiers?|plans?|levels?|roles?|reasons?|tags?|labels?|stages?|status(?:es)?|states?|languages?|categor(?:y|ies)|sizes?|seasons?|prices?|rates?|packs?|groups?|grades?|terms?|countries|currencies|fields?|columns?|options?|sections?|services?|models?|classes|forms?|lists?)$/i;

/** `offices, services and free-slots are paged`: the ends of paths. */
const pagedIn = memoize(
  (text: string): readonly string[] =>
    text.split(/(?<=[.;])\s/).flatMap((sentence) => {
      const [, subjects] = subjectsPaged.exec(sentence) ?? [];
      const names = subjects?.split(/, and | and |, /) ?? [];
      return names.every((name) => /^\/?[a-z][\w-]*$/i.test(name))
        ? names.map((name) => name.replace("/", "").toLowerCase())
        : [];
    }),
  50,
);

const subjectsPaged =
  /^([\w/, -]{3,200}?) (?:are|is)(?: all| both| always)? (?:paged|paginated|(?:sent|given|read|listed) (?:in pages|page by page))(?![\w-]| only\b| if\b| when\b| unless\b| by\b)/;

/** `[.slots[] | select(…)]`, `.slots | map(…)`: all records are looked at. */
const searches = /\[\]|\b(?:map|any|all|min_by|max_by|sort_by|group_by|unique_by|INDEX)\(/;

function isSearched(command: Command): boolean {
  const { argument, parent } = command;
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const values = params?.kind === "object" ? params.members : [];
  if (params !== undefined && params.kind !== "object") return false;
  // One record is looked up, or as many as are asked for.
  const isPart = values.some(
    ({ name, value }) =>
      /^(?:page|per_?page|limit|size|page_?size|offset|cursor|q|query|search|filter|email|sort|order)/i.test(
        name,
      ) ||
      (value?.kind === "string" && value.value.includes("piped_content")),
  );
  if (isPart || parent?.key !== "!pipe") return false;
  const next = parent.children[parent.children.indexOf(command) + 1];
  return next?.key === "!jq" && next.program !== undefined && searches.test(next.program.node.value);
}

/** Requests whose list is offered as far as its first page goes, while others read all of it. */
function readInPart(model: Model): readonly (ListRead & { readonly part?: string })[] {
  const all = listReads(model);
  const offered = all.filter(({ isPaged, isOffered }) => !isPaged && isOffered);
  const paged: ReadonlyMap<string, number> =
    offered.length === 0 ? new Map() : countedBy(all.filter(({ isPaged }) => isPaged));
  if (paged.size === 0) return [];
  const unpaged = countedBy(all.filter(({ isPaged }) => !isPaged));
  // One request with pages among many without them is rather the one that is wrong.
  return offered.flatMap((read) => {
    const { list } = read;
    if ((paged.get(list) ?? 0) >= (unpaged.get(list) ?? 0) && paged.has(list)) return [read];
    const part = paged.has(list) || !isOfAll(read) ? undefined : all.find((other) => isPartOf(other, read));
    return part === undefined ? [] : [{ ...read, part: part.path }];
  });
}

/** `/events`, with nothing that says which. */
const isOfAll = ({ path, list }: ListRead): boolean =>
  /^\/?[a-z][\w-]*s\/?$/i.test(path) && list.endsWith(" ") && !fewNames.test(lastOf(path));

/** `/stages/${…}/events`, all pages of which are offered: where the events of one stage come in pages, all events do. */
const isPartOf = ({ isPaged, isOffered, path, list }: ListRead, { path: whole }: ListRead): boolean =>
  isPaged && isOffered && lastOf(path) === lastOf(whole) && /\$\{\}\/[^/{}]+ $/.test(list);

function countedBy(reads: readonly ListRead[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { list } of reads) counts.set(list, (counts.get(list) ?? 0) + 1);
  return counts;
}

const listReads = derivedByPart(({ commands }) => {
  const found: ListRead[] = [];
  for (const command of commands) {
    const { key, argument, place } = command;
    if (key !== "!http" || argument?.kind !== "object" || place.polling === true) continue;
    const [path, method] = [argument.member("path"), argument.get("method")];
    if (path?.value?.kind !== "string" || path.value.value.length > LONGEST_PATH) continue;
    if (method !== undefined && !(method.kind === "string" && /^get$/i.test(method.value))) continue;
    const pagination = argument.get("pagination");
    // What isn't written out, or isn't JSON, may say it either way.
    if (pagination?.kind !== "boolean" && hasMember(argument, "pagination")) continue;
    found.push({
      path: path.value.value,
      list: `${sameBut(path.value.value)} ${written(argument.get("params"))}`,
      at: path.key,
      isPaged: pagination !== undefined && !isFalse(pagination),
      isOffered: place.name.endsWith(".options"),
      isSearched: isSearched(command),
    });
  }
  return found;
});

/** In characters. The expressions below take the square of it. */
const LONGEST_PATH = 1000;

/** A path in which what is chosen or found counts as the same, under whatever name. */
const sameBut = (text: string): string =>
  (text.includes("$") ? text.replace(/\$\{[^}]*\}|\$<[^>]*>/g, "${}") : text).replace(/^\/+|\/+$/g, "");

function written(node: JsonNode | undefined): string {
  switch (node?.kind) {
    case "object":
      return `{${node.members.map(({ name, value }) => `${name}: ${written(value)}`).sort()}}`;
    case "array":
      return `[${node.items.map(written)}]`;
    case "string":
      return sameBut(node.value);
    case "number":
    case "boolean":
      return `${node.value}`;
    default:
      return "";
  }
}

function isFalse(node: JsonNode): boolean {
  return node.kind === "boolean" && !node.value;
}
