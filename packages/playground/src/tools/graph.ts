import { graphOf, toSvg } from "@configc/compiler/graph";
import { compiled } from "./compiled.ts";
import type { Source } from "./protocol.ts";

/** The app as a picture. */
export function graph(source: Source): string {
  return toSvg(graphOf(compiled(source).model), { title: source.name });
}
