import type { AppNode } from "@configc/compiler";
import type { BasicCredential, OAuthCredential } from "../effects.ts";
import { RunError } from "../errors.ts";
import { exchange, failureError, statusError } from "../http/exchange.ts";
import type { Hop } from "../http/redirect.ts";
import { retryAfter } from "../http/retry.ts";
import { jsonText } from "../json.ts";
import { base64 } from "../redact/index.ts";
import type { Frame } from "../step.ts";
import type { AuthSettings } from "./settings.ts";
import { type IssuedToken, readTokenAnswer } from "./token-answer.ts";

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

/** D27, D49: the log-in of a session: user name and password are added to the configured body unless it has them. */
export function logInRequest(
  { verifyUrl, requestBody }: AuthSettings,
  { username, password }: BasicCredential,
  frame: Frame,
): TokenRequest {
  const own = Object.entries({ username, password }).filter(([name]) => !Object.hasOwn(requestBody, name));
  return {
    method: "POST",
    url: verifyUrl(frame),
    headers: { accept: "application/json", "content-type": "application/json" },
    body: jsonText({ ...requestBody, ...Object.fromEntries(own) }),
  };
}

/** What refuses (D48); other statuses say that the service is busy or down, and nothing of the connection. */
function isRefusal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/**
 * Asks for a token, three times at most, with growing pauses of which each is cut by chance: many whose tokens run out at once
 * mustn't come back at once.
 *
 * It isn't bound to the signal of the run that began it: others wait for the token too, and a rotated one must not be lost.
 *
 * @throws RunError: `AuthError` if the server refused, `NetworkError` if it gave no answer, or was busy or down (D48)
 */
export async function requestToken(
  request: TokenRequest,
  frame: Frame,
  place: AppNode,
): Promise<IssuedToken> {
  const { clock, random } = frame.effects;
  const { signal } = new AbortController();
  for (let tries = 1; ; tries++) {
    const outcome = await exchange(request, frame, place, { signal, confidential: true });
    let error: RunError;
    let asked: number | undefined;
    if ("failure" in outcome) error = failureError(outcome.failure, request, frame, place);
    else {
      const { response } = outcome;
      const token = readTokenAnswer(response, clock.now());
      if (token.access_token !== undefined) {
        frame.tracer.secret(token.access_token);
        if (token.refresh_token !== undefined) frame.tracer.secret(token.refresh_token);
        return token;
      }
      asked = retryAfter(response.headers["retry-after"], clock.now());
      const reason = token.reason === undefined ? "" : `: ${frame.tracer.redact(token.reason)}`;
      const said =
        response.status < 400
          ? `the answer, with the status ${response.status}, has no \`access_token\`${reason}`
          : statusError(response, request, frame, place).message;
      const { status } = response;
      error = isRefusal(status)
        ? new RunError(
            "AuthError",
            `The token can't be renewed, so the customer must connect again: ${said}`,
            place,
            { status },
          )
        : new RunError("NetworkError", `The token can't be renewed now: ${said}`, place, {
            status,
          });
    }
    if (tries === TRIES) throw error;
    const backOff = FIRST_WAIT * 2 ** (tries - 1) * (0.5 + random.next() / 2);
    const wait = Math.min(asked ?? backOff, LONGEST_WAIT);
    frame.tracer.event(frame.span, place.pointer, "wait", {
      reason: "retry of a refresh",
      milliseconds: wait,
    });
    await clock.sleep(wait, signal);
  }
}
