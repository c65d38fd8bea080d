import type { Part } from "./parts.ts";

/** As much of a CycloneDX document as is looked at; everything else is kept. */
export interface Bill {
  readonly metadata: { readonly component?: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

export interface Component {
  readonly type: string;
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly "bom-ref": string;
  readonly purl?: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/**
 * The bill of one thing that is published, out of that of the whole repository.
 *
 * @throws Error if it bundles or needs a package that the lock file hasn't got: the bill would be incomplete
 */
export function billOf({ name, version, type, purl, bundled, needed }: Part, whole: Bill): Bill {
  const byPackage = new Map(whole.components.map((component) => [packageOf(component), component]));
  const byName = new Map(whole.components.map((component) => [nameOf(component), component]));
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const direct = [
    ...bundled.map((id) => known(byPackage.get(id), id, name)),
    ...needed.map((id) => known(byName.get(id), id, name)),
  ].map((component) => component["bom-ref"]);
  // A bundle holds its parts; what is installed beside a package brings what it needs.
  const kept = new Set(direct);
  const installed = needed.map((id) => known(byName.get(id), id, name)["bom-ref"]);
  for (const ref of installed)
    for (const next of edges.get(ref) ?? [])
      if (!kept.has(next)) {
        kept.add(next);
        installed.push(next);
      }
  const self = `${name}@${version}`;
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { type, name, version, "bom-ref": self, purl } },
    components: whole.components.filter((component) => kept.has(component["bom-ref"])),
    dependencies: [
      { ref: self, dependsOn: [...new Set(direct)].sort() },
      ...whole.dependencies
        .filter(({ ref }) => kept.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((next) => kept.has(next)) })),
    ],
  };
}

function known(component: Component | undefined, id: string, name: string): Component {
  if (component === undefined) throw new Error(`${name} has ${id}, which isn't in the lock file.`);
  return component;
}

function nameOf({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}

/** `NAME@VERSION`, as notices tell it. */
function packageOf(component: Component): string {
  return `${nameOf(component)}@${component.version}`;
}
