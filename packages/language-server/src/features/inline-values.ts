import { expansionsIn } from "@configc/compiler/internal";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** Lines of the command at which a run stands. */
const LINES = 12;

/** The expansions at which a debugged run stands, for the client to have them evaluated (`configc debug`). */
export const inlineValues: Feature = {
  capabilities: { inlineValueProvider: true },
  register({ connection, config }) {
    connection.languages.inlineValue.on(({ textDocument, range, context }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation } = open;
      const { line } = context.stoppedLocation.start;
      const part = {
        start: document.offsetAt({ line: Math.max(line, range.start.line), character: 0 }),
        end: document.offsetAt({ line: Math.min(line + LINES, range.end.line + 1), character: 0 }),
      };
      if (part.end <= part.start) return [];
      return expansionsIn(compilation.model, part).map(({ span, text }) => ({
        range: toRange(document, span),
        expression: text,
      }));
    });
  },
};
