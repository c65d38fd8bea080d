import { withoutEach } from "../world/fewer.ts";
import { kindest } from "../world/hypotheses.ts";
import type { Happening, World } from "../world/world.ts";

/** Worlds that are a little less than this one, the largest steps first. */
export function* smallerWorlds(world: World): Generator<World> {
  const { hypotheses, happenings, faults } = world;
  for (const name of Object.keys(kindest) as (keyof typeof kindest)[]) {
    if (JSON.stringify(hypotheses[name]) === JSON.stringify(kindest[name])) continue;
    yield { ...world, hypotheses: { ...hypotheses, [name]: kindest[name] } };
    if (name === "rounding" && hypotheses.rounding > 1_000)
      yield { ...world, hypotheses: { ...hypotheses, rounding: 1_000 } };
  }
  if (happenings.length > 3) {
    const half = happenings.length >> 1;
    yield { ...world, happenings: happenings.slice(half) };
    yield { ...world, happenings: happenings.slice(0, half) };
  }
  for (const fewer of withoutEach(faults)) yield { ...world, faults: fewer };
  for (const fewer of withoutEach(happenings)) yield { ...world, happenings: fewer };
  for (const first of new Set([0, world.first >> 1, world.first - 1]))
    if (first >= 0 && first < world.first) yield { ...world, first };
  if (world.requests < 100) yield { ...world, requests: 100 };
  if (world.form !== "") yield { ...world, form: "" };
  if (world.sameTime) yield { ...world, sameTime: false };
  for (const each of happenings)
    for (const simpler of simplerHappenings(each))
      yield { ...world, happenings: happenings.map((other) => (other === each ? simpler : other)) };
  const last = Math.max(1, ...happenings.map(({ cycle }) => cycle));
  if (last < world.cycles) yield { ...world, cycles: last };
}

function* simplerHappenings(happening: Happening): Generator<Happening> {
  const { times, record, isLate, cycle } = happening;
  if (times > 1) yield { ...happening, times: times >> 1 };
  if (times > 1) yield { ...happening, times: times - 1 };
  if (isLate) yield { ...happening, isLate: false };
  if (happening.request > 0) yield { ...happening, request: 0 };
  if (record > 0) yield { ...happening, record: 0 };
  if (record > 9) yield { ...happening, record: record % 10 };
  if (cycle > 1) yield { ...happening, cycle: cycle - 1 };
}
