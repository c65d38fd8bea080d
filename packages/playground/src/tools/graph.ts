import { compile } from "@configc/compiler";
import { graphOf, toSvg } from "@configc/compiler/graph";
import type { Source } from "./protocol.ts";

/** The app as a picture. */
export function graph({ name, text }: Source): string {
  return toSvg(graphOf(compile(text, { uri: name }).model), { title: name });
}
