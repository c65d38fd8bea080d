import { type Builtin, builtinsOf } from "./builtin.ts";
import { collectionsBuiltins } from "./collections.ts";
import { controlBuiltins } from "./control.ts";
import { datesBuiltins } from "./dates.ts";
import { hostBuiltins } from "./host.ts";
import { mathBuiltins } from "./math.ts";
import { pathsBuiltins } from "./paths.ts";
import { stringsBuiltins } from "./strings.ts";
import { valuesBuiltins } from "./values.ts";

export type { Builtin } from "./builtin.ts";

/** All builtin functions of jq 1.8. */
export const builtins: readonly Builtin[] = [
  ...builtinsOf(valuesBuiltins),
  ...builtinsOf(controlBuiltins),
  ...builtinsOf(pathsBuiltins),
  ...builtinsOf(collectionsBuiltins),
  ...builtinsOf(stringsBuiltins),
  ...builtinsOf(datesBuiltins),
  ...builtinsOf(mathBuiltins),
  ...builtinsOf(hostBuiltins, true),
];

const byKey: ReadonlyMap<string, Builtin> = new Map(
  builtins.map((builtin) => [`${builtin.name}/${builtin.parameters.length}`, builtin]),
);

/** The documentation of a builtin function, by name and number of arguments; undefined where there is none. */
export function builtin(name: string, arity: number): Builtin | undefined {
  return byKey.get(`${name}/${arity}`);
}

/** Formats, written `@name` or `@name "…"`. */
export const formats: ReadonlyMap<string, string> = new Map(
  Object.entries({
    text: "As tostring does.",
    json: "As JSON text.",
    html: "With &, <, >, ' and \" escaped for HTML and XML.",
    uri: "Percent-encoded; only letters, digits and -_.~ stay.",
    urid: "Percent-decoded.",
    csv: "An array as one line of comma-separated values.",
    tsv: "An array as one line of tab-separated values.",
    sh: "Quoted for a POSIX shell.",
    base64: "Base64 of the UTF-8 text.",
    base64d: "Text from base64.",
    base32: "Base32 of the UTF-8 text.",
    base32d: "Text from base32.",
  }),
);

/** Names that earlier versions of jq had, and what replaces them. */
export const removedBuiltins: ReadonlyMap<string, string> = new Map([
  ["leaf_paths", "paths(scalars)"],
  ["recurse_down", "recurse"],
  ["pow10", "exp10"],
]);

/** Variables that exist without being bound. */
export const predefinedVariables: ReadonlySet<string> = new Set(["ENV", "__loc__"]);
