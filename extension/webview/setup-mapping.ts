import type { SetupAction, SetupResult } from "@configc/language-server";
import { element } from "./element.ts";

type Current = Extract<SetupResult["view"]["current"], { step: "map" }>;
type MapFields = NonNullable<SetupResult["mapFields"]>;
type MapOption = MapFields["targets"][number];
export type Mapping = Extract<SetupAction, { kind: "map" }>["mapping"];
type Entry = Mapping["entries"][number];

/**
 * A row for each target: what goes into it.
 *
 * @param mapping as it was saved, or as it was refused
 * @returns the rows, and what they say now
 */
export function mapRows(
  { source, target }: Current,
  { sources, targets }: MapFields,
  issues: SetupResult["issues"],
  mapping: Mapping | undefined,
): { readonly rows: readonly HTMLElement[]; read(): Mapping } {
  const rows = targets.map((to, index) => {
    const select = document.createElement("select");
    select.id = `target-${index}`;
    const entry = mapping?.entries.find((each) => isSame(each.target, to));
    select.append(new Option("–", ""));
    for (const [at, from] of sources.entries()) {
      const isChosen = entry !== undefined && "source" in entry && isSame(entry.source, from);
      select.append(new Option(titled(from), `s${at}`, false, isChosen));
    }
    for (const [at, { id, title }] of to.sourceFields.entries()) {
      const isChosen = entry !== undefined && "value" in entry && entry.value === id;
      select.append(new Option(`“${title}”`, `v${at}`, false, isChosen));
    }
    const problem = issues.find(({ field }) => field === String(to.id))?.message;
    if (problem !== undefined) select.setAttribute("aria-describedby", `problem-${index}`);
    const row = element("div", { class: "field row" }, [
      element("label", { for: select.id }, [titled(to), ...(to.required ? [" *"] : [])]),
      select,
      ...(problem === undefined
        ? []
        : [element("p", { class: "problem", id: `problem-${index}` }, [problem])]),
    ]);
    return { row, read: () => entryOf(select.value, to, sources) };
  });
  const sides = element("div", { class: "field row sides" }, [
    element("strong", {}, [target]),
    element("strong", {}, [source]),
  ]);
  return {
    rows: [sides, ...rows.map(({ row }) => row)],
    read: () => ({ v: 1, entries: rows.flatMap(({ read }) => read() ?? []) }),
  };
}

/** @param chosen `s` and the index of a source, `v` and that of a fixed value, or nothing */
function entryOf(
  chosen: string,
  { sourceFields, ...to }: MapOption,
  sources: MapFields["sources"],
): Entry | undefined {
  const at = Number(chosen.slice(1));
  const [fixed, source] = [sourceFields[at], sources[at]];
  const target = fieldOf(to);
  if (chosen.startsWith("v") && fixed !== undefined) return { value: fixed.id, target };
  return chosen.startsWith("s") && source !== undefined ? { source: fieldOf(source), target } : undefined;
}

type Named = Pick<MapOption, "id" | "group">;

function isSame(one: Named, other: Named): boolean {
  return one.id === other.id && one.group === other.group;
}

function titled({ title, group }: Pick<MapOption, "title" | "group">): string {
  return group === undefined ? title : `${group}: ${title}`;
}

function fieldOf({ id, group }: Named) {
  return { id, ...(group === undefined ? {} : { group }) };
}
