import type { BuiltinTable } from "./builtin.ts";

/** Types, conversions and filters by type. */
export const valuesBuiltins: BuiltinTable = {
  null: "The value null.",
  true: "The value true.",
  false: "The value false.",
  type: "The input's type as text: null, boolean, number, string, array or object.",
  length:
    "Characters of a string, items of an array, members of an object, a number without its sign, 0 for null.",
  utf8bytelength: "The number of bytes of a string in UTF-8.",
  tostring: "Strings as they are, anything else as its JSON text.",
  tonumber: "Reads a number from a string; numbers stay as they are.",
  toboolean: "Reads true or false from a string; booleans stay as they are.",
  toarray: "The input in an array, unless it is one.",
  tojson: "The input as JSON text.",
  fromjson: "Reads the input string as JSON.",
  values: "Passes on everything but null.",
  nulls: "Passes on null only.",
  booleans: "Passes on booleans only.",
  numbers: "Passes on numbers only.",
  strings: "Passes on strings only.",
  arrays: "Passes on arrays only.",
  objects: "Passes on objects only.",
  iterables: "Passes on arrays and objects only.",
  scalars: "Passes on everything but arrays and objects.",
  finites: "Passes on numbers that are neither infinite nor nan.",
  normals: "Passes on normal numbers: not zero, subnormal, infinite or nan.",
  builtins: "The names of all builtin functions with their argument counts, as an array of strings.",
  have_decnum: "Whether numbers are computed with decimal precision.",
  have_literal_numbers: "Whether large numbers keep the digits they were written with.",
  input_line_number: "The line that was last read of the input, if the host knows it; else 0.",
  modulemeta: "The metadata of the module that the input names.",
};
