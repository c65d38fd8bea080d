import { builtins } from "../../builtins/index.ts";
import type { Json } from "../../json.ts";
import { moduleMetadata } from "../../modules/metadata.ts";
import { fail } from "../error.ts";
import type { FunctionTables } from "../library.ts";

const builtinNames: Json = builtins
  .filter(({ name }) => !["null", "true", "false"].includes(name))
  .map(({ name, parameters }) => `${name}/${parameters.length}`);

/** What tells of the language and of modules. */
export const introspection: FunctionTables = {
  values: {
    "builtins/0": () => builtinNames,
    "modulemeta/0": (input, _args, machine, span) => {
      if (typeof input !== "string") return fail("modulemeta input module name must be a string", span);
      const request = { path: input, isData: false, search: undefined, from: undefined };
      const text = machine.modules?.(request)?.text;
      return text === undefined ? fail(`module not found: ${input}`, span) : moduleMetadata(text);
    },
  },
};
