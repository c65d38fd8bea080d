import type { AppAuth, AppValue } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { literalOf, membersOf, templateOf } from "../commands/argument.ts";
import { RunError } from "../errors.ts";
import { compileUrl, type UrlMaker } from "../http/url.ts";
import { isObject } from "../json.ts";

/** The settings of an auth entry that requests are made with (D27, D28). */
export interface AuthSettings {
  readonly refreshUrl: UrlMaker;
  readonly verifyUrl: UrlMaker;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether the client's credentials are parameters; otherwise they are sent by HTTP Basic. */
  readonly includeClientId: boolean;
  readonly tokenRequestBody: readonly (readonly [string, string])[];
  readonly requestBody: Readonly<Record<string, Json>>;
  readonly headerKey: string;
  readonly tokenPrefix: string;
}

export function authSettings(auth: AppAuth): AuthSettings {
  const members = membersOf(auth.configuration);
  const text = (name: string) => {
    const value = literalOf(members.get(name));
    return typeof value === "string" ? value : "";
  };
  const body = literalOf(members.get("request_body"));
  return {
    refreshUrl: urlOf(auth, members, members.has("refresh_url") ? "refresh_url" : "token_url"),
    verifyUrl: urlOf(auth, members, "verify_url"),
    clientId: text("client_id"),
    clientSecret: text("client_secret"),
    includeClientId: literalOf(members.get("include_client_id")) === true,
    tokenRequestBody: parameters(literalOf(members.get("token_request_body"))),
    requestBody: isObject(body) ? body : {},
    headerKey: text("header_key") || "authorization",
    tokenPrefix: text("token_prefix"),
  };
}

function urlOf(auth: AppAuth, members: ReadonlyMap<string, AppValue>, name: string): UrlMaker {
  const template = templateOf(members.get(name));
  if (template !== undefined) return compileUrl(template, auth);
  return () => {
    throw new RunError("AuthError", `\`${auth.name}\` has no \`${name}\`.`, auth);
  };
}

/** E4: an object, or a form-encoded string. */
function parameters(value: Json | undefined): (readonly [string, string])[] {
  if (typeof value === "string") return [...new URLSearchParams(value)];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    item === null || typeof item === "object" ? [] : [[name, String(item)] as const],
  );
}
