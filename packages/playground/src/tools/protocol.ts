import type { TraceEvent } from "@configc/runtime";
import type { Progress, Report } from "@configc/simulate";

/** The document that a question is about; each question brings it along, so that the worker remembers nothing. */
export interface Source {
  /** File name; its ending decides whether comments are allowed. */
  readonly name: string;
  readonly text: string;
  /** Recorded answers of its API, `{request, response}` as in a test file: types of responses come from them. */
  readonly exchanges: readonly unknown[];
}

/** UTF-16 offsets in the document. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A command in the flow of the outermost one around it. */
export interface TypedCommand {
  readonly pointer: string;
  /** What a person calls it, by the names around it: `contacts › select › options`. */
  readonly title: string;
  readonly key: string;
  /** UTF-16 offsets of its key. */
  readonly start: number;
  readonly end: number;
  /** Commands around it, up to the outermost one. */
  readonly depth: number;
  /** The one at the cursor. */
  readonly current: boolean;
  readonly input: string;
  readonly output: string;
  /** Where parts of the output come from, a line each; of the one at the cursor. */
  readonly because: readonly string[];
}

export interface Explanation {
  readonly rule: string;
  readonly severity: string;
  readonly summary: string;
  readonly why: string;
  readonly bad: string;
  readonly good: string;
  /** Path of its page in the repository. */
  readonly docs: string;
}

/** What a run gave. Values are masked and cut where they were captured. */
export interface RunReport {
  /** Laid out; absent if it failed. */
  readonly output?: string;
  readonly failure?: RunFailure;
  /** Whether the case came out as it says; absent where it doesn't say. */
  readonly expected?: boolean;
  /** The request that no answer is recorded for. */
  readonly unanswered?: { readonly method: string; readonly url: string };
  /** Recorded exchanges that nobody asked for. */
  readonly unused: number;
  readonly events: readonly TraceEvent[];
  readonly milliseconds: number;
}

export interface RunFailure {
  readonly kind: string;
  readonly message: string;
  readonly span?: Span;
}

/** What a simulation found, with what people read of it. */
export interface SimulationReport {
  readonly report: Report;
  /** Of each part: what was supposed, tried and not tried. */
  readonly told: readonly (readonly string[])[];
  readonly ran: string;
  readonly neverRan: readonly string[];
}

/** What the tab of jq alone works on, as it is written there. */
export interface JqWork {
  readonly program: string;
  /** JSON values, one after the other. */
  readonly input: string;
  /** The type of an input, in TypeScript or as a JSON Schema; empty for that of the inputs themselves. */
  readonly type: string;
}

export interface JqProblem {
  /** The text that it is in; `run`: what failed in the program, on an input. */
  readonly in: "program" | "input" | "type" | "run";
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface JqReport {
  readonly problems: readonly JqProblem[];
  /** Laid out; the first ones. */
  readonly outputs: readonly string[];
  /** Outputs that aren't among them. */
  readonly left: number;
  /** The types of an input and of an output, laid out. */
  readonly input: string;
  readonly output: string;
}

export interface JqChoices {
  /** Where what is chosen begins. */
  readonly from: number;
  readonly choices: readonly {
    readonly label: string;
    readonly kind: string;
    readonly detail?: string;
    readonly info?: string;
  }[];
}

/** The questions that the worker answers, by name. */
export interface Tools {
  /** The outermost command at an offset and those in it; empty outside of commands. */
  types(source: Source, offset: number): readonly TypedCommand[];
  /** The app as an SVG. */
  graph(source: Source): string;
  /** Where the key of a command stands. */
  place(source: Source, pointer: string): Span | undefined;
  explain(rule: string): Explanation | undefined;
  /** @param test a case as in a test file, as text */
  run(source: Source, test: string): Promise<RunReport>;
  /** @param seeds random worlds for each workflow */
  simulate(source: Source, seeds: number): Promise<SimulationReport>;
  jq(work: JqWork): JqReport;
  jqFormat(program: string): string;
  jqChoices(work: JqWork, offset: number): JqChoices;
}

export interface Question {
  readonly id: number;
  readonly name: keyof Tools;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };
