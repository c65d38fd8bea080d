import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { BasicCredential, OAuthCredential } from "../effects.ts";
import { RunError } from "../errors.ts";
import { exchange, failureError, statusError } from "../http/exchange.ts";
import type { Hop } from "../http/redirect.ts";
import { decode, readBody } from "../http/response.ts";
import { retryAfter } from "../http/retry.ts";
import { isObject, jsonText, ownMember } from "../json.ts";
import { base64 } from "../redact.ts";
import type { Frame } from "../step.ts";
import type { AuthSettings } from "./settings.ts";

/** A token as an answer gives it; its members are those of a credential. */
export interface IssuedToken {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Milliseconds since 1970. */
  readonly expires_at?: number;
}

export type TokenRequest = Hop;

/** After so many failures the customer has to connect again (D30). */
const TRIES = 3;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** D28: the refresh of an OAuth 2 token. */
export function refreshRequest(settings: AuthSettings, old: OAuthCredential, frame: Frame): TokenRequest {
  const id = old.client_id ?? settings.clientId;
  const secret = old.client_secret ?? settings.clientSecret;
  frame.tracer.secret(secret);
  const form = new URLSearchParams(settings.tokenRequestBody as [string, string][]);
  form.set("grant_type", "refresh_token");
  form.set("refresh_token", old.refresh_token!);
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  };
  if (settings.includeClientId) {
    form.set("client_id", id);
    form.set("client_secret", secret);
  } else {
    // Encoded before it is joined, so that a colon in an id is none between the two.
    const pair = base64(new TextEncoder().encode(`${formText(id)}:${formText(secret)}`));
    frame.tracer.secret(pair);
    headers["authorization"] = `Basic ${pair}`;
  }
  return { method: "POST", url: settings.refreshUrl(frame), headers, body: form.toString() };
}

function formText(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** D27: the log-in of a session: user name and password are added to the configured body. */
export function logInRequest(
  { verifyUrl, requestBody }: AuthSettings,
  { username, password }: BasicCredential,
  frame: Frame,
): TokenRequest {
  return {
    method: "POST",
    url: verifyUrl(frame),
    headers: { accept: "application/json", "content-type": "application/json" },
    body: jsonText({ ...requestBody, username, password }),
  };
}

/**
 * Asks for a token, three times at most.
 *
 * It isn't bound to the signal of the run that began it: others wait for the token too, and a rotated one must not be lost.
 *
 * @throws RunError: `AuthError` if the server refused, `NetworkError` if it gave no answer
 */
export async function requestToken(
  request: TokenRequest,
  frame: Frame,
  place: AppNode,
): Promise<IssuedToken> {
  const { clock } = frame.effects;
  const { signal } = new AbortController();
  for (let tries = 1; ; tries++) {
    const outcome = await exchange(request, frame, place, { signal, confidential: true });
    let error: RunError;
    let wait = FIRST_WAIT * 2 ** (tries - 1);
    if ("failure" in outcome) error = failureError(outcome.failure, request, frame, place);
    else {
      const { response } = outcome;
      const token = response.status < 400 ? issuedToken(response, clock.now()) : undefined;
      if (token !== undefined) {
        frame.tracer.secret(token.access_token);
        if (token.refresh_token !== undefined) frame.tracer.secret(token.refresh_token);
        return token;
      }
      wait = Math.min(retryAfter(response.headers["retry-after"], clock.now()) ?? wait, LONGEST_WAIT);
      const said =
        response.status < 400
          ? "the answer has no `access_token`"
          : statusError(response, request, frame, place).message;
      error = new RunError(
        "AuthError",
        `The token can't be renewed, so the connection has to be connected again: ${said}`,
        place,
        { status: response.status },
      );
    }
    if (tries === TRIES) throw error;
    frame.tracer.event(frame.span, place.pointer, "wait", {
      reason: "retry of a refresh",
      milliseconds: wait,
    });
    await clock.sleep(wait, signal);
  }
}

type Answer = Parameters<typeof readBody>[0];

/** The token in an answer: JSON, or a form as some servers give it. */
function issuedToken(response: Answer, now: number): IssuedToken | undefined {
  let body: Json = readBody(response);
  if (!isObject(body)) {
    const text = decode(response.body, response.headers["content-type"] ?? "");
    body = Object.fromEntries(new URLSearchParams(text));
  }
  const access = ownMember(body, "access_token");
  const refresh = ownMember(body, "refresh_token");
  const seconds = Number(ownMember(body, "expires_in") ?? Number.NaN);
  if (typeof access !== "string" || access === "") return undefined;
  return {
    access_token: access,
    ...(typeof refresh === "string" && refresh !== "" ? { refresh_token: refresh } : {}),
    ...(Number.isFinite(seconds) ? { expires_at: now + seconds * 1_000 } : {}),
  };
}
