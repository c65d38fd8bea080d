import type { AppAuth } from "@configc/compiler";
import type { Credential } from "../effects.ts";

/** What a customer types that anyone may read: where an account is, and what it is called. */
const publicMembers: ReadonlySet<string> = new Set([
  "account",
  "account_name",
  "client_id",
  "company",
  "company_name",
  "country",
  "data_center",
  "datacenter",
  "domain",
  "email",
  "environment",
  "expires_at",
  "host",
  "hostname",
  "instance",
  "locale",
  "organization",
  "region",
  "scope",
  "shop",
  "site",
  "subdomain",
  "tenant",
  "token_type",
  "user",
  "username",
  "user_name",
  "workspace",
  "zone",
]);

/** Members that name a person: with nothing else to prove who asks, they are what proves it. */
const userNames: ReadonlySet<string> = new Set(["email", "user", "username", "user_name"]);

const saysSecret = /\b(?:(?:api)?keys?|(?:api)?tokens?|sid|secrets?)\b/i;

/**
 * Whether what a customer gave under that name is a secret (D29, E32): all but what is plainly public. A user name is one too where
 * the names of the field or of the auth entry say so: services take API keys in its place.
 *
 * @param auth undefined where the entry isn't known: then the name alone decides
 * @param name a member of the credential, which has the id of its defined field
 */
export function isSecretMember(
  auth: Pick<AppAuth, "name" | "definedFields"> | undefined,
  name: string,
): boolean {
  if (!publicMembers.has(name)) return true;
  const label = auth?.definedFields.find(({ id }) => id === name)?.label;
  const isUser = userNames.has(name);
  return [label, isUser ? auth?.name : undefined].some(
    (text) => text !== undefined && saysSecret.test(words(text)),
  );
}

/** The texts of a credential that are secrets (D29, E32). A user name is one where there is no password beside it. */
export function secretTexts(
  auth: Pick<AppAuth, "name" | "definedFields"> | undefined,
  credential: Credential,
): readonly string[] {
  const members = Object.entries(credential) as [string, unknown][];
  const isAlone = members.some(([name, value]) => name === "password" && value === "");
  return members.flatMap(([name, value]) =>
    typeof value === "string" && (isSecretMember(auth, name) || (isAlone && userNames.has(name)))
      ? [value]
      : [],
  );
}

/** `apiKey`, `api_key` and `API-Key` as words. */
function words(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ");
}
