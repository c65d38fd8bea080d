import type { App } from "@configc/compiler";
import type { Json } from "@configc/runtime";
import type { DebugEvent } from "../run/event.ts";
import { StagedProgram, type StageStop, type StagesEnd } from "../stages/evaluate.ts";
import { type ExpansionPlace, expansionsOf } from "../stages/expansions.ts";
import type { Roots } from "./roots.ts";

/** Stops of one run of a program that are remembered; further ones are gone through again when somebody is there. */
const MOST_STOPS = 20_000;

interface Gone {
  readonly stops: readonly StageStop[];
  /** Undefined: there are more stops than are remembered. */
  readonly end: StagesEnd | undefined;
}

/** The stops within the commands of a run, found when somebody looks: the stages of jq programs, and else expansions. */
export class Programs {
  private readonly app: App;
  private readonly roots: Roots;
  private readonly clock: () => number;
  private readonly timeZone: string;
  private readonly interrupted: () => boolean;
  private readonly made = new Map<string, StagedProgram>();
  private readonly expansions = new Map<string, readonly ExpansionPlace[]>();
  private readonly gone = new WeakMap<DebugEvent, Gone>();

  /**
   * @param clock the time that a program sees which hasn't run yet: milliseconds since 1970
   * @param interrupted whether somebody wants to stop what is going on
   */
  constructor(
    app: App,
    roots: Roots,
    options: { readonly clock: () => number; readonly timeZone: string; readonly interrupted: () => boolean },
  ) {
    this.app = app;
    this.roots = roots;
    this.clock = options.clock;
    this.timeZone = options.timeZone;
    this.interrupted = options.interrupted;
  }

  /** The program of a command; undefined where there is none to go into. */
  programOf(pointer: string): StagedProgram | undefined {
    const command = Object.hasOwn(this.app.commands, pointer) ? this.app.commands[pointer] : undefined;
    if (command?.program === undefined) return undefined;
    let made = this.made.get(pointer);
    if (made === undefined) {
      made = new StagedProgram(command.program);
      this.made.set(pointer, made);
    }
    return made.hasStages ? made : undefined;
  }

  /** Whether an event begins a command that one can go into stage by stage. */
  hasStages({ kind, node }: DebugEvent): boolean {
    return kind === "step" && this.programOf(node) !== undefined;
  }

  /** One stop of a program. */
  stopAt(event: DebugEvent, ordinal: number): StageStop | undefined {
    const known = this.rememberedOf(event);
    if (ordinal < known.stops.length || known.end !== undefined) return known.stops[ordinal];
    return this.find(event, ordinal, () => true)?.stop;
  }

  /** The first stop from a number on that is wanted. */
  find(
    event: DebugEvent,
    from: number,
    isWanted: (stop: StageStop, ordinal: number) => boolean,
  ): { readonly ordinal: number; readonly stop: StageStop } | undefined {
    const known = this.rememberedOf(event);
    for (let ordinal = from; ordinal < known.stops.length; ordinal++) {
      const stop = known.stops[ordinal]!;
      if (isWanted(stop, ordinal)) return { ordinal, stop };
    }
    if (known.end !== undefined) return undefined;
    let found: { readonly ordinal: number; readonly stop: StageStop } | undefined;
    const first = Math.max(from, known.stops.length);
    this.go(event, (stop, ordinal) => {
      if (ordinal >= first && (isWanted(stop, ordinal) || this.interrupted())) found = { ordinal, stop };
      return found === undefined;
    });
    return found;
  }

  /** The last stop before a number that is wanted. */
  findBack(
    event: DebugEvent,
    before: number,
    isWanted: (stop: StageStop, ordinal: number) => boolean,
  ): { readonly ordinal: number; readonly stop: StageStop } | undefined {
    let found: { readonly ordinal: number; readonly stop: StageStop } | undefined;
    const known = this.rememberedOf(event);
    if (before > known.stops.length && known.end === undefined) {
      this.go(event, (stop, ordinal) => {
        if (ordinal < before && isWanted(stop, ordinal)) found = { ordinal, stop };
        return ordinal < before && !this.interrupted();
      });
      return found;
    }
    for (let ordinal = Math.min(before, known.stops.length) - 1; ordinal >= 0; ordinal--) {
      const stop = known.stops[ordinal]!;
      if (isWanted(stop, ordinal)) return { ordinal, stop };
    }
    return undefined;
  }

  forget(event: DebugEvent): void {
    this.gone.delete(event);
  }

  private rememberedOf(event: DebugEvent): Gone {
    let gone = this.gone.get(event);
    if (gone === undefined) {
      const stops: StageStop[] = [];
      const end = this.go(event, (stop) => stops.push(stop) < MOST_STOPS && !this.interrupted());
      gone = { stops, end: end.kind === "left" ? undefined : end };
      this.gone.set(event, gone);
    }
    return gone;
  }

  /** A program whose holes have no value doesn't begin. */
  private go(event: DebugEvent, visit: (stop: StageStop, ordinal: number) => boolean): StagesEnd {
    const program = this.programOf(event.node);
    const { program: { holes = [] } = {} } = this.app.commands[event.node] ?? {};
    if (program === undefined) return this.goThroughExpansions(event, visit);
    let values: ReturnType<Roots["valueAt"]>[];
    try {
      values = holes.map((hole) => this.roots.valueAt(event, hole));
    } catch (error) {
      return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
    }
    let ordinal = 0;
    return program.visit(
      { input: event.data.input ?? null, holes: values, now: this.clock(), timeZone: this.timeZone },
      (stop) => visit(stop, ordinal++),
    );
  }

  /** All that a command reads, it reads as it begins; after one that has no value it reads no more. */
  private goThroughExpansions(
    event: DebugEvent,
    visit: (stop: StageStop, ordinal: number) => boolean,
  ): StagesEnd {
    for (const place of this.expansionsOf(event.node)) {
      const stop = { stage: undefined, expansion: place, variables: {} };
      let value: Json;
      try {
        value = this.roots.valueAt(event, place.expansion);
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        visit({ ...stop, value: null, failure }, place.index);
        return { kind: "failed", message: failure };
      }
      if (!visit({ ...stop, value }, place.index)) return { kind: "left" };
    }
    return { kind: "done" };
  }

  private expansionsOf(pointer: string): readonly ExpansionPlace[] {
    let known = this.expansions.get(pointer);
    if (known === undefined) {
      const command = Object.hasOwn(this.app.commands, pointer) ? this.app.commands[pointer] : undefined;
      known = command === undefined ? [] : expansionsOf(command);
      this.expansions.set(pointer, known);
    }
    return known;
  }
}
