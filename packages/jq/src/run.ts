/** The entry `@configc/jq/run`: what runs prepared programs, and nothing that reads them. */
export type { CustomCall, CustomFunction, CustomFunctions } from "./custom-functions.ts";
export { HaltError, JqError, type JqErrorKind } from "./evaluate/error.ts";
export type { Filter } from "./evaluate/filter.ts";
export type { PreparedProgram } from "./evaluate/prepared.ts";
export type { Bindings, Budget, InputOutput, RunOptions, Spent } from "./evaluate/run-options.ts";
export type * from "./json.ts";
export { type BuiltinLibrary, dates, type LoadOptions, load, regularExpressions } from "./load.ts";
export {
  type EachOptions,
  filterStream,
  jsonReader,
  jsonWriter,
  outputs,
  outputsOfArriving,
  type ReaderOptions,
} from "./streams.ts";
