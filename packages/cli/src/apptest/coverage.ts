import type { App } from "@configc/compiler";
import type { TraceEvent } from "@configc/runtime";

/** How much of a config its cases ran. */
export interface Coverage {
  readonly commands: Share;
  /** Cases of `!switch`. */
  readonly switchCases: Share;
}

export interface Share {
  readonly covered: number;
  readonly total: number;
  /** JSON Pointers of what never ran. */
  readonly missing: readonly string[];
}

/** Collects what ran. */
export class CoverageOf {
  private readonly ran = new Set<string>();
  private readonly app: App;

  constructor(app: App) {
    this.app = app;
  }

  add({ kind, node }: TraceEvent): void {
    if (kind === "step") this.ran.add(node);
  }

  result(): Coverage {
    const { commands } = this.app;
    const cases = Object.values(commands).flatMap(({ key, children = [] }) =>
      key === "!switch" ? children.filter((child) => child !== null) : [],
    );
    return { commands: this.share(Object.keys(commands)), switchCases: this.share(cases) };
  }

  private share(ids: readonly string[]): Share {
    const missing = ids.filter((id) => !this.ran.has(id));
    return { covered: ids.length - missing.length, total: ids.length, missing };
  }
}
