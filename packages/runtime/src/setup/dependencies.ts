import type { App, AppField, AppProgram, AppTemplate, AppValue, AppWorkflow } from "@configc/compiler";

/**
 * The earlier fields by which each field's options are made: when one of them is answered anew, the field's own answer may not be
 * a choice any more.
 */
export function dependenciesOf(app: App, { setup }: AppWorkflow): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = setup.select?.fields ?? [];
  return new Map(
    fields.map((field, index) => {
      const earlier = fields.slice(0, index).map(({ id }) => id);
      const read = idsRead(app, field);
      return [field.id, new Set(read === "all" ? earlier : earlier.filter((id) => read.has(id)))];
    }),
  );
}

/** Ids of all fields that change when one does, the field itself left out. */
export function dependentsOf(
  dependencies: ReadonlyMap<string, ReadonlySet<string>>,
  id: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  // In the order of the fields, so that each sees what came before it.
  for (const [field, on] of dependencies)
    if (on.has(id) || [...on].some((other) => found.has(other))) found.add(field);
  return found;
}

function idsRead({ commands }: App, { pointer, options }: AppField): ReadonlySet<string> | "all" {
  const ids = new Set<string>();
  if (options === undefined || !("command" in options)) return ids;
  const below = `${pointer}/`;
  for (const [id, { argument, program }] of Object.entries(commands)) {
    if (!id.startsWith(below)) continue;
    // A program may read the roots as its input (D16): which members, isn't known here.
    if (program !== undefined && outsideHoles(program).includes("custom_data")) return "all";
    const paths = [...(program?.holes ?? []), ...(argument === undefined ? [] : expansionsIn(argument))];
    for (const { path } of paths) {
      if (path[0] !== "custom_data") continue;
      if (path[1] === undefined) return "all";
      ids.add(path[1]);
    }
  }
  return ids;
}

function outsideHoles({ text, holes }: AppProgram): string {
  let at = 0;
  let rest = "";
  for (const { start, end } of holes) {
    rest += text.slice(at, start);
    at = end;
  }
  return rest + text.slice(at);
}

function expansionsIn(value: AppValue): { readonly path: readonly string[] }[] {
  if ("literal" in value) return [];
  if ("template" in value) return inTemplate(value.template);
  if ("items" in value) return value.items.flatMap(expansionsIn);
  return value.members.flatMap(({ key, value: inner }) => [...inTemplate(key), ...expansionsIn(inner)]);
}

function inTemplate(template: AppTemplate): { readonly path: readonly string[] }[] {
  return template.filter((piece) => typeof piece !== "string");
}
