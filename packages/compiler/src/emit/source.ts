import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { documentOffset } from "../parse/string-map.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import type { AppProgramSource, AppSource } from "./app.ts";
import { record } from "./context.ts";

/**
 * The source map of an app. It isn't part of what `compile` emits: those who have the model need none.
 *
 * @param file what the config is called in errors
 */
export function sourceOf({ document, commands }: Model, file: string): AppSource {
  const { text, lines } = document;
  const starts = Array.from({ length: lines.lineCount }, (_, index) => lines.lineStart(index + 1));
  return {
    file,
    lines: starts.map((start, index) => start - (starts[index - 1] ?? 0)),
    programs: record(
      commands.flatMap(({ node, program }) =>
        program === undefined ? [] : [[pointerTo(node), programSource(text, program.node)] as const],
      ),
    ),
  };
}

function programSource(text: string, node: StringNode): AppProgramSource {
  const start = documentOffset(text, node, 0);
  if (!node.escaped) return { start };
  const escapes: number[] = [];
  let at = start;
  for (let decoded = 0; decoded < node.value.length && at < node.end; decoded++) {
    const length = text.charCodeAt(at) !== BACKSLASH ? 1 : text[at + 1] === "u" ? 6 : 2;
    if (length > 1) escapes.push(decoded, length - 1);
    at += length;
  }
  return { start, escapes };
}

const BACKSLASH = 92;
