import type { Model } from "../../bind/model.ts";
import type { JsonNode } from "../../parse/syntax-tree.ts";
import { parseTemplate } from "../../parse/template.ts";
import { readUrl } from "../../parse/url.ts";

/** What an app needs of the world around it. */
interface Capabilities {
  /** Hosts that requests go to, with their methods; `null` stands for any host. Expansions in a host are `${string}`. */
  readonly hosts: ReadonlyMap<string | null, ReadonlySet<string>>;
  /** Scopes that are asked for, by auth. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  /** Resources of the platform. */
  readonly resources: ReadonlySet<string>;
}

export function capabilitiesOf(model: Model): Capabilities {
  const hosts = new Map<string | null, Set<string>>();
  const add = (host: string | null | undefined, method: string): void => {
    if (host !== undefined) hosts.set(host, (hosts.get(host) ?? new Set()).add(method));
  };
  const base = hostOf(model.api?.node.get("base_url"));
  const resources = new Set<string>();
  for (const { key, argument } of model.commands) {
    if (key === "!resource" && argument?.kind === "string") resources.add(argument.value);
    if (key !== "!http" || argument?.kind !== "object") continue;
    const path = argument.get("path");
    // An absolute URL there is used as `url` (D17).
    const url = path?.kind === "string" && isAbsolute(path.value) ? path : argument.get("url");
    const method = argument.get("method");
    const name = method?.kind === "string" ? method.value.toUpperCase() : "GET";
    add(url === undefined ? base : hostOf(url), name);
  }
  for (const { node } of model.auths) {
    // Tokens are asked for, and credentials tried, by the host itself.
    const configuration = node?.kind === "object" ? node.get("configuration") : undefined;
    // Some write these beside `type` (E1).
    for (const owner of [configuration, node]) {
      if (owner?.kind !== "object") continue;
      for (const member of ["token_url", "refresh_url"]) add(hostOf(owner.get(member)), "POST");
      add(hostOf(owner.get("verify_url")), "GET");
    }
  }
  return { hosts, scopes: scopesOf(model), resources };
}

function scopesOf({ auths }: Model): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { name, node } of auths) {
    const configuration = node?.kind === "object" ? node.get("configuration") : undefined;
    const scopes = configuration?.kind === "object" ? configuration.get("scopes") : undefined;
    const texts = scopes?.kind === "array" ? scopes.items : [];
    found.set(
      name,
      texts.flatMap((each) => (each.kind === "string" ? [each.value] : [])),
    );
  }
  return found;
}

function isAbsolute(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** The host of a URL; null where an expansion may be any, undefined where there is no URL. */
function hostOf(node: JsonNode | undefined): string | null | undefined {
  if (node?.kind !== "string" || node.value === "") return undefined;
  const template = parseTemplate(node.value);
  let masked = "";
  let at = 0;
  for (const { start, end } of template?.expansions ?? []) {
    if (start === 0) return null;
    masked += `${node.value.slice(at, start)}\u0000`;
    at = end;
  }
  masked += node.value.slice(at);
  const url = readUrl(masked);
  if (url === undefined) return undefined;
  return masked
    .slice(url.host.start, url.port?.end ?? url.host.end)
    .toLowerCase()
    .replaceAll("\u0000", "${string}");
}
