import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import type { Iteration } from "../../../flow/machine/polling-program.ts";
import { type LinkForm, linkQuery, linkText } from "../../../flow/machine/roles.ts";
import { isKind, isTrue, resolved } from "../../../flow/machine/value.ts";
import { nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { onlyOutcome } from "../../../flow/protocol/forms.ts";
import { keepsWhileGoingOn } from "../../../flow/protocol/kept-state.ts";
import { listRequestOf } from "../../../flow/protocol/list-request.ts";
import { requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { areAlike } from "./cycles.ts";
import { teller } from "./found.ts";
import { hasNoAddress } from "./next-cycle.ts";
import { otherPageOf } from "./other-page.ts";

const place = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe",
  with: {
    "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {query: \\"sort=id\\"}}"}',
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
  },
} as const;
const request = (query: string): string =>
  `[{"!http": {"path": "/lists/\${custom_data.list.value}/customers?\${polling_state.query}"}}, {"!jq": "{results: .items, iterate: (.links.next != null), polling_state: {query: (if .links.next == null then \${polling_state.query} else ${query} end)}}"}]`;

const nextAddress = defineRule<{ link: string; address: string; isLost: boolean }>({
  id: "polling/next-address",
  severity: "warning",
  summary: "The part taken of the next page's link doesn't lead there",
  why: "A link has a host, a path and a query. Each part has its place: a query behind a `?`, a path at the beginning of a path. Otherwise the next request fails, or gets the first page again.",
  guards: ["polling.polling_state", "polling.request", "http.path", "http.url", "D17", "D33"],
  message: ({ link, address, isLost }) =>
    isLost
      ? `If page 1 links to \`${link}\`, nothing of its query is sent: the next request goes to \`${address}\`.`
      : `If page 1 links to \`${link}\`, the next request goes to \`${address}\`.`,
  because: ({ link, address }) => [
    `page 1 links to \`${link}\``,
    `the next request goes to \`${address}\``,
    "a link that is only a path, or only a query, leads nowhere either",
  ],
  help: () =>
    'Behind a `?`, send what stands behind the link\'s own `?`: `split("?") | last`. Send a whole link as `url`.',
  examples: [
    {
      title: "The part before the query",
      ...place,
      bad: request('(«.links.next | split(\\"?\\") | first»)'),
      good: request('(.links.next | split(\\"?\\") | last)'),
    },
    {
      title: "The whole link behind a path",
      ...place,
      bad: request("«.links.next»"),
      good: request('(.links.next | split(\\"?\\") | last)'),
    },
  ],
});

const module: RuleModule = {
  rules: [nextAddress],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model) || !takesLinks(intake, model)) return;
      const paging = pagingOf(intake, model);
      const list = listRequestOf(intake, model);
      const [page] = paging === undefined ? [] : pagesToTry(paging, requestedPageSize(intake, model));
      if (paging === undefined || list === undefined || page === undefined) return;
      // One that stays the same, or that is none in any case, is told as that.
      const [before, after] = paging.read(page);
      if (areAlike(before, after) || hasNoAddress(intake, model) || otherPageOf(intake, model) !== undefined)
        return;
      const found = (["url", "path", "query"] as const).map((link) => {
        const [first, second] = paging.read({ ...page, link });
        return isTrue(first.iterate) === true ? wrongAddress(second, link, intake, model) : undefined;
      });
      const [url] = found;
      if (url === undefined || found.includes(undefined)) return;
      const { leaf, ...args } = url;
      const key = leaf.expansion.syntax.path[1]?.text ?? "";
      // The same request once more is told as that.
      if ((writesIn(intake, "request", model) ?? []).some((write) => keepsWhileGoingOn(write, key))) return;
      teller(report, intake, model)(nextAddress, { leaf, args });
    },
  },
};
export default module;

const linkRead = /links?\.next|next_?(?:page_?)?(?:link|url|uri|href)\b|\bnext\.(?:href|url)|split\("\?"\)/i;

/** Whether a request's answer has a link to the next page, of which at most what is before or behind its `?` is taken. */
function takesLinks(intake: IntakeSymbol, model: Model): boolean {
  const outcome = onlyOutcome(intake, model);
  const state = outcome?.members.get("polling_state");
  if (outcome === undefined || state === undefined || !linkRead.test(outcome.program.node.value))
    return false;
  const { program } = outcome;
  if (!isPlain(madeOf(state, program), program)) return false;
  const request = intake.commands.get("request");
  // What stands before the request may take it to pieces as well.
  return partOfUnit(intake, model).commands.every(
    (command) =>
      command.program === undefined ||
      command.program === program ||
      outermostCommand(command) !== request ||
      isPlain(
        [...nodesOfKind(command.program, "Call"), ...nodesOfKind(command.program, "Postfix")],
        command.program,
      ),
  );
}

/** All that a value is made of, with what its variables are bound to. */
function madeOf(value: Expression, program: JqProgram): ReturnType<typeof nodesIn> {
  const found = [...nodesIn(value)];
  const seen = new Set<Expression>();
  for (const node of found) {
    const source = node.kind === "Variable" ? boundTo(program, node) : undefined;
    if (source === undefined || seen.has(source)) continue;
    seen.add(source);
    found.push(...nodesIn(source));
  }
  return found;
}

/** Texts are taken to pieces in other ways than at a `?`: by what stands in them, which isn't known. */
const takesToPieces =
  /^(?:capture|scan|match|sub|gsub|test|[lr]?trimstr|splits|explode|index|rindex|indices|startswith|endswith|contains|ascii)$/;

function isPlain(nodes: ReturnType<typeof nodesIn>, program: JqProgram): boolean {
  return nodes.every((node) => {
    if (node.kind === "Postfix") return node.suffixes.every(({ kind }) => kind !== "Slice");
    if (node.kind !== "Call") return true;
    const { text } = node.name;
    const [separator] = node.arguments;
    if (text === "split") return separator !== undefined && constantOf(separator) === "?";
    return !takesToPieces.test(text) && program.diagnostics.length === 0;
  });
}

interface Wrong {
  readonly leaf: Leaf;
  readonly link: string;
  readonly address: string;
  readonly isLost: boolean;
}

/** Where the request behind page 1 goes to with a link of some form, if that is certainly not the next page. */
function wrongAddress(
  sent: Iteration,
  form: LinkForm,
  intake: IntakeSymbol,
  model: Model,
): Wrong | undefined {
  const list = listRequestOf(intake, model);
  if (list === undefined) return undefined;
  const leaves = leavesOf(sent).filter(({ expansion }) => expansion.command === list.command);
  if (leaves.some((leaf) => isMoving(leaf.expansion) && isKind(leaf.value, "unknown"))) return undefined;
  const [query, link] = [linkQuery(0), linkText(form, 0)];
  const isAddress = ({ expansion: { position } }: Leaf): boolean => position === "path" || position === "url";
  const address = filled(list.path, leaves.filter(isAddress));
  const parameters = leaves.filter((leaf) => !isAddress(leaf));
  const holding = parameters.filter(({ value }) => typeof value === "string" && value.includes(query));
  const at = (leaf: Leaf | undefined, isLost: boolean): Wrong | undefined =>
    typeof leaf?.value !== "string"
      ? undefined
      : { leaf, link, address: withParameters(address, parameters), isLost };
  const moving = leaves.filter(({ expansion }) => isMoving(expansion));
  if (!address.includes(query) && holding.length === 0)
    return at(moving.find(isAddress) ?? (moving.length === 1 ? moving[0] : undefined), true);
  // A service may take a whole link for a token.
  const part = holding.find(({ value }) => value !== link);
  if (part !== undefined) return at(part, false);
  return address.includes(query) && !leadsThere(address, query)
    ? at(moving.find(isAddress), false)
    : undefined;
}

/** What may be another value the next time. */
const isMoving = ({ root }: Expansion): boolean => root === "polling_state" || root === "piped_content";

/** Whether an address has one query, which is or ends with what leads to the page, and begins as one. */
function leadsThere(address: string, query: string): boolean {
  const [path = "", behind, ...others] = address.split("?");
  // Behind `next=` it is a parameter, and encoded.
  if (/[?&][\w[\]]+=(?:https?:\/)?\/?[\w./]*\?/.test(address)) return true;
  if (others.length > 0 || path.slice(1).includes("://")) return false;
  return behind?.split("&").includes(query) === true;
}

/** A path or URL with what its expansions are. */
function filled(path: string, leaves: readonly Leaf[]): string {
  return leaves.reduceRight((text, { expansion: { syntax }, value }) => {
    const known = resolved(value);
    const written = typeof known === "string" || typeof known === "number" ? `${known}` : "…";
    return text.slice(0, syntax.start) + written + text.slice(syntax.end);
  }, path);
}

function withParameters(address: string, parameters: readonly Leaf[]): string {
  const texts = parameters.flatMap(({ names, value }) =>
    typeof value === "string" || typeof value === "number" ? [`${names.at(-1)}=${value}`] : [],
  );
  return texts.length === 0 ? address : `${address}${address.includes("?") ? "&" : "?"}${texts.join("&")}`;
}
