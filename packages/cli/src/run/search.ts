import type { App } from "@configc/compiler";
import type { Search } from "@configc/runtime";

/**
 * What is typed into the form field whose options a command gives, as the parameter that the field names (D43).
 *
 * @param pointer of the command
 * @returns undefined where nothing is typed, and where the field has no `search_term`
 */
export function searchAt({ workflows }: App, pointer: string, term: string | undefined): Search | undefined {
  if (term === undefined) return undefined;
  const fields = workflows.flatMap(({ setup }) => setup.select?.fields ?? []);
  const parameter = fields.find((field) => pointer.startsWith(`${field.pointer}/`))?.searchTerm;
  return parameter === undefined ? undefined : { parameter, term };
}
