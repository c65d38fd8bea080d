/** The entry `@configc/jq/types`: what a program takes, gives and has wrong with it, without what runs it. */
export { check } from "./check.ts";
export type { CustomCall, CustomFunction, CustomFunctions } from "./custom-functions.ts";
export { type DemandedPath, demandedPaths, type PathSegment } from "./demanded-paths.ts";
export * from "./diagnostics.ts";
export type * from "./json.ts";
export type { FoundModule, ModuleRequest, ModuleResolver } from "./modules/module.ts";
export { modulesOf } from "./modules/module.ts";
export type * from "./options.ts";
export type { Cardinality } from "./types/cardinality.ts";
export { typeOfSchema } from "./types/from-schema.ts";
export { TypeSyntaxError, typeOfTypeScript } from "./types/from-typescript.ts";
export { cardinality, type InferResult, infer } from "./types/infer.ts";
export type { InferOptions, TypedHole } from "./types/infer-options.ts";
export { types } from "./types/namespace.ts";
export { includes } from "./types/operations.ts";
export { type PrintOptions, printType } from "./types/print.ts";
export type { Member, ObjectType, Type } from "./types/type.ts";
