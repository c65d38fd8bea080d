import type { IntakeWorld } from "@configc/compiler";
import type { Protocol } from "../protocol/protocol.ts";
import { type Hypotheses, LAG } from "./hypotheses.ts";

const roundings = { millisecond: 1, second: 1_000, minute: 60_000 } as const;

/** The hypotheses that are settled by what is known. */
export function settled(
  known: IntakeWorld | undefined,
  supposed: "ascending" | "descending",
): Partial<Hypotheses> {
  if (known === undefined) return {};
  const { pages, bounds, times, order, ties, lag } = known;
  return {
    ...(pages === undefined ? {} : { paging: pages === "frozen" ? "snapshot" : "live" }),
    ...(bounds === undefined ? {} : { boundary: bounds }),
    ...(times === undefined ? {} : { rounding: roundings[times] }),
    ...(order === undefined
      ? {}
      : { order: (order === "oldest-first") === (supposed === "ascending") ? "supposed" : "reverse" }),
    ...(ties === undefined ? {} : { ties: ties === "stable" ? "creation" : "any" }),
    ...(lag === undefined ? {} : { lag: Math.min(lag * 1_000, LAG * 60) }),
  };
}

/** The hypotheses that documents and samples settle. */
export function settledByProtocol({ known }: Pick<Protocol, "known">): Partial<Hypotheses> {
  return {
    ...(known?.isFrozen === true ? { paging: "snapshot" } : {}),
    ...(known?.isExact === true ? { rounding: 1 } : {}),
  };
}

/** How what is known is told with the results. */
export function assumptionsTold(known: IntakeWorld | undefined): readonly string[] {
  if (known === undefined) return [];
  const { because, ...rest } = known;
  const told = Object.entries(rest).map(
    ([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return told.length === 0 ? [] : [`${told.join(", ")}${because === undefined ? "" : ` (${because})`}`];
}
