import type { WorldLog } from "../polling/run.ts";

/** Up to when the app has asked, where a window moves on from cycle to cycle: what lies behind it is late and not lost. */
export function reachedBy(cycles: WorldLog["cycles"]): number {
  const ends = cycles
    .slice(-2)
    .map(({ exchanged }) =>
      exchanged.flatMap(({ page }) =>
        (page?.query.bounds ?? []).filter(({ side }) => side === "to").map(({ value }) => value),
      ),
    );
  const [before = [], last = []] = ends;
  const isMoving = before.length > 0 && last.length > 0 && Math.max(...last) > Math.max(...before);
  return isMoving ? Math.max(...last) : Number.POSITIVE_INFINITY;
}
