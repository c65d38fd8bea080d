import { type App, type AppNode, type AppProgram, type Model, type Range, rangeOf } from "@configc/compiler";
import { failureSpan } from "@configc/compiler/internal";
import type { ProgramRun, TraceEvent } from "@configc/runtime";
import { branchesOf, branchesTaken, type JqBranch, type MarkedProgram, marked } from "./jq-branches.ts";

/** How much of a config its cases ran. */
export interface Coverage {
  readonly commands: Share<string>;
  /** Cases of `!switch`. */
  readonly switchCases: Share<string>;
  /** Of jq programs, those of pagination too. */
  readonly jqBranches: Share<MissingBranch>;
}

/** `missing` is what never ran: commands by their JSON Pointer. */
export interface Share<T> {
  readonly covered: number;
  readonly total: number;
  readonly missing: readonly T[];
}

/** A branch that was never taken. */
export interface MissingBranch {
  /** JSON Pointer of the command with the program. */
  readonly pointer: string;
  readonly branch: JqBranch["kind"];
  /** As it is written; empty for an `else` that isn't. */
  readonly text: string;
  readonly range?: Range;
}

interface Program {
  readonly place: AppNode;
  readonly program: AppProgram;
  readonly branches: readonly JqBranch[];
  readonly marked: MarkedProgram;
  readonly taken: Set<number>;
}

/** Collects what ran. */
export class CoverageOf {
  private readonly ran = new Set<string>();
  private readonly app: App;
  private readonly model: Model;
  /** Those with branches, by JSON Pointer. */
  private readonly programs: ReadonlyMap<string, Program>;

  constructor(app: App, model: Model) {
    this.app = app;
    this.model = model;
    this.programs = new Map(programsOf(app).map((each) => [each.place.pointer, each]));
  }

  add({ kind, node }: TraceEvent): void {
    if (kind === "step") this.ran.add(node);
  }

  addProgram(run: ProgramRun): void {
    const program = this.programs.get(run.place.pointer);
    if (program === undefined || program.taken.size === program.branches.length) return;
    for (const index of branchesTaken(run, program.marked)) program.taken.add(index);
  }

  result(): Coverage {
    const { commands } = this.app;
    const cases = Object.values(commands).flatMap(({ key, children = [] }) =>
      key === "!switch" ? children.filter((child) => child !== null) : [],
    );
    return {
      commands: this.share(Object.keys(commands)),
      switchCases: this.share(cases),
      jqBranches: this.branches(),
    };
  }

  private share(ids: readonly string[]): Share<string> {
    const missing = ids.filter((id) => !this.ran.has(id));
    return { covered: ids.length - missing.length, total: ids.length, missing };
  }

  private branches(): Share<MissingBranch> {
    const programs = [...this.programs.values()];
    const total = programs.reduce((sum, { branches }) => sum + branches.length, 0);
    const missing = programs.flatMap((program) =>
      program.branches
        .filter((_, index) => !program.taken.has(index))
        .map((branch) => this.missing(program, branch)),
    );
    return { covered: total - missing.length, total, missing };
  }

  private missing({ place, program }: Program, { kind, start, end }: JqBranch): MissingBranch {
    const { pointer, span } = place;
    const written = program.text.slice(start, end);
    const at = failureSpan(this.model, { pointer, span, offset: start });
    return {
      pointer,
      branch: kind,
      text: kind === "else" && written === "end" ? "" : written,
      ...(at === undefined ? {} : { range: rangeOf(this.model.document, at) }),
    };
  }
}

function programsOf({ commands, api }: App): Program[] {
  const parsers = Object.values(api.pagination?.parser ?? {});
  const all = [
    ...Object.values(commands).flatMap((place) =>
      place.program === undefined ? [] : [{ place, program: place.program }],
    ),
    ...parsers.map((parser) => ({ place: parser, program: parser })),
  ];
  return all.flatMap(({ place, program }) => {
    const branches = branchesOf(program);
    if (branches.length === 0) return [];
    return [{ place, program, branches, marked: marked(program, branches), taken: new Set<number>() }];
  });
}
