import type { App } from "@configc/compiler";
import { RunError, type SourcePlace } from "./errors.ts";

/**
 * Where in the config an error belongs: inside a jq program, the part of it that failed.
 *
 * @param app with a source map, as `configc build` makes it; undefined is returned without one
 */
export function placeInSource(
  { source }: App,
  { pointer, span, offset }: Pick<RunError, "pointer" | "span" | "offset">,
): SourcePlace | undefined {
  if (source === undefined) return undefined;
  const { file, lines, programs } = source;
  const program = offset !== undefined && Object.hasOwn(programs, pointer) ? programs[pointer] : undefined;
  let at = span?.start;
  if (program !== undefined && offset !== undefined) {
    at = program.start + offset;
    const { escapes = [] } = program;
    for (let index = 0; index < escapes.length && escapes[index]! < offset; index += 2)
      at += escapes[index + 1]!;
  }
  if (at === undefined) return undefined;
  let line = 0;
  let start = 0;
  for (const distance of lines) {
    if (line > 0 && start + distance > at) break;
    start += distance;
    line++;
  }
  return { file, line, column: Math.max(0, at - start) + 1 };
}

/** A run's error with its place in the config, which is the first line of its stack too: what a log of production shows. */
export function located(error: unknown, app: App): unknown {
  if (!(error instanceof RunError) || error.source !== undefined) return error;
  const source = placeInSource(app, error);
  if (source === undefined) return error;
  const { kind, message, pointer, span, cause, status, offset, until, stack = "" } = error;
  const result = new RunError(kind, message, span === undefined ? undefined : { pointer, span }, {
    source,
    ...(cause === undefined ? {} : { cause }),
    ...(status === undefined ? {} : { status }),
    ...(offset === undefined ? {} : { offset }),
    ...(until === undefined ? {} : { until }),
  });
  const head = `RunError: ${message}`;
  const frames = stack.startsWith(head) ? stack.slice(head.length) : "";
  result.stack = `${head}\n    at ${pointer} (${source.file}:${source.line}:${source.column})${frames}`;
  return result;
}
