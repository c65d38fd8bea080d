import type { Hypotheses } from "../world/hypotheses.ts";

/** All that decides a run of the guided setup but the app. */
export interface SetupWorld {
  readonly kind: "setup";
  readonly seed: number;
  /** Records of each list that options are made of. */
  readonly records: number;
  readonly gaps: Hypotheses["gaps"];
  /** Long texts and foreign scripts. */
  readonly isForeign: boolean;
}

/** As many as fit on any page. */
export const USUAL = 3;
/** What a large customer has; pages of no usual size end with it. */
const MANY = 1_003;

/** A customer with a few of everything. */
export const plainSetup: SetupWorld = {
  kind: "setup",
  seed: 0,
  records: USUAL,
  gaps: false,
  isForeign: false,
};

/** Worlds that try one thing each. Nothing else varies, so there are none of seeds. */
export const plannedSetups: readonly SetupWorld[] = [
  plainSetup,
  { ...plainSetup, records: 0 },
  { ...plainSetup, records: 1 },
  { ...plainSetup, records: MANY },
  ...([true, "null", "absent"] as const).map((gaps): SetupWorld => ({ ...plainSetup, gaps })),
  { ...plainSetup, isForeign: true },
];

/** Worlds that are a little less than this one, the largest steps first. */
export function* smallerSetups(world: SetupWorld): Generator<SetupWorld> {
  const { records, gaps, isForeign } = world;
  if (gaps !== false) yield { ...world, gaps: false };
  if (isForeign) yield { ...world, isForeign: false };
  if (records < USUAL) yield { ...world, records: USUAL };
  for (const fewer of new Set([USUAL, records >> 1, records - (records >> 2), records - 10, records - 1]))
    if (fewer >= USUAL && fewer < records) yield { ...world, records: fewer };
}
