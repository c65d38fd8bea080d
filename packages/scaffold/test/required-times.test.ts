import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { watermarkOf } from "../src/guess/watermark.ts";
import { fromOpenApi } from "../src/index.ts";

/** Parameters that have to be sent, and for what times they are taken; null: for none. */
const cases = JSON.parse(readFileSync(new URL("required-times.json", import.meta.url), "utf8")) as readonly {
  readonly name: string;
  readonly parameters: Readonly<
    Record<string, { type?: string; format?: string; description?: string; required?: boolean }>
  >;
  readonly taken: string | null;
}[];

test.each(cases)("$name: $taken", ({ parameters, taken }) => {
  const given = Object.entries(parameters).map(
    ([name, { type = "string", format, description = "", required = true }]) => ({
      name,
      in: "query",
      required,
      description,
      schema: { type, ...(format === undefined ? {} : { format }) },
    }),
  );
  const { operations } = fromOpenApi({
    openapi: "3.0.3",
    paths: { "/calls": { get: { parameters: given } } },
  });
  const found = watermarkOf(operations[0]!);
  const told =
    found &&
    [
      `${found.value.param}${found.value.window?.to === undefined ? "" : `…${found.value.window.to}`} as ${found.value.format}`,
      ...(found.value.window === undefined ? [] : [`${found.value.window.span / 86_400} days`]),
      ...(found.value.counts === "changes" ? ["of changes"] : []),
      ...(found.isOpen === true ? ["open"] : []),
    ].join(", ");
  expect(told ?? null).toBe(taken);
});
