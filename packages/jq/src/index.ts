export { type Builtin, builtin, builtins, formats } from "./builtins/index.ts";
export { calls, type FunctionCall, type HostUse, hostUses } from "./calls.ts";
export { check } from "./check.ts";
export { constant } from "./constant.ts";
export type { CustomCall, CustomFunction, CustomFunctions } from "./custom-functions.ts";
export { type DemandedPath, demandedPaths, type PathSegment } from "./demanded-paths.ts";
export * from "./diagnostics.ts";
export {
  type CompileOptions,
  type CompileResult,
  compile,
  type EvaluateOptions,
  evaluate,
} from "./evaluate/compile.ts";
export { HaltError, JqError, type JqErrorKind } from "./evaluate/error.ts";
export { ExactNumber } from "./evaluate/exact-number.ts";
export type { Filter } from "./evaluate/filter.ts";
export type { Source } from "./evaluate/json-reader.ts";
export {
  JsonSyntaxError,
  parseEvents,
  parseExact,
  parseInput,
  parseInputs,
  printExact,
} from "./evaluate/parse-json.ts";
export type { PreparedProgram } from "./evaluate/prepared.ts";
export type { Bindings, Budget, InputOutput, RunOptions, Spent } from "./evaluate/run-options.ts";
export type { FormatOptions } from "./format.ts";
export { type FormatTextOptions, format } from "./format-text.ts";
export type * from "./json.ts";
export type { FoundModule, ModuleRequest, ModuleResolver } from "./modules/module.ts";
export { modulesOf } from "./modules/module.ts";
export type * from "./options.ts";
export { type PrepareResult, prepare } from "./prepare.ts";
export { regexProblem } from "./regex/pattern.ts";
export { type Resolution, resolve } from "./resolve/resolve.ts";
export {
  type EachOptions,
  filterStream,
  jsonReader,
  jsonWriter,
  outputs,
  outputsOfArriving,
  type ReaderOptions,
} from "./streams.ts";
export { parse } from "./syntax/parser.ts";
export * from "./syntax-tree.ts";
export { type TypedOptions, type TypedResult, typed } from "./typed.ts";
export type { Cardinality } from "./types/cardinality.ts";
export { typeOfSchema } from "./types/from-schema.ts";
export { TypeSyntaxError, typeOfTypeScript } from "./types/from-typescript.ts";
export { cardinality, type InferResult, infer } from "./types/infer.ts";
export type { InferOptions, TypedHole } from "./types/infer-options.ts";
export { types } from "./types/namespace.ts";
export { includes } from "./types/operations.ts";
export { type PrintOptions, printType } from "./types/print.ts";
export type { Member, ObjectType, Type } from "./types/type.ts";
export { children, nodeAt, nodesAt, type Visitor, walk } from "./walk.ts";
