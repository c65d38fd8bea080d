import type { SetupAction, SetupResult } from "@configc/language-server";
import { element } from "./element.ts";
import { problemOf } from "./setup-problem.ts";

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
  let group: string | undefined;
  const rows = targets.map((to, index) => {
    const entry = mapping?.entries.find((each) => isSame(each.target, to));
    const select = selectOf(to, sources, entry);
    select.id = `target-${index}`;
    if (to.required) select.setAttribute("aria-required", "true");
    const problem = issues.find((each) => each.field === String(to.id) && each.group === to.group)?.message;
    if (problem !== undefined) {
      select.setAttribute("aria-describedby", `problem-${index}`);
      select.setAttribute("aria-invalid", "true");
    }
    const heading = to.group !== undefined && to.group !== group ? [element("h3", {}, [to.group])] : [];
    group = to.group;
    const row = element("div", { class: "field row" }, [
      element("label", { for: select.id, ...(to.required ? { class: "required" } : {}) }, [to.title]),
      select,
      ...(problem === undefined ? [] : [element("div", { id: `problem-${index}` }, [problemOf(problem)])]),
    ]);
    return { elements: [...heading, row], read: () => entryOf(select.value, to, sources) };
  });
  const sides = element("div", { class: "field row sides" }, [
    element("strong", {}, [target]),
    element("strong", {}, [source]),
  ]);
  return {
    rows: [sides, ...rows.flatMap(({ elements }) => elements)],
    read: () => ({ v: 1, entries: rows.flatMap(({ read }) => read() ?? []) }),
  };
}

function selectOf(to: MapOption, sources: MapFields["sources"], entry: Entry | undefined): HTMLSelectElement {
  const select = document.createElement("select");
  select.append(new Option("Not mapped", ""));
  const groups = new Map<string, HTMLElement>();
  const add = (group: string | undefined, option: HTMLOptionElement): void => {
    if (group === undefined) return select.append(option);
    const known = groups.get(group) ?? element("optgroup", { label: group }, []);
    groups.set(group, known);
    known.append(option);
    select.append(known);
  };
  for (const [at, from] of sources.entries()) {
    const isChosen = entry !== undefined && "source" in entry && isSame(entry.source, from);
    add(from.group, new Option(from.title, `s${at}`, false, isChosen));
  }
  for (const [at, { id, title }] of to.sourceFields.entries()) {
    const isChosen = entry !== undefined && "value" in entry && entry.value === id;
    add("Always the same", new Option(`“${title}”`, `v${at}`, false, isChosen));
  }
  return select;
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

function fieldOf({ id, group }: Named) {
  return { id, ...(group === undefined ? {} : { group }) };
}
