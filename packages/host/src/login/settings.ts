import type { App, AppAuth, AppValue } from "@configc/compiler";
import { LoginError } from "./error.ts";

/** What the authorization-code flow needs of an auth entry (D28). */
export interface LoginSettings {
  readonly authorizationUrl: URL;
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** The client's credentials are parameters of the token request; otherwise they are sent by HTTP Basic. */
  readonly includeClientId: boolean;
  readonly tokenParameters: URLSearchParams;
}

/** What stands in for placeholders of the config in a login. */
export interface LoginClient {
  /** Instead of the config's placeholders. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** What the customer gave for `defined_fields.subdomain`. */
  readonly subdomain?: string;
}

/** What the config leaves to whoever logs in. */
export type LoginNeed = "client_id" | "client_secret" | "subdomain";

/**
 * What a login needs besides the config, and isn't given: the config has nothing there, or a placeholder.
 *
 * @param name of an oauth2 entry in the app's `auth`; others need nothing, since they have no login
 */
export function loginNeeds(app: App, name: string, client: LoginClient): readonly LoginNeed[] {
  const auth = Object.hasOwn(app.auth, name) ? app.auth[name] : undefined;
  if (auth?.type !== "oauth2") return [];
  const members = membersOf(auth.configuration);
  const isOpen = (member: string): boolean => {
    const value = members.get(member);
    return !(value !== undefined && "literal" in value && isFilledIn(value.literal));
  };
  const urls = ["authorization_base_url", "token_url"].flatMap((member) => members.get(member) ?? []);
  const needs: LoginNeed[] = [];
  if (client.clientId === undefined && isOpen("client_id")) needs.push("client_id");
  if (client.clientSecret === undefined && isOpen("client_secret")) needs.push("client_secret");
  if (client.subdomain === undefined && urls.some((url) => "template" in url)) needs.push("subdomain");
  return needs;
}

/** @throws LoginError `config` where something is missing */
export function loginSettings(app: App, name: string, client: LoginClient): LoginSettings {
  const auth = Object.hasOwn(app.auth, name) ? app.auth[name] : undefined;
  if (auth === undefined) throw new LoginError("config", `The app has no auth entry “${name}”.`);
  if (auth.type !== "oauth2")
    throw new LoginError("config", `“${name}” is of the type ${auth.type}: only oauth2 has a login.`);
  const members = membersOf(auth.configuration);
  const text = (member: string): string => {
    const value = members.get(member);
    return value !== undefined && "literal" in value && typeof value.literal === "string"
      ? value.literal
      : "";
  };
  const literal = (member: string): unknown => {
    const value = members.get(member);
    return value !== undefined && "literal" in value ? value.literal : undefined;
  };
  const scopes = literal("scopes");
  return {
    authorizationUrl: urlOf(auth, members.get("authorization_base_url"), "authorization_base_url", client),
    tokenUrl: urlOf(auth, members.get("token_url"), "token_url", client),
    clientId: filledIn(client.clientId ?? text("client_id"), "client_id", auth),
    clientSecret: filledIn(client.clientSecret ?? text("client_secret"), "client_secret", auth),
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
    includeClientId: literal("include_client_id") === true,
    tokenParameters: parametersOf(literal("token_request_body")),
  };
}

function membersOf(value: AppValue): ReadonlyMap<string, AppValue> {
  if ("members" in value)
    return new Map(value.members.map(({ key, value: inner }) => [key.join(""), inner] as const));
  const { literal } = value as { readonly literal?: unknown };
  if (typeof literal !== "object" || literal === null) return new Map();
  return new Map(Object.entries(literal).map(([name, inner]) => [name, { literal: inner }] as const));
}

/** The only expansion that there may be is that of the subdomain, which must be one DNS label (D18). */
function urlOf(auth: AppAuth, value: AppValue | undefined, name: string, { subdomain }: LoginClient): URL {
  const template =
    value === undefined
      ? []
      : "template" in value
        ? value.template
        : "literal" in value && typeof value.literal === "string"
          ? [value.literal]
          : [];
  const text = template
    .map((piece) => (typeof piece === "string" ? piece : labelOf(subdomain, auth)))
    .join("");
  if (text === "") throw new LoginError("config", `The auth entry “${auth.name}” has no \`${name}\`.`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new LoginError("config", `\`${name}\` of “${auth.name}” isn't a URL: ${text}`);
  return new URL(text);
}

function labelOf(subdomain: string | undefined, auth: AppAuth): string {
  if (subdomain !== undefined && /^[A-Za-z0-9-]{1,63}$/.test(subdomain)) return subdomain;
  throw new LoginError(
    "config",
    subdomain === undefined
      ? `“${auth.name}” needs a subdomain: ask the customer for it first.`
      : `“${subdomain}” can't be the subdomain of “${auth.name}”: it may have letters, digits and hyphens, 63 at most.`,
  );
}

function filledIn(value: string, name: string, auth: AppAuth): string {
  if (isFilledIn(value)) return value;
  throw new LoginError(
    "config",
    `“${auth.name}” has ${value === "" ? "no" : "only a placeholder as"} \`${name}\`: the host has to give it, from where it keeps secrets.`,
  );
}

function isFilledIn(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/^<[^>]*>$/.test(value);
}

/** E4: an object, or a form-encoded string. */
function parametersOf(value: unknown): URLSearchParams {
  if (typeof value === "string") return new URLSearchParams(value);
  if (typeof value !== "object" || value === null) return new URLSearchParams();
  return new URLSearchParams(
    Object.entries(value).flatMap(([name, item]) =>
      item === null || typeof item === "object" ? [] : [[name, String(item)] as [string, string]],
    ),
  );
}
