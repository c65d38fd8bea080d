import type { JsonObject } from "@configc/jq";
import { percentDecoded } from "@configc/jq/internal";
import type { Exchange } from "../exchange.ts";

/** What is known of an app whose secrets are looked for. */
interface SecretSources {
  readonly exchanges: readonly Exchange[];
  /** What the customer typed and chose. */
  readonly form: JsonObject;
}

/**
 * Texts that are certainly secrets of the service (E211): members of its answers that are called so, and what a customer typed into a
 * field that is called so, if it is sent to the service. A key of somebody else's that a customer types is sent to somebody else.
 *
 * @param isOwn whether a URL is the service's
 */
export function knownSecrets(
  { exchanges, form }: SecretSources,
  isOwn: (url: string) => boolean,
): ReadonlySet<string> {
  const own = exchanges.filter(({ url }) => isOwn(url));
  const found = new Set<string>();
  for (const { responseBody } of own) if (SECRET.test(responseBody)) collect(parsed(responseBody), "", found);
  for (const [id, entry] of Object.entries(form)) {
    if (!SECRET.test(id) || typeof entry !== "object" || entry === null) continue;
    const { value } = entry as { readonly value?: unknown };
    if (isText(value) && own.some((exchange) => sentIn(exchange).includes(value))) found.add(value);
  }
  return found;
}

/** All that a request tells whoever gets it, also as it reads without the escapes of an address. */
export function sentIn({ url, headers, body = "" }: Exchange): string {
  return `${url} ${percentDecoded(url)} ${Object.values(headers).join(" ")} ${body}`;
}

function collect(value: unknown, name: string, found: Set<string>): void {
  if (isText(value) && SECRET.test(name)) found.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    collect(member, Array.isArray(value) ? name : key, found);
}

/** A token of a page or of a change is a place in a list, so `token` alone is no such name. */
const SECRET = /secret|password|passphrase|private_?key|api_?key|access_?token|refresh_?token|signing_?key/i;

/** A shorter text may be part of any other. */
const SHORTEST = 6;

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length >= SHORTEST;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
