import type { KnownParameter, KnownRequest } from "../known/known-api.ts";
import { meaningOf } from "../known/known-meaning.ts";
import { hasWord, sizeNames } from "../service/names.ts";
import type { Protocol, RoleOf } from "./protocol.ts";

/** A list may have no more: a cycle can't read it, and a world of more takes minutes. */
const MOST_RECORDS = 1_000;

/**
 * The size of a page, with the bounds that a document tells: the `maximum` of the parameter that the app sends, or the `default` of the one
 * that it doesn't send.
 */
export function documentedSize(
  size: Protocol["size"],
  roles: readonly RoleOf[],
  known: KnownRequest | undefined,
): Protocol["size"] {
  const stated = roles.find(({ role }) => role.kind === "size");
  const most =
    stated === undefined
      ? usualSize(known?.parameters ?? {})
      : known?.parameters[stated.parameter.path.join(".")]?.maximum;
  return most === undefined || most < 1 || most > MOST_RECORDS ? size : { ...size, most };
}

function usualSize(parameters: Readonly<Record<string, KnownParameter>>): number | undefined {
  for (const [name, parameter] of Object.entries(parameters))
    if (parameter.usual !== undefined && (hasWord(name, sizeNames) || meaningOf(parameter) === "size"))
      return parameter.usual;
  return undefined;
}

/** Of an app that reads one answer: as much as it asks for and the document allows. */
export function onePage(size: Protocol["size"], roles: readonly RoleOf[]): Protocol["size"] {
  const { most = size.size } = size;
  const isAsked = roles.some(({ role }) => role.kind === "size");
  return { ...size, size: isAsked ? Math.min(size.size, most) : most, isFixed: true };
}
