import { constantOf, literalText } from "../constant.ts";
import type { Json, JsonObject } from "../json.ts";
import { parseModule } from "../syntax/parser.ts";

/** What `modulemeta` tells of a module: its metadata, what it imports, and what it defines. */
export function moduleMetadata(text: string): JsonObject {
  const { directives, body } = parseModule(text).program;
  const own: JsonObject = {};
  const deps: Json[] = [];
  for (const { directive, path, alias, metadata } of directives) {
    const values = metadata === undefined ? {} : ((constantOf(metadata) ?? {}) as JsonObject);
    if (directive === "module") Object.assign(own, values);
    else {
      const isData = alias?.text.startsWith("$") === true;
      deps.push({
        ...values,
        ...(alias === undefined ? {} : { as: isData ? alias.text.slice(1) : alias.text }),
        is_data: isData,
        relpath: (path && literalText(path)) ?? "",
      });
    }
  }
  const stages = body.kind === "Pipeline" ? body.stages : [];
  const defs = stages.flatMap((stage) =>
    stage.kind === "Definition" ? [`${stage.name.text}/${stage.parameters.length}`] : [],
  );
  return { ...own, deps, defs };
}
