import { literalText } from "../constant.ts";
import type { Resolution } from "../resolve/resolve.ts";
import type { Expression, Parameter, Suffix, VariablePattern } from "../syntax-tree.ts";

/** A member of the input or of a variable: `.a.b`, `$x.a`, `.`. */
export interface Place {
  /** Where the path begins; without it, the input. */
  readonly variable?: VariablePattern | Parameter;
  readonly path: readonly string[];
}

/** The place that an expression reads and nothing else; undefined for any other expression. */
export function placeOf(node: Expression, resolution: Resolution): Place | undefined {
  switch (node.kind) {
    case "Identity":
      return { path: [] };
    case "Group":
      return placeOf(node.body, resolution);
    case "Variable": {
      const variable = resolution.variables.get(node);
      return variable === undefined ? undefined : { variable, path: [] };
    }
    case "Postfix": {
      const head = placeOf(node.head, resolution);
      const path = namesOf(node.suffixes);
      return head === undefined || path === undefined
        ? undefined
        : { ...head, path: [...head.path, ...path] };
    }
    case "Pipeline": {
      let place: Place = { path: [] };
      for (const stage of node.stages) {
        if (stage.kind === "Definition" || stage.kind === "Binding" || stage.kind === "Label")
          return undefined;
        const next = placeOf(stage, resolution);
        if (next === undefined) return undefined;
        place = next.variable === undefined ? { ...place, path: [...place.path, ...next.path] } : next;
      }
      return place;
    }
    default:
      return undefined;
  }
}

/** The names of `.a.b.c`; undefined for any other expression. */
export function memberPath(node: Expression, resolution: Resolution): readonly string[] | undefined {
  const place = placeOf(node, resolution);
  return place?.variable === undefined ? place?.path : undefined;
}

/** A `?` changes nothing where the member could be read. */
function namesOf(suffixes: readonly Suffix[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const suffix of suffixes) {
    if (suffix.kind === "Optional") continue;
    const name = nameOf(suffix);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

function nameOf(suffix: Suffix): string | undefined {
  const key = suffix.kind === "Field" ? suffix.key : suffix.kind === "Index" ? suffix.index : undefined;
  if (key?.kind === "Name") return key.text;
  return key?.kind === "String" ? literalText(key) : undefined;
}

/** The paths of `.a.b, .c`; undefined if one is anything else. */
export function memberPaths(
  node: Expression,
  resolution: Resolution,
): readonly (readonly string[])[] | undefined {
  if (node.kind === "Group") return memberPaths(node.body, resolution);
  const items = node.kind === "Comma" ? node.items : [node];
  const paths = items.map((item) => memberPath(item, resolution));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}
