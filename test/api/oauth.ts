import { createHash, randomBytes } from "node:crypto";
import type { Answer, Exchange } from "./request.ts";

export const CLIENT_ID = "client-1";
export const CLIENT_SECRET = "canary-client-secret";

export interface OAuthOptions {
  /** Seconds that an access token lives; 0 is none. */
  readonly lifetime: number;
  /** Where customers are sent. */
  readonly authorizePath?: string;
  readonly tokenPath?: string;
  /** How the client says who it is. Default: as it likes. */
  readonly client?: "basic" | "parameters" | "either";
  /** What a login has to ask for. Default: anything. */
  readonly scopes?: readonly string[];
}

/** What one account has given. */
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
  readonly #options: Required<Omit<OAuthOptions, "lifetime">>;
  readonly #codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly account: string }
  >();
  readonly #tokens = new Map<string, { readonly until: number; readonly account: string }>();
  readonly #grants = new Map<string, Grant>();

  constructor(now: () => number, { lifetime, ...options }: OAuthOptions) {
    this.#now = now;
    this.lifetime = lifetime;
    this.#options = {
      authorizePath: "/oauth/authorize",
      tokenPath: "/oauth/token",
      client: "either",
      scopes: [],
      ...options,
    };
  }

  /** Tokens as if a customer had connected (again). */
  issue(account = "c-1"): { access_token: string; refresh_token: string; expires_in: number } {
    const access = `canary-access-${randomBytes(8).toString("hex")}`;
    const refresh = `canary-refresh-${randomBytes(8).toString("hex")}`;
    const before = this.#grants.get(account);
    const used = before?.used ?? new Set<string>();
    if (before !== undefined) used.add(before.refresh);
    this.#grants.set(account, { refresh, used });
    this.#tokens.set(access, { until: this.#now() + this.lifetime * 1_000, account });
    return { access_token: access, refresh_token: refresh, expires_in: this.lifetime };
  }

  /** All access tokens stop working, as when a server forgets them. */
  expireAll(): void {
    this.#tokens.clear();
  }

  accepts(authorization: string | undefined): boolean {
    return this.accountOf(authorization) !== undefined;
  }

  /** Whose token it is; undefined if it isn't valid (any more). */
  accountOf(authorization: string | undefined): string | undefined {
    const token = this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? "")?.[1] ?? "");
    return token !== undefined && token.until > this.#now() ? token.account : undefined;
  }

  answer(exchange: Exchange): Answer {
    const { authorizePath, tokenPath } = this.#options;
    if (exchange.path === authorizePath) return this.#authorize(exchange);
    if (exchange.path === tokenPath && exchange.method === "POST") return this.#token(exchange);
    return { status: 404 };
  }

  /** The customer agrees at once; who it is, the browser's cookie tells. */
  #authorize({ query, headers }: Exchange): Answer {
    const redirect = query.get("redirect_uri") ?? "";
    const challenge = query.get("code_challenge") ?? "";
    const scopes = (query.get("scope") ?? "").split(" ");
    if (
      query.get("client_id") !== CLIENT_ID ||
      query.get("code_challenge_method") !== "S256" ||
      query.get("response_type") !== "code"
    )
      return { status: 400, json: { error: "invalid_request" } };
    const target = new URL(redirect);
    target.searchParams.set("state", query.get("state") ?? "");
    if (scopes.some((scope) => scope.includes("refused"))) target.searchParams.set("error", "access_denied");
    else if (this.#options.scopes.some((scope) => !scopes.includes(scope)))
      target.searchParams.set("error", "invalid_scope");
    else {
      const code = randomBytes(8).toString("hex");
      const account = /\baccount=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "c-1";
      this.#codes.set(code, { challenge, redirect, account });
      target.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: target.href } };
  }

  #token({ headers, body }: Exchange): Answer {
    const form = new URLSearchParams(body);
    if (!this.#isClient(headers.authorization, form))
      return { status: 401, json: { error: "invalid_client" } };
    const invalid: Answer = { status: 400, json: { error: "invalid_grant" } };
    if (form.get("grant_type") === "authorization_code") {
      const code = this.#codes.get(form.get("code") ?? "");
      this.#codes.delete(form.get("code") ?? "");
      const verifier = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (code === undefined || code.redirect !== form.get("redirect_uri") || code.challenge !== verifier)
        return invalid;
      return { json: { token_type: "Bearer", ...this.issue(code.account) } };
    }
    const given = form.get("refresh_token") ?? "";
    const thief = [...this.#grants].find(([, { used }]) => used.has(given));
    if (thief !== undefined) {
      this.reused = true;
      this.#grants.delete(thief[0]);
      this.expireAll();
    }
    const owner = [...this.#grants].find(([, { refresh }]) => refresh === given);
    if (form.get("grant_type") !== "refresh_token" || owner === undefined) return invalid;
    this.refreshes++;
    return { json: { token_type: "Bearer", ...this.issue(owner[0]) } };
  }

  #isClient(authorization: string | undefined, form: URLSearchParams): boolean {
    const pair = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
    if (this.#options.client === (pair === undefined ? "basic" : "parameters")) return false;
    const [id, secret] =
      pair === undefined
        ? [form.get("client_id"), form.get("client_secret")]
        : Buffer.from(pair, "base64").toString().split(":").map(decodeURIComponent);
    return id === CLIENT_ID && secret === CLIENT_SECRET;
  }
}
