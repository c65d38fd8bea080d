import { expect, test } from "vitest";
import { infer, printType, TypeSyntaxError, typeOfSchema, typeOfTypeScript } from "../../src/index.ts";

test.each([
  ["string", "string"],
  ["\"a\" | 'b' | -1 | null", '-1 | "a" | "b" | null'],
  ["{ readonly a: number; b?: string, 'c d': boolean[] }", '{a: number, b?: string, "c d": boolean[]}'],
  ["{ a: string | undefined }", "{a?: string}"],
  ["{ [name: string]: Array<number> }", "{[string]: number[]}"],
  ['Record<"x" | "y", number>', "{x: number, y: number}"],
  ["Record<string, unknown>", "{…}"],
  ["[name: string, age: number]", "[string, number]"],
  ["[string, ...number[]]", "(number | string)[]"],
  ["Partial<{a: 1}> & {b: 2}", "{a?: 1, b: 2}"],
  ["(string | number)[][]", "(number | string)[][]"],
  [
    "interface A { b: B } /* and */ type B = A | null; // it\nexport interface C { a: A }",
    "{a: {b: {b: {b: unknown} | null} | null}}",
  ],
])("%s", (text, type) => {
  expect(printType(typeOfTypeScript(text), { depth: 8 })).toBe(type);
});

test("one of several declarations", () => {
  const text = "interface A { id: number } interface B { a: A[] }";
  expect(printType(typeOfTypeScript(text, "A"))).toBe("{id: number}");
  expect(() => typeOfTypeScript(text, "C")).toThrow("There is no type C");
});

test.each([
  ["{ a: }", "Unexpected }", 5],
  ["{ a string }", "Unexpected string: expected :", 4],
  ["string |", "The type ends too early", 8],
  ["string #", 'Unexpected "#"', 7],
])("%s is told", (text, message, offset) => {
  try {
    typeOfTypeScript(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeSyntaxError);
    expect({ message: (error as Error).message, offset: (error as TypeSyntaxError).offset }).toEqual({
      message,
      offset,
    });
  }
});

test("a JSON Schema", () => {
  const type = typeOfSchema({
    type: "object",
    properties: { id: { type: "integer" }, tags: { type: "array", items: { $ref: "#/$defs/tag" } } },
    required: ["id"],
    additionalProperties: false,
    $defs: { tag: { enum: ["a", "b"] } },
  });
  expect(printType(type)).toBe('{id: number, tags?: ("a" | "b")[]}');
  expect(infer(".tgas", type).diagnostics.map(({ code }) => code)).toEqual(["missing-member"]);
});
