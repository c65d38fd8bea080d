import { compile, sourceOf } from "@configc/compiler";
import { spanOf } from "@configc/compiler/internal";
import { placeInSource } from "@configc/runtime/internal";
import fc from "fast-check";
import { expect, test } from "vitest";

/** The source map of an app says what the compiler, which has the document, says. */
const texts = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "\n", "\u0001", "é", "\ud83d\ude00", "/"),
  maxLength: 30,
});

test("every character of every program has the line and column that it has in the document", () => {
  fc.assert(
    fc.property(
      texts,
      texts,
      fc.constantFrom("", "\ufeff"),
      fc.constantFrom("\n", "\r\n", "\r"),
      (before, program, mark, lineEnd) => {
        const config = {
          [before]: 1,
          workflows: [{ name: "a", data_pipeline: { source: { "!pipe": [{ "!jq": program }] } } }],
        };
        const text = mark + JSON.stringify(config, undefined, 1).replaceAll("\n", lineEnd);
        const { model, app } = compile(text);
        const withSource = { ...app, source: sourceOf(model, "a.app.json") };
        const pointer = "/workflows/0/data_pipeline/source/!pipe/0";
        const { program: bound } = model.commands.find(({ key }) => key === "!jq") ?? {};
        const span = app.commands[pointer]?.span;
        expect(bound).toBeDefined();
        for (let offset = 0; offset <= program.length; offset++) {
          const { start } = spanOf(model.document, { node: bound!.node, from: offset, to: offset });
          const { line, column } = model.document.position(start);
          expect(placeInSource(withSource, { pointer, span, offset })).toEqual({
            file: "a.app.json",
            line,
            column,
          });
        }
        const { line, column } = model.document.position(span?.start ?? 0);
        expect(placeInSource(withSource, { pointer, span, offset: undefined })).toEqual({
          file: "a.app.json",
          line,
          column,
        });
      },
    ),
    { numRuns: 200 },
  );
});

test("without a source map, or without a place, there is none", () => {
  const { app, model } = compile('{"workflows": []}');
  const span = { start: 0, end: 1 };
  expect(placeInSource(app, { pointer: "", span, offset: undefined })).toBeUndefined();
  const source = sourceOf(model, "a");
  expect(placeInSource({ ...app, source }, { pointer: "", span: undefined, offset: 3 })).toBeUndefined();
});
