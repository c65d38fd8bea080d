import type { App } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { WorldLog } from "../polling/run.ts";
import type { Protocol } from "../protocol/protocol.ts";

/** What an app must hold to in every world. */
export interface Law<L = WorldLog, C = LawContext> {
  /** As in the docs: `simulate/NAME`. */
  readonly name: string;
  readonly summary: string;
  /** @returns how the world breaks it; undefined where it holds */
  readonly broken: (log: L, context: C) => Breach | undefined;
}

/** What a law may look at beside the log. */
export interface LawContext {
  readonly app: App;
  /** What the customer chose. */
  readonly form: JsonObject;
  readonly protocol: Protocol;
  readonly isHistory: boolean;
  /** Records that the app leaves out on purpose: alone at the service, they don't arrive either. */
  readonly leftOut: ReadonlySet<number>;
}

/** How a law is broken. */
export interface Breach {
  /** One sentence: what is lost, and how much of it. */
  readonly message: string;
  /** Records that show it, the most telling first. */
  readonly records: readonly number[];
  /** Cycles or steps that show it. */
  readonly cycles: readonly number[];
  /** JSON Pointer of the guilty place, where the breach itself says it. */
  readonly pointer?: string;
  /** The last line of the story, where what it tells doesn't show the breach. */
  readonly shownBy?: string;
}
