import type { JqProgram } from "@configc/compiler";

/** Another spelling of a program that does the same; undefined where it has nothing of the kind. */
export type ProgramSpelling = (program: JqProgram) => string | undefined;
