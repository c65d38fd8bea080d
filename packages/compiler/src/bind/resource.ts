import { nearest } from "@configc/jq/internal";
import { type ResourcePart, type ResourceSpec, resourceSpecs } from "../language/index.ts";
import { resourceSettings, type Settings } from "../options/settings.ts";
import type { StringPart } from "../parse/document.ts";
import type { StringNode } from "../parse/syntax-tree.ts";

/** A resource as the platform of the settings calls it (D25). */
export interface Resource {
  /** As it is written: `PlatformContact`. */
  readonly name: string;
  readonly parts: readonly ResourcePart[];
  /** Whether it can stand without a part. */
  readonly readable: boolean;
  /** Of the standard ones; undefined for one that the settings add. */
  readonly spec: ResourceSpec | undefined;
}

/** `PlatformContact.fields` taken apart. */
export interface ResourceReference {
  readonly text: string;
  readonly name: string;
  readonly nameAt: StringPart;
  /** What stands behind the first dot; undefined without a dot. */
  readonly part: string | undefined;
  readonly partAt: StringPart | undefined;
  /** The resource of that name, or the nearest one. */
  readonly target: Resource | undefined;
  /** Whether `target` has exactly this name. */
  readonly exact: boolean;
}

/** The name that the settings' platform has for its own contact resource and the like: `Contact` → `PlatformContact`. */
export function branded(name: string, settings: Settings): string {
  return resourceSettings(settings).prefix + name;
}

/** By the dialect and by what the settings add to it: most documents have the same of both, and settings of their own. */
const known = new WeakMap<
  Settings["dialect"],
  WeakMap<Settings["resources"], ReadonlyMap<string, Resource>>
>();

/**
 * The resources by their full names: the standard ones under the settings' prefix, then those that the settings add. A document asks a
 * dozen times; made each time, they would take 2 % of a check.
 */
export function resourcesOf(settings: Settings): ReadonlyMap<string, Resource> {
  let ofDialect = known.get(settings.dialect);
  if (ofDialect === undefined) known.set(settings.dialect, (ofDialect = new WeakMap()));
  let resources = ofDialect.get(settings.resources);
  if (resources === undefined) {
    const standard = resourceSpecs.map((spec): Resource => {
      const { parts, readable } = spec;
      return { name: branded(spec.name, settings), parts, readable, spec };
    });
    const added = Object.keys(resourceSettings(settings).add).map(
      (name): Resource => ({
        name: branded(name, settings),
        parts: ["fields", "sync"],
        readable: true,
        spec: undefined,
      }),
    );
    resources = new Map([...standard, ...added].map((resource) => [resource.name, resource]));
    ofDialect.set(settings.resources, resources);
  }
  return resources;
}

/** Reads the name in a `!resource`. */
export function readResource(node: StringNode, settings: Settings): ResourceReference {
  const text = node.value;
  const dot = text.indexOf(".");
  const name = dot < 0 ? text : text.slice(0, dot);
  const resources = resourcesOf(settings);
  const exact = resources.get(name);
  const near = exact === undefined ? nearest(name, resources.keys()) : undefined;
  return {
    text,
    name,
    nameAt: { node, from: 0, to: name.length },
    part: dot < 0 ? undefined : text.slice(dot + 1),
    partAt: dot < 0 ? undefined : { node, from: dot + 1, to: text.length },
    target: exact ?? (near === undefined ? undefined : resources.get(near)),
    exact: exact !== undefined,
  };
}
