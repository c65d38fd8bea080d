import type { Json, JsonObject } from "@configc/jq";
import type { HttpResponse } from "../effects.ts";
import { decode, readBody } from "../http/response.ts";
import { asExact, isObject, ownMember } from "../json.ts";

/** A token as an answer gives it; its members are those of a credential. */
export interface IssuedToken {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Milliseconds since 1970. Absent: it isn't known, and a 401 tells. */
  readonly expires_at?: number;
}

/** An answer without a token, with the reason that the service gives, if it does. */
export interface TokenRefusal {
  readonly access_token?: undefined;
  readonly reason: string | undefined;
}

/** UTF-16 units of a reason. */
const LONGEST_REASON = 300;

/**
 * What a token endpoint answered: JSON as the standard has it, or a form as some services give it. What services write instead of
 * leaving it out (an empty refresh token, a time of 0, none at all as text) counts as left out.
 *
 * @param now milliseconds since 1970
 */
export function readTokenAnswer(
  response: Pick<HttpResponse, "status" | "headers" | "body">,
  now: number,
): IssuedToken | TokenRefusal {
  const body = membersOf(response);
  const access = ownMember(body, "access_token");
  if (response.status >= 300 || typeof access !== "string" || access === "")
    return { reason: reasonOf(body) };
  const refresh = ownMember(body, "refresh_token");
  const seconds = secondsOf(ownMember(body, "expires_in"));
  return {
    access_token: access,
    ...(typeof refresh === "string" && refresh !== "" ? { refresh_token: refresh } : {}),
    ...(seconds === undefined ? {} : { expires_at: now + seconds * 1_000 }),
  };
}

function membersOf(response: Pick<HttpResponse, "headers" | "body">): JsonObject {
  let body: Json;
  try {
    body = readBody(response);
  } catch {
    // It breaks off: whatever it says, it isn't all.
    return {};
  }
  if (isObject(body)) return body;
  const text = decode(response.body, response.headers["content-type"] ?? "");
  return Object.fromEntries(new URLSearchParams(text));
}

/** A token that is over before it is used would be renewed for every request. */
function secondsOf(given: Json | undefined): number | undefined {
  const isNumber = typeof given === "number" || typeof given === "string" || asExact(given) !== undefined;
  const seconds = isNumber ? Number(String(given)) : Number.NaN;
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}

/** `error_description` or `error`; services of their own ways have a message, or an object with one. */
function reasonOf(body: JsonObject): string | undefined {
  const error = ownMember(body, "error");
  const inner = isObject(error) ? [ownMember(error, "message"), ownMember(error, "code")] : [];
  const given = [ownMember(body, "error_description"), error, ...inner, ownMember(body, "message")];
  const reason = given.find((each) => typeof each === "string" && each !== "");
  return typeof reason === "string" ? reason.slice(0, LONGEST_REASON) : undefined;
}
