import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Who looks at the pages, or asks the API. */
export interface Operator {
  /** For the record. */
  readonly name: string;
}

/** What decides who may. */
export interface Access {
  /** @returns undefined: nobody who may */
  operator(request: IncomingMessage): Operator | undefined | Promise<Operator | undefined>;
  /** Takes a token that was typed in, and gives a cookie that stands for it; undefined: it is the wrong one, or there are no tokens. */
  logIn(token: string): string | undefined;
  /** Whether a person can type a token in. */
  readonly asksForToken: boolean;
}

const COOKIE = "configc_operator";
/** Milliseconds for which who has typed the token in needn't again. */
const SESSION = 12 * 60 * 60_000;
const MOST_SESSIONS = 1_000;

/**
 * Everybody who reaches it: for an address that only this machine's users can reach.
 *
 * @param name of the user of the system
 */
export function everybody(name: string): Access {
  return { operator: () => ({ name }), logIn: () => undefined, asksForToken: false };
}

/** Who has a token: as `authorization: Bearer …`, or typed in once for a browser. @param by whose name stands in the record */
export function withToken(token: string, by: string): Access {
  const sessions = new Map<string, number>();
  const isIt = (given: string): boolean => timingSafeEqual(digest(given), digest(token));
  return {
    asksForToken: true,
    operator({ headers }) {
      const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? "") ?? [];
      if (bearer !== undefined) return isIt(bearer) ? { name: by } : undefined;
      const [, session = ""] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? "") ?? [];
      return (sessions.get(session) ?? 0) > Date.now() ? { name: by } : undefined;
    },
    logIn(given) {
      if (!isIt(given)) return undefined;
      const session = randomBytes(32).toString("base64url");
      const [oldest] = sessions.keys();
      if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      sessions.set(session, Date.now() + SESSION);
      // Without a path it holds for where it was logged in at, and below.
      return `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Max-Age=${SESSION / 1_000}`;
    },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/**
 * Why a request isn't answered, whoever sends it: another site's name that leads here (DNS rebinding), or a form of another page.
 *
 * @param local whether it listens on loopback only
 * @returns a status and what is said; undefined: nothing is wrong
 */
export function refusal(
  { headers, method }: IncomingMessage,
  local: boolean,
): readonly [status: number, message: string] | undefined {
  const { host = "", origin } = headers;
  if (local && !LOOPBACK.test(host)) return [421, "These pages are for this machine only."];
  if (method === "GET" || method === "HEAD") return undefined;
  const site = headers["sec-fetch-site"];
  // A browser always says where a form comes from; who has no browser sends the token. What no page can set is believed: behind a proxy, `host` may be
  // another name than the browser's.
  const isOwn =
    origin === undefined
      ? headers.authorization !== undefined && (site ?? "same-origin") === "same-origin"
      : (site ?? (sameHost(origin, host) ? "same-origin" : "")) === "same-origin";
  return isOwn ? undefined : [403, "This was sent from another page."];
}

function sameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
