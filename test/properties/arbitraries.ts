import fc from "fast-check";
import { validConfigs } from "../../packages/compiler/test/support/configs.ts";

/** Names that are members of every JavaScript object, and others that trip programs. */
export const trickyNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "length",
  "0",
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udc00x",
  "😀",
  "a".repeat(300),
] as const;

const texts: readonly string[] = validConfigs().map(({ text }) => text);

/** Pieces that make a difference to some lexer. */
export const sparks = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\\u",
  "\\ud83d",
  "\n",
  "\r\n",
  "\t",
  "/*",
  "//",
  "'",
  "null",
  "true",
  "1e999",
  "-",
  "${",
  "}",
  "$<",
  ">",
  "$${",
  "|",
  "| default",
  "| default:",
  "::",
  ".",
  "..",
  "[0]",
  "!jq",
  "!pipe",
  "!http",
  "!switch",
  "!save",
  "custom_data",
  "piped_content.0",
  "polling_state",
  "data.workflow.x",
  "webhook.url",
  "subdomain",
  "\ufeff",
  "\ud800",
  "\u2028",
  "_comment",
  "configc-ignore",
  "def f: f; f",
  "reduce",
  "as $x |",
  "@base64",
  "\\\\(",
  "if",
  "end",
  "[range(1e12)]",
  ...trickyNames,
] as const;

const edit = fc.oneof(
  fc.record({
    kind: fc.constant("cut" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    size: fc.nat(400),
  }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.oneof(fc.constantFrom(...sparks), fc.string({ unit: "binary", maxLength: 8 })),
  }),
  fc.record({
    kind: fc.constant("copy" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    size: fc.nat(600),
  }),
);

/** A valid document after some edits that know nothing of its structure. */
export const editedDocument = fc
  .record({ text: fc.constantFrom(...texts), edits: fc.array(edit, { minLength: 1, maxLength: 6 }) })
  .map(({ text, edits }) => {
    let result = text;
    for (const each of edits) {
      const at = Math.floor(each.at * result.length);
      if (each.kind === "cut") result = result.slice(0, at) + result.slice(at + each.size);
      else if (each.kind === "insert") result = result.slice(0, at) + each.text + result.slice(at);
      else {
        const from = Math.floor(each.from * result.length);
        result = result.slice(0, at) + result.slice(from, from + each.size) + result.slice(at);
      }
    }
    return result;
  });

/** Text of the document's alphabet, so that it gets past the first characters. */
export const sparkText = fc
  .array(fc.constantFrom(...sparks), { maxLength: 60 })
  .map((parts) => parts.join(""));
