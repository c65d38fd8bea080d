import type { AuthSymbol, Command, Unit } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import type { RootName } from "../../../language/expansion-names.ts";
import { authEntry } from "../../../language/sections/auth.ts";

/** Why a root can't be read where it is written (D11). */
export type Obstacle =
  /** the place doesn't offer it */
  | { readonly reason: "place" }
  /** the intake registers one webhook for several installations (D31) */
  | { readonly reason: "shared-registration"; readonly scope: "connection" | "application" }
  /** nothing asks the customer for a subdomain; `auth` where one entry is meant */
  | { readonly reason: "no-subdomain"; readonly auth: string | undefined };

/**
 * What keeps a root from being read at a place; undefined if nothing does, or if that isn't known.
 *
 * @param name the name below the root
 * @param command undefined in URLs of `api` and `auth`
 */
export function obstacleTo(
  root: RootName,
  name: string | undefined,
  command: Command | undefined,
  unit: Unit | undefined,
  model: Model,
): Obstacle | undefined {
  if (root === "subdomain") return subdomainObstacle(unit, model);
  if (command === undefined) return { reason: "place" };
  const offered =
    command.place.roots.includes(root) || (root === "piped_content" && command.pipe !== undefined);
  if (!offered) return { reason: "place" };
  const perInstallation = root === "custom_data" || (root === "data" && name === "workflow");
  if (perInstallation && unit?.kind === "intake" && unit.scope !== undefined && unit.scope !== "workflow") {
    return { reason: "shared-registration", scope: unit.scope };
  }
  return undefined;
}

function subdomainObstacle(unit: Unit | undefined, model: Model): Obstacle | undefined {
  const auths = authsOf(unit, model);
  if (unit?.kind === "api" && auths.length > 0 && auths.every(lacksSubdomain))
    return { reason: "no-subdomain", auth: undefined };
  // The base URL is that of every workflow with a `path`, whichever auth it has.
  const lacking = auths.find(
    (auth) => lacksSubdomain(auth) && (unit?.kind !== "api" || sendsToBaseUrl(auth, model)),
  );
  return lacking === undefined ? undefined : { reason: "no-subdomain", auth: lacking.name };
}

/** Whether a workflow with this auth has a request of its own that goes to `api.base_url`. */
function sendsToBaseUrl(auth: AuthSymbol, { commands }: Model): boolean {
  return commands.some(
    ({ key, argument, unit }) =>
      key === "!http" &&
      unit?.kind === "workflow" &&
      unit.auth?.target === auth &&
      argument?.kind === "object" &&
      argument.get("path") !== undefined,
  );
}

function authsOf(unit: Unit | undefined, model: Model): readonly AuthSymbol[] {
  switch (unit?.kind) {
    case "auth":
      return [unit];
    case "api":
      return model.auths;
    case "workflow":
      return unit.auth?.target === undefined ? [] : [unit.auth.target];
    case "intake":
      return usersOf(unit).flatMap(({ auth }) => auth?.target ?? []);
    case undefined:
      return [];
  }
}

/** Certainly: an auth of another type may get it elsewhere (D27). */
function lacksSubdomain({ hasSubdomain, node, type }: AuthSymbol): boolean {
  if (hasSubdomain || type === undefined || !Object.hasOwn(authEntry.variants, type)) return false;
  const fields = node?.kind === "object" ? node.get("defined_fields") : undefined;
  return fields === undefined || fields.kind === "object";
}
