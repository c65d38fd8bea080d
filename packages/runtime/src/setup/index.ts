export type { Mapping, MappingEntry } from "../mapping/mapping.ts";
export type { MapFields } from "./check-mapping.ts";
export { SetupError, type SetupErrorKind, type SetupIssue } from "./error.ts";
export type { Installations } from "./installations.ts";
export type { FieldOption, MapOption } from "./options.ts";
export type { SetupOptions } from "./session.ts";
export type { Setup } from "./setup.ts";
export type { SetupEvent } from "./transition.ts";
export type { CurrentView, FieldView, SetupView, StepView } from "./view.ts";
