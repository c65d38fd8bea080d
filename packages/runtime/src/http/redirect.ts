import { isSecretHeader } from "../redact.ts";

export interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Names of the headers that hold the connection's credentials: an app chooses how they are called (`header_key`). */
  readonly credentials?: readonly string[];
}

/**
 * The request that a redirect leads to; undefined where the answer is none (D21).
 *
 * 303 asks for a GET; after 301 and 302 a POST becomes one, as everywhere. Credentials don't go to another origin.
 *
 * @returns "refused" for a target that isn't a URL of HTTP
 */
export function redirected(
  hop: Hop,
  status: number,
  location: string | undefined,
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
  const sameOrigin = target.origin === new URL(hop.url).origin;
  const { credentials = [] } = hop;
  const isDropped = (name: string): boolean =>
    (becomesGet && name.startsWith("content-")) ||
    (!sameOrigin && (isSecretHeader(name) || credentials.includes(name)));
  return {
    method: becomesGet ? "GET" : hop.method,
    url: target.href,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !isDropped(name))),
    body: becomesGet ? undefined : hop.body,
    credentials: sameOrigin ? credentials : [],
  };
}
