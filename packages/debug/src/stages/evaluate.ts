import type { AppProgram } from "@configc/compiler";
import { compile, type Filter, JqError, type Json, type JsonObject } from "@configc/jq";
import type { ExpansionPlace } from "./expansions.ts";
import { instrumented, OUTPUT } from "./instrumented.ts";
import { type StagePlace, stagesOf } from "./places.ts";

/** What a program is run on again. */
interface ProgramInput {
  readonly input: Json;
  /** Values of its holes. */
  readonly holes: readonly Json[];
  /** Milliseconds since 1970, as it saw them. */
  readonly now: number;
  readonly timeZone: string;
}

/** A value that comes to a stage, or out of the program; or one that an expansion puts into a command. */
export interface StageStop {
  /** Undefined: the program gives the value, or the expansion does. */
  readonly stage: StagePlace | undefined;
  readonly expansion?: ExpansionPlace;
  /** Why an expansion has no value. */
  readonly failure?: string;
  readonly value: Json;
  /** Those of the program itself that can be read there. */
  readonly variables: JsonObject;
}

/** Number of the place at which a value was, in the list of its command's stages or expansions; undefined for what a program gives. */
export function placeIndex({ stage, expansion }: StageStop): number | undefined {
  return stage?.index ?? expansion?.index;
}

/** How a program ended that was gone through. `left`: whoever looked had seen enough. */
export type StagesEnd =
  | { readonly kind: "done" }
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly message: string };

/** So much may a program do while it is gone through: as much as in a run of its own, and what the marks take. */
const BUDGET = { steps: 500_000_000, milliseconds: 30_000, memory: 1_000_000_000 };

/** Thrown out of a program that needn't go on. No `try` of jq catches what isn't a failure of the program. */
class Enough extends Error {}

/** A program whose stages can be gone through, as often as one likes: jq is pure, so each time it does the same. */
export class StagedProgram {
  readonly stages: readonly StagePlace[];
  private readonly filter: Filter | undefined;

  constructor(program: AppProgram) {
    this.stages = stagesOf(program);
    const { text, places } = instrumented(program, this.stages);
    this.filter = this.stages.length === 0 ? undefined : compile(text, { holes: places, exact: true }).filter;
  }

  /** False for a program that can't be read, and for one that only names a value. */
  get hasStages(): boolean {
    return this.filter !== undefined;
  }

  /**
   * Goes through the program on an input until its first output, as a run does.
   *
   * @param visit is told each stop in the order in which they come; false ends it
   */
  visit({ input, holes, now, timeZone }: ProgramInput, visit: (stop: StageStop) => boolean): StagesEnd {
    try {
      this.filter?.first(input, {
        bindings: { holes },
        clock: () => now / 1_000,
        timeZone,
        budget: BUDGET,
        io: {
          debug: (told) => {
            const [index, value, variables] = told as unknown as [number, Json, JsonObject];
            const stage = Number(index) === OUTPUT ? undefined : this.stages[Number(index)];
            if (!visit({ stage, value, variables })) throw new Enough();
          },
        },
      });
      return { kind: "done" };
    } catch (error) {
      if (error instanceof Enough) return { kind: "left" };
      if (error instanceof JqError) return { kind: "failed", message: error.message };
      throw error;
    }
  }
}
