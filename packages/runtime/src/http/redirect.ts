import { isSecretHeader } from "../redact/index.ts";

export interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Names of the headers that hold the connection's credentials: an app chooses how they are called (`header_key`). */
  readonly credentials?: readonly string[];
}

/** What says nothing but how an answer is to be written. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

/**
 * The request that a redirect leads to; undefined where the answer is none (D21, E31).
 *
 * 303 asks for a GET; after 301 and 302 a POST becomes one, as everywhere. Credentials don't go to another origin. What the config
 * wrote, headers and body, goes to another one only if both are the app's own.
 *
 * @param isOwn whether an origin is that of the app's API, or one that its host declares
 * @returns "refused" for a target that isn't a URL of HTTP
 */
export function redirected(
  hop: Hop,
  status: number,
  location: string | undefined,
  isOwn: (origin: string) => boolean,
): Hop | "refused" | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  let target: URL;
  try {
    target = new URL(location, hop.url);
  } catch {
    return "refused";
  }
  if (target.protocol !== "https:" && target.protocol !== "http:") return "refused";
  target.hash = "";
  const becomesGet =
    (status === 303 && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  const { origin } = new URL(hop.url);
  const sameOrigin = target.origin === origin;
  const trusted = sameOrigin || (isOwn(origin) && isOwn(target.origin));
  const hasBody = trusted && !becomesGet;
  const { credentials = [] } = hop;
  const isKept = (name: string): boolean => {
    if (!trusted) return harmless.has(name);
    if (!hasBody && name.startsWith("content-")) return false;
    return sameOrigin || !(isSecretHeader(name) || credentials.includes(name));
  };
  return {
    method: becomesGet ? "GET" : hop.method,
    url: target.href,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isKept(name))),
    body: hasBody ? hop.body : undefined,
    credentials: sameOrigin ? credentials : [],
  };
}
