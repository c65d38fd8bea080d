import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import type { Section } from "../../../language/schema.ts";
import { authEntry, oauth2Configuration } from "../../../language/sections/auth.ts";
import type { JsonNode, StringNode } from "../../../parse/syntax-tree.ts";
import { parseTemplate, type Template } from "../../../parse/template.ts";
import { maskValues, type Origin, originOf } from "../../../parse/url.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";
import { excerpt } from "../../message-text.ts";

/** A string of the document that is a URL, or a path that is added to one. */
export interface UrlSite {
  readonly node: StringNode;
  readonly template: Template | undefined;
  /** The text with its expansions made into letters, of the same length; see `maskValues`. */
  readonly masked: string;
  readonly kind: "base" | "auth" | "url" | "path";
  /** As it reads in a message: "`token_url` of `acme`". */
  readonly owner: string;
  /** The `!http` of a `url` or `path`. */
  readonly command: Command | undefined;
}

/** Every URL and path of the document. Those with a broken expansion are left out: where they end isn't known. */
export const urlSites: (model: Model) => readonly UrlSite[] = derived((model) => [
  ...sitesInAuth(model),
  ...baseSite(model),
  ...sitesInRequests(model),
]);

function sitesInAuth({ auths }: Model): readonly UrlSite[] {
  return auths.flatMap(({ name, node, type }) => {
    if (node?.kind !== "object" || type === undefined) return [];
    return [node, node.get("configuration")].flatMap((object) => {
      if (object?.kind !== "object") return [];
      return urlMembers(type).flatMap(
        (member) => siteAt(object.get(member), "auth", `\`${member}\` of \`${name}\``) ?? [],
      );
    });
  });
}

/** `api.base_url`, if it is there. */
export function baseSite({ api }: Model): readonly UrlSite[] {
  const site = siteAt(api?.node.get("base_url"), "base", "`base_url`");
  return site === undefined ? [] : [site];
}

const sitesInRequests = derivedByPart(requestSites);

/** The URLs and paths of a document of which something holds, whatever stands elsewhere. */
export function urlSitesWhere(holds: (site: UrlSite) => boolean): (model: Model) => readonly UrlSite[] {
  const inRequests = derivedByPart((part, model) =>
    ofPart(part, model, requestSites, () => requestSites(part)).filter(holds),
  );
  return (model) => [...[...sitesInAuth(model), ...baseSite(model)].filter(holds), ...inRequests(model)];
}

/** The URLs and paths of the requests in a part. */
export function requestSites({ commands }: Part): readonly UrlSite[] {
  const found: UrlSite[] = [];
  for (const command of commands) {
    const { key, argument } = command;
    if (key !== "!http" || argument?.kind !== "object") continue;
    const path = siteAt(argument.get("path"), "path", "`path`", command);
    const url = siteAt(argument.get("url"), "url", "`url`", command);
    if (path !== undefined) found.push(path);
    if (url !== undefined) found.push(url);
  }
  return found;
}

function siteAt(
  node: JsonNode | undefined,
  kind: UrlSite["kind"],
  owner: string,
  command?: Command,
): UrlSite | undefined {
  // Empty texts are reported as such (`structure/empty-text`).
  if (node?.kind !== "string" || !node.valid || node.value === "") return undefined;
  const template = parseTemplate(node.value);
  if (template?.expansions.some(({ problem }) => problem !== undefined) === true) return undefined;
  return { node, template, masked: maskValues(node.value, template), kind, owner, command };
}

/** The members of an auth type that are URLs, in its entry or in the `configuration` of it. */
function urlMembers(type: string): readonly string[] {
  if (!Object.hasOwn(authEntry.variants, type)) return [];
  if (type === "oauth2") return oauthUrls;
  return namesOfUrls(authEntry.variants[type]!());
}

function namesOfUrls({ members }: Section): string[] {
  return Object.entries(members).flatMap(([name, { value }]) =>
    value.kind === "text" && value.format === "url" ? [name] : [],
  );
}

const oauthUrls = namesOfUrls(oauth2Configuration);

/** Whether a text is nothing known up to its first expansion: `${data.connection.server}/items`. */
export function beginsWithExpansion({ template }: UrlSite): boolean {
  return template?.expansions[0]?.start === 0;
}

/** Whether an expansion can't stand in a URL of `api` or `auth`, which is reported as such (D11). */
export function isOutOfScope({ template }: UrlSite): boolean {
  return template?.expansions.some(({ path }) => path[0]?.text !== "subdomain") === true;
}

/** Whether a `path` is a whole URL, which is taken as `url` (D17). */
export function isAbsolute(site: UrlSite): boolean {
  return !beginsWithExpansion(site) && /^https?:\/\//i.test(site.masked);
}

/** The origin of `api.base_url`. */
export function baseOrigin(model: Model): Origin | undefined {
  const [base] = baseSite(model);
  return base === undefined ? undefined : originOf(base.node.value, base.template);
}

/** A URL for a message: short, and without what may be secret, user information and query (D29). */
export function printable(url: string): string {
  return excerpt(url.replace(/^(\w+:\/\/)?[^/?#\s]*@/, "$1…@").replace(/\?.*$/s, "?…"));
}
