import type { AppMap } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { jsonText } from "../json.ts";
import { type Mapping, type MappingEntry, readMapping } from "../mapping/mapping.ts";
import { refused, SetupError, type SetupIssue } from "./error.ts";
import { keyOf, type MapOption } from "./options.ts";

/** What a mapping is made of: the fields of both sides. */
export interface MapFields {
  readonly sources: readonly MapOption[];
  readonly targets: readonly MapOption[];
}

/**
 * A mapping as it is edited and kept, from any of the forms in which it may have been saved (D36): a flat one is placed under
 * `default_group`, and source fields whose group wasn't said are looked for among the sources.
 *
 * @throws SetupError `mapping` where it can't be read
 */
export function normalMapping(saved: Json, map: AppMap, { sources }: MapFields): Mapping {
  let read: ReturnType<typeof readMapping>;
  try {
    read = readMapping(saved, map.defaultGroup, map);
  } catch (error) {
    if (error instanceof RunError) throw refused("mapping", error.message);
    throw error;
  }
  const entries = read.map((entry): MappingEntry => {
    if (!("loose" in entry)) return entry;
    const { id, near } = entry.loose;
    const named = sources.filter((source) => String(source.id) === id);
    const meant = named.find(({ group }) => group === near) ?? named[0];
    const source = meant === undefined ? { id } : pick(meant);
    return { source, target: entry.target };
  });
  return { v: 1, entries };
}

/**
 * Checks a mapping before it is saved, and gives it with the ids as the fields have them.
 *
 * @param inbound the platform is the target: an email address is needed, whatever the targets say
 * @throws SetupError `mapping`, with an issue for each target that is wrong or missing
 */
export function checkMapping(
  { entries }: Mapping,
  { sources, targets }: MapFields,
  map: AppMap,
  inbound: boolean,
): Mapping {
  const issues: SetupIssue[] = [];
  const bySource = new Map(sources.map((source) => [keyOf(source), source]));
  const byTarget = new Map(targets.map((target) => [keyOf(target), target]));
  const mapped = new Set<string>();
  const kept: MappingEntry[] = [];
  if (map.defaultGroup !== undefined && !targets.some(({ group }) => group === map.defaultGroup))
    issues.push({
      message: `The app's \`default_group\` is “${map.defaultGroup}”, which none of the target fields has.`,
    });
  for (const entry of entries) {
    const key = keyOf(entry.target);
    const target = byTarget.get(key);
    const place = placeOf(entry.target);
    if (target === undefined) {
      issues.push({
        ...place,
        message: `There is no target field “${entry.target.id}”${inGroup(entry.target)}.`,
      });
      continue;
    }
    if (mapped.has(key)) {
      issues.push({ ...place, message: `“${target.title}” is mapped twice; one would replace the other.` });
      continue;
    }
    mapped.add(key);
    if ("value" in entry) {
      const fixed = target.sourceFields.find(
        ({ id }) => id === entry.value || String(id) === plain(entry.value),
      );
      if (fixed === undefined)
        issues.push({
          ...place,
          message: `${jsonText(entry.value).slice(0, 100)} isn't one of the values that “${target.title}” can be set to.`,
        });
      else kept.push({ value: fixed.id, target: pick(target) });
      continue;
    }
    const source = bySource.get(keyOf(entry.source));
    if (source === undefined)
      issues.push({
        ...place,
        message: `“${target.title}” is mapped from “${entry.source.id}”${inGroup(entry.source)}, which doesn't exist (any more).`,
      });
    else kept.push({ source: pick(source), target: pick(target) });
  }
  if (entries.length === 0) issues.push({ message: "Map at least one field." });
  for (const target of targets)
    if ((target.required || (inbound && target.id === "email")) && !mapped.has(keyOf(target)))
      issues.push({ ...placeOf(target), message: `“${target.title}” is required: map a field to it.` });
  const [first, ...rest] = issues;
  if (first !== undefined) throw new SetupError("mapping", [first, ...rest]);
  return { v: 1, entries: kept };
}

type Field = { readonly group?: string; readonly id: string | number };

function pick({ group, id }: Field): Field {
  return group === undefined ? { id } : { group, id };
}

function placeOf({ group, id }: Field): { readonly field: string; readonly group?: string } {
  return { field: String(id), ...(group === undefined ? {} : { group }) };
}

function inGroup({ group }: Field): string {
  return group === undefined ? "" : ` in “${group}”`;
}

function plain(value: Json): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
