/** The entry `@configc/jq/run`: what runs prepared programs, and nothing that reads them. */
export type { CustomCall, CustomFunction, CustomFunctions } from "./custom-functions.ts";
export { HaltError, JqError, type JqErrorKind } from "./evaluate/error.ts";
export type { Bindings, Filter, RunOptions, Spent } from "./evaluate/filter.ts";
export type { Budget } from "./evaluate/machine.ts";
export type { PreparedProgram } from "./evaluate/prepared.ts";
export type { InputOutput } from "./evaluate/surroundings.ts";
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
