import type { Feature } from "../feature.ts";
import { graph } from "./graph.ts";
import { inferredType } from "./inferred-type.ts";
import { operations } from "./operations.ts";
import { programs } from "./programs.ts";
import { runInfo } from "./run-info.ts";
import { samples } from "./samples.ts";

export type { GraphParams, GraphResult } from "./graph.ts";
export type { InferredType, InferredTypeParams } from "./inferred-type.ts";
export type { DescribedOperation, OperationsParams } from "./operations.ts";
export type {
  Program,
  ProgramHole,
  ProgramParams,
  TriedInput,
  WriteProgramParams,
  WrittenProgram,
} from "./programs.ts";
export type { RunInfo, RunInfoAuth, RunInfoField, RunInfoParams, RunInfoWrite } from "./run-info.ts";
export type { SampleFile, SamplesParams } from "./samples.ts";

/** Requests beyond the standard; `docs/editors.md` documents them, so that any client can use them. */
export const requests: readonly Feature[] = [inferredType, runInfo, graph, samples, programs, operations];
