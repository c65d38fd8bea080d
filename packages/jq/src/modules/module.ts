import type { Json } from "../json.ts";

/** What an `import` or `include` asks for. */
export interface ModuleRequest {
  /** As it stands in the directive: `"text/trim"`. */
  readonly path: string;
  /** Whether values are imported (`as $name`) and not definitions. */
  readonly isData: boolean;
  /** The member `search` of the directive's metadata: one folder or several, relative to whoever imports. */
  readonly search: Json | undefined;
  /** The `name` of the module that imports; undefined for the program itself. */
  readonly from: string | undefined;
}

/** What a resolver finds. */
export interface FoundModule {
  /** What tells it from all others, such as the name of its file. The same name is the same module. */
  readonly name: string;
  /** The text of a module with definitions. */
  readonly text?: string;
  /** The values of one with data: what the variable holds. */
  readonly data?: Json;
}

/** Finds modules; undefined for one that doesn't exist. It is asked while a program is compiled, and by `modulemeta`. */
export type ModuleResolver = (request: ModuleRequest) => FoundModule | undefined;

/**
 * A resolver for modules that are at hand, as in a page, by the path that programs name them with.
 * @param programs texts of definitions, for `import "path" as name;` and `include "path";`
 * @param data values, for `import "path" as $name;`
 */
export function modulesOf(
  programs: Readonly<Record<string, string>>,
  data: Readonly<Record<string, Json>> = {},
): ModuleResolver {
  return ({ path, isData }) => {
    if (isData) return Object.hasOwn(data, path) ? { name: `$${path}`, data: data[path]! } : undefined;
    return Object.hasOwn(programs, path) ? { name: path, text: programs[path]! } : undefined;
  };
}
