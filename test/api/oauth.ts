import { createHash, randomBytes } from "node:crypto";
import type { Answer, Exchange } from "./request.ts";

export const CLIENT_ID = "client-1";
export const CLIENT_SECRET = "canary-client-secret";

interface Grant {
  readonly refresh: string;
  /** Those that were valid before: to see one again means that it was stolen. */
  readonly used: Set<string>;
}

/** An authorization server: the code flow with PKCE, short-lived access tokens, refresh tokens that rotate. */
export class OAuthServer {
  /** Seconds. */
  lifetime: number;
  /** How often a token was renewed. */
  refreshes = 0;
  /** Whether a refresh token that was used already showed up, which ends the grant. */
  reused = false;
  readonly #now: () => number;
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  readonly #tokens = new Map<string, number>();
  #grant: Grant | undefined;

  constructor(now: () => number, lifetime: number) {
    this.#now = now;
    this.lifetime = lifetime;
  }

  /** Tokens as if a customer had connected. */
  issue(): { access_token: string; refresh_token: string; expires_in: number } {
    const access = `canary-access-${randomBytes(8).toString("hex")}`;
    const refresh = `canary-refresh-${randomBytes(8).toString("hex")}`;
    const used = this.#grant?.used ?? new Set<string>();
    if (this.#grant !== undefined) used.add(this.#grant.refresh);
    this.#grant = { refresh, used };
    this.#tokens.set(access, this.#now() + this.lifetime * 1_000);
    return { access_token: access, refresh_token: refresh, expires_in: this.lifetime };
  }

  /** All access tokens stop working, as when a server forgets them. */
  expireAll(): void {
    this.#tokens.clear();
  }

  accepts(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
    return token !== undefined && (this.#tokens.get(token) ?? 0) > this.#now();
  }

  answer(exchange: Exchange): Answer {
    if (exchange.path === "/oauth/authorize") return this.#authorize(exchange.query);
    if (exchange.path === "/oauth/token" && exchange.method === "POST") return this.#token(exchange);
    return { status: 404 };
  }

  /** The customer agrees at once. */
  #authorize(query: URLSearchParams): Answer {
    const redirect = query.get("redirect_uri") ?? "";
    const challenge = query.get("code_challenge") ?? "";
    if (query.get("client_id") !== CLIENT_ID || query.get("code_challenge_method") !== "S256")
      return { status: 400, json: { error: "invalid_request" } };
    const target = new URL(redirect);
    target.searchParams.set("state", query.get("state") ?? "");
    if (query.get("scope")?.includes("refused") === true) target.searchParams.set("error", "access_denied");
    else {
      const code = randomBytes(8).toString("hex");
      this.#codes.set(code, { challenge, redirect });
      target.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: target.href } };
  }

  #token({ headers, body }: Exchange): Answer {
    const form = new URLSearchParams(body);
    if (!isClient(headers.authorization, form)) return { status: 401, json: { error: "invalid_client" } };
    const invalid: Answer = { status: 400, json: { error: "invalid_grant" } };
    if (form.get("grant_type") === "authorization_code") {
      const code = this.#codes.get(form.get("code") ?? "");
      this.#codes.delete(form.get("code") ?? "");
      const verifier = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (code === undefined || code.redirect !== form.get("redirect_uri") || code.challenge !== verifier)
        return invalid;
      return { json: { token_type: "Bearer", ...this.issue() } };
    }
    const given = form.get("refresh_token") ?? "";
    if (this.#grant?.used.has(given) === true) {
      this.reused = true;
      this.#grant = undefined;
      this.expireAll();
    }
    if (form.get("grant_type") !== "refresh_token" || this.#grant?.refresh !== given) return invalid;
    this.refreshes++;
    return { json: { token_type: "Bearer", ...this.issue() } };
  }
}

function isClient(authorization: string | undefined, form: URLSearchParams): boolean {
  const pair = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
  const [id, secret] =
    pair === undefined
      ? [form.get("client_id"), form.get("client_secret")]
      : Buffer.from(pair, "base64").toString().split(":").map(decodeURIComponent);
  return id === CLIENT_ID && secret === CLIENT_SECRET;
}
