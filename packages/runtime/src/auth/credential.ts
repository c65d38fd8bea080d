import type { AppAuth, AppNode } from "@configc/compiler";
import type { BasicCredential, Credential, OAuthCredential, TokenCredential } from "../effects.ts";
import { RunError } from "../errors.ts";

interface ByType {
  readonly oauth2: OAuthCredential;
  readonly token: TokenCredential;
  readonly basic: BasicCredential;
  readonly session: BasicCredential;
}

/** The members that a credential must have by the type of its auth entry (D27): texts, all of them. */
const needed: { readonly [T in keyof ByType]: readonly (keyof ByType[T] & string)[] } = {
  oauth2: ["access_token"],
  token: ["token"],
  basic: ["username", "password"],
  session: ["username", "password"],
};

/**
 * What a credential must have.
 *
 * @param type of the auth entry
 * @returns names of members; none for a type that D27 doesn't know
 */
export function neededMembers(type: string): readonly string[] {
  return Object.hasOwn(needed, type) ? needed[type as keyof ByType] : [];
}

/** Those of the members that something lacks which is given as a credential. */
export function missingMembers(type: string, given: unknown): readonly string[] {
  const members = new Map(typeof given === "object" && given !== null ? Object.entries(given) : []);
  return neededMembers(type).filter((name) => typeof members.get(name) !== "string");
}

/** Whether something is a credential of any type. */
export function isCredential(given: unknown): given is Credential {
  return Object.keys(needed).some((type) => missingMembers(type, given).length === 0);
}

/** A connection's credential as one of that type. @throws RunError `AuthError` where it lacks something */
export function credentialAs<T extends keyof ByType>(
  type: T,
  credential: Credential,
  auth: AppAuth,
  place: AppNode,
): ByType[T] {
  const [missing] = missingMembers(type, credential);
  if (missing === undefined) return credential as ByType[T];
  throw new RunError(
    "AuthError",
    `The connection's credentials have no \`${missing}\`, which \`${auth.name}\` (${auth.type}) needs.`,
    place,
  );
}
