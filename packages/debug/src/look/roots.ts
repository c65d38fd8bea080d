import type { App, AppExpansion, AppNode } from "@configc/compiler";
import type { RootName } from "@configc/compiler/internal";
import type { Frame, Json } from "@configc/runtime";
import { customDataOf, requiredGetter } from "@configc/runtime/internal";
import type { DebugEvent } from "../run/event.ts";
import type { History } from "../run/history.ts";

/** Reads what expansions read at an event. */
export class Roots {
  private readonly app: App;
  private readonly history: History;

  constructor(app: App, history: History) {
    this.app = app;
    this.history = history;
  }

  /**
   * The value of a path as the command at an event gets it.
   *
   * @throws RunError where nothing is there
   */
  valueAt(event: DebugEvent, expansion: Omit<AppExpansion, "span">): Json {
    return requiredGetter(expansion, placeOf(this.app, event))(this.frameAt(event));
  }

  /** The value of a root; undefined where it has none. */
  rootAt(event: DebugEvent, root: RootName): Json | undefined {
    try {
      return this.valueAt(event, { path: [root] });
    } catch {
      return undefined;
    }
  }

  /** What getters of expansions read of a frame. Commands get theirs from the runtime; this is the same, seen from outside. */
  private frameAt(event: DebugEvent): Frame {
    const { run, saved } = event;
    const context = run?.context ?? {};
    const customData =
      run === undefined
        ? () => undefined
        : customDataOf(this.app, run.node, run.place, context, { write: () => undefined });
    const frame: Pick<Frame, "piped" | "customData" | "context"> & { saved: Pick<Frame["saved"], "read"> } = {
      piped: this.pipedAt(event),
      customData,
      context,
      saved: { read: () => saved },
    };
    return frame as Frame;
  }

  /** D11, D14: the input and the outputs so far of the innermost pipe around an event. */
  private pipedAt(event: DebugEvent): readonly Json[] | undefined {
    const { run } = event;
    for (
      let around = this.history.around(event);
      around !== undefined && around.kind === "step";
      around = this.history.around(around)
    ) {
      if (around.data.key !== "!pipe") continue;
      const piped = [around.data.input ?? null];
      for (const { kind, parent, data } of this.history.from(around.id, event.id)) {
        if (kind === "end" && data.output !== undefined && this.history.get(parent)?.parent === around.id)
          piped.push(data.output);
      }
      return piped;
    }
    return run?.place === "source" || run?.place === "target" ? [run.input] : undefined;
  }
}

function placeOf({ commands }: App, { node }: Pick<DebugEvent, "node">): AppNode {
  const command = Object.hasOwn(commands, node) ? commands[node] : undefined;
  return command ?? { pointer: node, span: { start: 0, end: 0 } };
}
