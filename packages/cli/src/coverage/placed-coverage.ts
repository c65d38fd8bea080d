import { type Model, type Range, rangeOf } from "@configc/compiler";
import { pointerTo } from "@configc/compiler/internal";
import {
  type Coverage,
  coverageSummary,
  type MissingBranch,
  missingSummary,
  placesIn,
} from "@configc/simulate";
import type { LoadedConfig } from "../run/config.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/text.ts";

/** What of a config ran, and where what never did stands. */
export class PlacedCoverage {
  readonly #coverage: Coverage;
  readonly #rangeOf: (pointer: string, offset?: number) => Range | undefined;
  readonly #model: Model;

  constructor(coverage: Coverage, { app, model }: Pick<LoadedConfig, "app" | "model">) {
    this.#coverage = coverage;
    this.#model = model;
    const places = placesIn(app, model);
    this.#rangeOf = (pointer, offset) => {
      const span = places(pointer, offset);
      return span === undefined ? undefined : rangeOf(model.document, span);
    };
  }

  /** How much ran, and then a line for each place that never did. */
  lines(): readonly string[] {
    const missing = missingSummary(this.#coverage, (pointer, offset) => {
      const start = this.#rangeOf(pointer, offset)?.start;
      return start === undefined ? "" : ` (${start.line}:${start.column})`;
    });
    return [coverageSummary(this.#coverage), ...missing.map(visible)];
  }

  /** For a terminal, behind a title. */
  pretty(title: string, style: Style): readonly string[] {
    const [summary = "", ...missing] = this.lines();
    return [`${title}: ${summary}`, ...missing.map((line) => style.dim(`  ${line}`))];
  }

  toJSON() {
    const { commands, switchCases, jqBranches } = this.#coverage;
    const placed = ({ offset, ...rest }: MissingBranch) => ({
      ...rest,
      range: this.#rangeOf(rest.pointer, offset),
    });
    const missed = new Set(commands.missing);
    // An editor marks all of them, those that ran too: by their keys, since commands stand in one another.
    const places = this.#model.commands.map(({ node, member }) => {
      const pointer = pointerTo(node);
      return { pointer, ran: !missed.has(pointer), range: rangeOf(this.#model.document, member.key) };
    });
    return {
      commands: { ...commands, places },
      switchCases,
      jqBranches: { ...jqBranches, missing: jqBranches.missing.map(placed) },
    };
  }
}
