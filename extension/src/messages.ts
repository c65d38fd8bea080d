import type {
  InferredType,
  ProgramHole,
  ProposeConfigParams,
  ProposedConfig,
  RunPart,
  RunStepProgress,
  RunStepResult,
  SetupAction,
  SetupParams,
  SetupResult,
  SimulateProgress,
  SimulateResult,
  TriedInput,
} from "@configc/language-server";

/** What the results panel is told. */
export type ToPanel =
  | { readonly kind: "running"; readonly title: string }
  | ({ readonly kind: "progress" } & RunStepProgress)
  | {
      readonly kind: "result";
      readonly title: string;
      readonly result: RunStepResult;
      /** Whether there is an earlier result to compare with. */
      readonly comparable: boolean;
    }
  | { readonly kind: "types"; readonly title: string; readonly types: readonly InferredType[] }
  | { readonly kind: "broken"; readonly message: string }
  /** To a question of the panel; `value` is absent where there is an error. */
  | { readonly kind: "answer"; readonly id: number; readonly value?: unknown; readonly error?: string };

/** An exchange of a run. */
export interface ExchangePlace {
  /** Index in the steps of the run. */
  readonly step: number;
  /** Index in the exchanges of the step. */
  readonly exchange: number;
}

/** What the panel asks about the values of the run on show; the answer comes as a message with the same `id`. */
export type Question =
  | {
      readonly ask: "value";
      readonly part: RunPart;
      readonly pointer: string;
      readonly from: number;
      readonly count: number;
    }
  | { readonly ask: "find"; readonly part: RunPart; readonly text: string }
  | { readonly ask: "text"; readonly part: RunPart; readonly most: number };

/** What a person did in it. */
export type FromPanel =
  | { readonly kind: "ready" }
  | { readonly kind: "rerun" | "cancel" | "compare" | "saveSample" | "saveTest" | "connect" | "allowPrivate" }
  | ({ readonly kind: "ask"; readonly id: number } & Question)
  | { readonly kind: "copy"; readonly text: string }
  /** As JSON, whole. */
  | { readonly kind: "copyValue"; readonly part: RunPart; readonly pointer: string }
  | { readonly kind: "copyCurl"; readonly exchanges: readonly ExchangePlace[] }
  /** Index in the steps of the run. */
  | { readonly kind: "reveal"; readonly step: number };

/** What the panel with the picture of an app is told. */
export interface ToGraph {
  readonly svg: string;
  readonly title: string;
  /** Names of the workflows that there are. */
  readonly workflows: readonly string[];
  /** The one that is drawn alone. */
  readonly workflow?: string;
  /** JSON Pointer of the workflow or intake at the cursor: it is gone to at first. */
  readonly at?: string;
  /** JSON Pointers of the cards that can be closed, and of those that are. */
  readonly closable: readonly string[];
  readonly closed: readonly string[];
}

export type FromGraph =
  | { readonly kind: "close"; readonly closed: readonly string[] }
  | { readonly kind: "ready" }
  /** To draw a workflow alone, or all. */
  | { readonly kind: "choose"; readonly workflow?: string }
  /** UTF-16 offsets in the document. */
  | { readonly kind: "reveal"; readonly start: number; readonly end: number };

/** What the setup preview is told. */
export type ToSetup =
  | {
      readonly kind: "setup";
      readonly result: SetupResult;
      /** What is typed into search fields, by their id. */
      readonly searches: NonNullable<SetupParams["searches"]>;
      readonly live: boolean;
      /** Whether there are answers that runs could read. */
      readonly keepable: boolean;
    }
  | { readonly kind: "waiting" }
  | { readonly kind: "broken"; readonly message: string };

export type FromSetup =
  | { readonly kind: "ready" | "refresh" | "restart" | "keep" }
  | { readonly kind: "act"; readonly action: SetupAction }
  | { readonly kind: "search"; readonly field: string; readonly term: string }
  /** Where a command stands that failed. */
  | { readonly kind: "reveal"; readonly line: number };

/** What the panel of a simulation is told. */
export type ToSimulation =
  | { readonly kind: "running"; readonly title: string; readonly progress?: SimulateProgress }
  | {
      readonly kind: "result";
      readonly title: string;
      readonly report: SimulateResult["report"];
      readonly told: SimulateResult["told"];
      /** The document has changed since. */
      readonly isOld: boolean;
    }
  | { readonly kind: "broken"; readonly message: string };

export type FromSimulation =
  | { readonly kind: "ready" | "rerun" | "cancel" }
  /** Indexes of a part, and of a failure in it. */
  | { readonly kind: "reveal" | "saveTest"; readonly part: number; readonly failure: number };

/** What the page that makes a config of an API's description is told. */
export type ToScaffold =
  | {
      readonly kind: "proposal";
      /** Name of the file. */
      readonly from: string;
      readonly proposal: ProposedConfig;
      readonly chosen: Choices;
    }
  | { readonly kind: "broken"; readonly message: string };

type Choices = Pick<ProposeConfigParams, "read" | "write">;

export type FromScaffold =
  | { readonly kind: "ready" }
  | ({ readonly kind: "choose" } & Choices)
  /** Under which the config is written, without its ending. */
  | { readonly kind: "write"; readonly name: string };

/** What the page with a program's output is told. */
export type ToProgram =
  | { readonly kind: "inputs"; readonly inputs: readonly TriedInput[]; readonly chosen: number }
  | { readonly kind: "text"; readonly text: string; readonly holes: readonly ProgramHole[] }
  /** Why it isn't known what it would be tried on. */
  | { readonly kind: "broken"; readonly message: string };

export type FromProgram = { readonly kind: "ready" };
