import type { BuiltinTable } from "./builtin.ts";

/** Paths, and the structure of objects. */
export const pathsBuiltins: BuiltinTable = {
  "getpath($path)": "The value at a path given as an array; null where it doesn't exist.",
  "setpath($path; $value)": "The input with the value at the path replaced.",
  "delpaths($paths)": "The input without the values at the given paths.",
  "path(expression)": "The paths of what the expression selects, as arrays.",
  paths: "The paths of all values inside the input.",
  "paths(condition)": "The paths of the values inside the input for which the condition holds.",
  "del(paths)": "The input without what the expression selects.",
  "pick(paths)": "Only what the expression selects, at its place.",
  "walk(update)": "Applies the update to every value inside the input, innermost first.",
  to_entries: "An object as an array of {key, value}.",
  from_entries: "An object from an array of {key, value}; Key, name, Name and Value are understood too.",
  "with_entries(update)": "Changes an object entry by entry, as {key, value}.",
  tostream: "The input as a stream of [path, leaf] events.",
  "fromstream(events)": "Puts values together from a stream of events.",
  "truncate_stream(events)": "Removes the leading path parts of events, as many as the input says.",
};
