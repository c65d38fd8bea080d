import { type App, type Model, type Range, rangeOf } from "@configc/compiler";
import { failureSpan, findNode } from "@configc/compiler/internal";
import type { Coverage, MissingBranch, Share } from "@configc/simulate";

/** What of a config ran, and where what never did stands. */
export interface PlacedCoverage {
  readonly commands: Share<string>;
  readonly switchCases: Share<string>;
  readonly jqBranches: Share<PlacedBranch>;
  /** Commands and cases that never ran, by their JSON Pointers. */
  readonly places: ReadonlyMap<string, Range>;
}

/** A branch that was never taken. */
export interface PlacedBranch extends Omit<MissingBranch, "offset"> {
  readonly range?: Range;
}

/** Finds the places of what never ran. */
export function placedCoverage(
  { commands, switchCases, jqBranches }: Coverage,
  app: App,
  model: Model,
): PlacedCoverage {
  const { document } = model;
  const places = [...commands.missing, ...switchCases.missing].flatMap(
    (pointer): readonly (readonly [string, Range])[] => {
      const found = findNode(model, pointer);
      return "node" in found ? [[pointer, rangeOf(document, found.node)]] : [];
    },
  );
  const placed = ({ pointer, branch, text, offset }: MissingBranch): PlacedBranch => {
    const span = spanOf(app, pointer);
    const at = span === undefined ? undefined : failureSpan(model, { pointer, span, offset });
    return { pointer, branch, text, ...(at === undefined ? {} : { range: rangeOf(document, at) }) };
  };
  return {
    commands,
    switchCases,
    jqBranches: { ...jqBranches, missing: jqBranches.missing.map(placed) },
    places: new Map(places),
  };
}

/** Of a command, or of a program of pagination. */
function spanOf({ commands, api }: App, pointer: string) {
  const own = Object.hasOwn(commands, pointer) ? commands[pointer] : undefined;
  const parsers = Object.values(api.pagination?.parser ?? {});
  return (own ?? parsers.find((parser) => parser.pointer === pointer))?.span;
}
