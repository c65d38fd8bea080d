import { describe, expect, expectTypeOf, test } from "vitest";
import { printType, typed, typeOfSchema, typeOfTypeScript, types } from "../../src/index.ts";

interface Order {
  readonly id: number;
  readonly lines: readonly { readonly name: string; readonly price: number }[];
}
interface Total {
  readonly id: number;
  readonly total: number | null;
}
const order = typeOfTypeScript("{ id: number; lines: { name: string; price: number }[] }");
const total = typeOfTypeScript("{ id: number; total: number | null }");

test("a filter takes and gives what its types say", () => {
  const { filter, type } = typed<Order, Total>("{id, total: (.lines | map(.price) | add)}", {
    input: order,
    output: total,
  });
  expect(printType(type)).toBe("{id: number, total: number | null}");
  const given = filter!.first({ id: 1, lines: [{ name: "a", price: 2 }] });
  expectTypeOf(given).toEqualTypeOf<Total | undefined>();
  expect(given).toEqual({ id: 1, total: 2 });
  // @ts-expect-error: not an order
  expect(() => filter!.first({ id: 1, lines: 5 })).toThrow("Cannot iterate over number (5)");
});

describe("what may give something else is refused", () => {
  test.each<readonly [text: string, type: string, codes: readonly string[], fits: boolean]>([
    ["{id}", "{id: number}", [], false],
    ["{id, total: .lines}", "{id: number, total: {name: string, price: number}[]}", [], false],
    ["{id, total: .totla}", "{id: number, total: null}", ["missing-member"], true],
    ["{id: .id.x, total: 1}", "never", ["cannot-index"], false],
    [".", "{id: number, lines: {name: string, price: number}[]}", [], false],
    ["{id, total: 1", "unknown", ["unclosed"], false],
    ["{id, total: (.lines[0].price // null)}", "{id: number, total: number | null}", [], true],
  ])("%s", (text, type, codes, fits) => {
    const result = typed<Order, Total>(text, { input: order, output: total });
    expect(printType(result.type)).toBe(type);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(result.filter !== undefined).toBe(fits);
  });
});

test("types of variables and of functions count, and so does a schema", () => {
  const schema = { type: "array", items: { type: "number" } } as const;
  const { filter, type } = typed<number[], string[]>("map(slug + $mark)", {
    input: typeOfSchema(schema),
    output: types.array(types.string),
    variableTypes: new Map([["mark", types.string]]),
    functions: { "slug/0": { type: types.string, run: (input) => `n${input}` } },
  });
  expect(printType(type)).toBe("string[]");
  expect(filter!.first([1, 2], { bindings: { variables: { mark: "!" } } })).toEqual(["n1!", "n2!"]);
});
