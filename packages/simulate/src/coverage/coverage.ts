import type { App, AppNode, AppProgram } from "@configc/compiler";
import type { ProgramRun } from "@configc/runtime";
import { branchesOf, branchesTaken, type JqBranch, type MarkedProgram, marked } from "./jq-branches.ts";

/** How much of a config ran; plain JSON. */
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
  /** UTF-16 units of the program before it. */
  readonly offset: number;
}

interface Program {
  readonly place: AppNode;
  readonly program: AppProgram;
  readonly branches: readonly JqBranch[];
  /** Made when it first runs. */
  marked: MarkedProgram | undefined;
  readonly taken: Set<number>;
}

/** Collects what ran. */
export class CoverageOf {
  private readonly ran = new Set<string>();
  private readonly app: App;
  /** Those with branches, by JSON Pointer. */
  private readonly programs: ReadonlyMap<string, Program>;

  private readonly isCounted: (pointer: string) => boolean;

  /** @param within JSON Pointers of all that counts; by default everything does */
  constructor(app: App, within?: readonly string[]) {
    this.app = app;
    this.isCounted = (pointer) =>
      within === undefined || within.some((each) => pointer.startsWith(`${each}/`));
    this.programs = new Map(
      programsOf(app)
        .filter(({ place }) => this.isCounted(place.pointer))
        .map((each) => [each.place.pointer, each]),
    );
  }

  /** @param pointer of the command */
  addCommand(pointer: string): void {
    this.ran.add(pointer);
  }

  addProgram(run: ProgramRun): void {
    const program = this.programs.get(run.place.pointer);
    if (program === undefined || program.taken.size === program.branches.length) return;
    program.marked ??= marked(program.program, program.branches);
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

  private share(all: readonly string[]): Share<string> {
    const ids = all.filter(this.isCounted);
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
    const written = program.text.slice(start, end);
    const text = kind === "else" && written === "end" ? "" : written;
    return { pointer: place.pointer, branch: kind, text, offset: start };
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
    return [{ place, program, branches, marked: undefined, taken: new Set<number>() }];
  });
}
