import type { App, Model, Span } from "@configc/compiler";
import { failureSpan, findNode } from "@configc/compiler/internal";

/** Where a command stands, or a part of its jq program that begins at an offset; undefined where that is unknown. */
export type Places = (pointer: string, offset?: number) => Span | undefined;

/** The places of a config. */
export function placesIn({ commands, api }: App, model: Model): Places {
  const parsers = Object.values(api.pagination?.parser ?? {});
  return (pointer, offset) => {
    const found = findNode(model, pointer);
    if (offset === undefined) return "node" in found ? found.node : undefined;
    const own = Object.hasOwn(commands, pointer) ? commands[pointer] : undefined;
    const span = (own ?? parsers.find((parser) => parser.pointer === pointer))?.span;
    return span === undefined ? undefined : failureSpan(model, { pointer, span, offset });
  };
}
