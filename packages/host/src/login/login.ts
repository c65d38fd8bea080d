import type { App } from "@configc/compiler";
import { type Http, type HttpFailure, isHttpFailure, type OAuthCredential } from "@configc/runtime";
import { type IssuedToken, readTokenAnswer } from "@configc/runtime/internal";
import * as oauth from "oauth4webapi";
import { LoginError } from "./error.ts";
import { type LoginClient, type LoginSettings, loginSettings } from "./settings.ts";

/** A login that has begun: JSON, to be kept in the customer's session until the service sends them back. */
export interface PendingLogin {
  /** Where the customer has to go. */
  readonly url: string;
  readonly auth: string;
  readonly redirectUri: string;
  /** Ties the answer to this login. */
  readonly state: string;
  /** Proves that who exchanges the code is who asked for it (PKCE): secret. */
  readonly verifier: string;
}

/** What the begin of a login takes. */
export interface LoginOptions extends LoginClient {
  /** As it is registered with the service. */
  readonly redirectUri: string;
}

const CLIENT_HINT =
  "Are client_id and client_secret right, and does the service want them as parameters (`include_client_id`)?";

/** Milliseconds of the token request. */
const TIMEOUT = 30_000;
const MOST_BYTES = 1024 * 1024;

/**
 * Begins a login: authorization code with PKCE and state.
 *
 * @param auth name in the app's `auth`
 * @throws LoginError `config`
 */
export async function beginLogin(app: App, auth: string, options: LoginOptions): Promise<PendingLogin> {
  const { redirectUri } = options;
  const { authorizationUrl: url, clientId, scopes } = loginSettings(app, auth, options);
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  url.searchParams.set("response_type", "code");
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("redirect_uri", redirectUri);
  if (scopes.length > 0) url.searchParams.set("scope", scopes.join(" "));
  url.searchParams.set("state", state);
  url.searchParams.set("code_challenge", await oauth.calculatePKCECodeChallenge(verifier));
  url.searchParams.set("code_challenge_method", "S256");
  return { url: url.href, auth, redirectUri, state, verifier };
}

/**
 * Ends a login: checks what the service sent the customer back with, and exchanges the code for tokens.
 *
 * @param callback the whole URL that the customer came back to, or its query
 * @param http of the host: its rules about addresses hold for the token request too
 * @throws LoginError
 */
export async function finishLogin(
  app: App,
  pending: PendingLogin,
  callback: URL | URLSearchParams,
  { http, now = Date.now, signal, ...client }: LoginClient & FinishOptions,
): Promise<OAuthCredential> {
  const settings = loginSettings(app, pending.auth, client);
  const query = callback instanceof URL ? callback.searchParams : callback;
  const { server, client: registered } = partiesOf(settings, query);
  const parameters = answerOf(server, registered, query, pending);
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      registered,
      settings.includeClientId
        ? oauth.ClientSecretPost(settings.clientSecret)
        : oauth.ClientSecretBasic(settings.clientSecret),
      parameters,
      pending.redirectUri,
      pending.verifier,
      {
        // Loopback servers of tests have no certificate; who asks for another plain URL was warned by the checker (D28).
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url, init) => fetchBy(http, url, init),
        additionalParameters: settings.tokenParameters,
        ...(signal === undefined ? {} : { signal }),
      },
    );
    const token = await issuedToken(answer, settings, now());
    return {
      ...token,
      // Those that aren't in the config are needed again when the token is renewed.
      ...(client.clientId === undefined ? {} : { client_id: client.clientId }),
      ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }),
    };
  } catch (error) {
    throw tokenError(error, settings, signal);
  }
}

/** What the end of a login takes: requests for the tokens, and the time. */
export interface FinishOptions {
  readonly http: Http;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
}

/** No metadata of the server is known. An issuer that it names is taken, because there is nothing to compare it with. */
function partiesOf({ authorizationUrl, tokenUrl, clientId }: LoginSettings, query: URLSearchParams) {
  const server: oauth.AuthorizationServer = {
    issuer: query.get("iss") ?? tokenUrl.origin,
    authorization_endpoint: authorizationUrl.href,
    token_endpoint: tokenUrl.href,
  };
  return { server, client: { client_id: clientId } satisfies oauth.Client };
}

function answerOf(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  query: URLSearchParams,
  { state }: PendingLogin,
): URLSearchParams {
  if (query.get("state") !== state || query.getAll("state").length > 1)
    throw new LoginError("state", "This answer belongs to another login, or to none. Begin again.");
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(server, client, query, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError))
      throw new LoginError(
        "token",
        "The service sent the customer back with an answer that makes no sense.",
        error,
      );
    const why = error.error_description ?? error.error;
    throw new LoginError("refused", `The service didn't give access: ${why.slice(0, 300)}.`, error);
  }
  const codes = query.getAll("code");
  if (codes.length === 1 && codes[0] !== "") return parameters;
  throw new LoginError(
    "token",
    `The service sent the customer back with ${codes.length > 1 ? "several codes" : "no code"}.`,
  );
}

/** Through the host's own HTTP, so that its rules about addresses hold. */
async function fetchBy(
  http: Http,
  url: string,
  { method, headers, body, signal }: oauth.CustomFetchOptions<string, URLSearchParams>,
): Promise<Response> {
  const answer = await http.request({
    method,
    url,
    headers,
    body: String(body),
    signal: signal ?? new AbortController().signal,
    timeout: TIMEOUT,
    maxBytes: MOST_BYTES,
  });
  const { status } = answer;
  return new Response(status === 204 || status === 304 ? null : Uint8Array.from(answer.body), {
    status,
    headers: answer.headers,
  });
}

/** @throws LoginError `token`, with the reason that the service gives */
async function issuedToken(answer: Response, { tokenUrl }: LoginSettings, now: number): Promise<IssuedToken> {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  const token = readTokenAnswer({ status, headers, body: new Uint8Array(await answer.arrayBuffer()) }, now);
  if (token.access_token !== undefined) return token;
  const { reason } = token;
  const isClient = status === 401 || reason === "invalid_client";
  const why = reason === undefined ? "without a token" : `without a token: ${reason}`;
  throw new LoginError(
    "token",
    `${addressOf(tokenUrl)} answered with the status ${status} and ${why}.${isClient ? ` ${CLIENT_HINT}` : ""}`,
  );
}

function addressOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

function tokenError(
  error: unknown,
  { tokenUrl }: LoginSettings,
  signal: AbortSignal | undefined,
): LoginError {
  if (error instanceof LoginError) return error;
  if (signal?.aborted === true) return new LoginError("cancelled", "The login was cancelled.", error);
  const failure = [error, (error as Error | undefined)?.cause].find((each): each is HttpFailure =>
    isHttpFailure(each),
  );
  const { message } = failure ?? (error instanceof Error ? error : new Error(String(error)));
  return new LoginError("token", `${addressOf(tokenUrl)} couldn't be asked for a token: ${message}`);
}
