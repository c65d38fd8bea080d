/** Intervals that divide the unit above: only those come round at the same distance each time. */
const units = [
  { seconds: 1, steps: 60, pattern: (step: number) => `*/${step} * * * * *` },
  { seconds: 60, steps: 60, pattern: (step: number) => `0 */${step} * * * *` },
  { seconds: 3_600, steps: 24, pattern: (step: number) => `0 0 */${step} * * *` },
] as const;

/**
 * A cron pattern (with seconds) for an interval. One that no pattern has is shortened to the next one that has: to look too often
 * does no harm.
 */
export function cronOf(seconds: number): string {
  const unit = units.findLast((each) => seconds >= each.seconds) ?? units[0];
  const wanted = Math.max(1, Math.floor(seconds / unit.seconds));
  let step = Math.min(wanted, unit.steps - 1);
  while (unit.steps % step !== 0) step--;
  return unit.pattern(step);
}
