import type { BuiltinTable } from "./builtin.ts";

/** Conditions, errors, and generators. */
export const controlBuiltins: BuiltinTable = {
  empty: "Gives no output at all.",
  error: "Fails with the input as the error's value.",
  "error(message)": "Fails with the given value, usually a string.",
  not: "true for false and null, otherwise false.",
  "select(condition)": "Passes the input on if the condition holds, otherwise gives nothing.",
  "isempty(generator)": "Whether the generator gives no output.",
  "limit($count; generator)": "The first outputs of the generator, at most the given number.",
  "skip($count; generator)": "The outputs of the generator without the first ones.",
  "first(generator)": "The first output of the generator.",
  "last(generator)": "The last output of the generator.",
  "nth($index; generator)": "One output of the generator, counted from 0.",
  "until(condition; update)": "Updates the input until the condition holds.",
  "while(condition; update)": "The input and its updates, as long as the condition holds.",
  "repeat(update)": "Runs the update on its own output again and again, and gives every value.",
  "range($upto)": "The numbers from 0 up to, but not including, the limit.",
  "range($from; $upto)": "The numbers from the first up to, but not including, the second.",
  "range($from; $upto; $by)": "The numbers from the first towards the second in steps of the third.",
  recurse: "The input and every value inside it.",
  "recurse(step)": "The input, then the step's outputs, their outputs, and so on.",
  "recurse(step; condition)": "Like recurse(step), as long as the condition holds.",
};
