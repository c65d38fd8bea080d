import type { Trial, WorldChoice } from "../explore.ts";
import type { Breach, Law } from "../laws/law.ts";
import { secretsStay } from "../laws/secrets-stay.ts";
import { abridged, MOST_LINES } from "../story/abridged.ts";
import type { Cure } from "../story/cure.ts";
import { clockTime } from "../story/times.ts";
import type { Condition } from "../world/conditions.ts";
import { runSetup, type SetupLog, type Shown } from "./run.ts";
import type { SetupSubject } from "./subject.ts";
import { plainSetup, plannedSetups, type SetupWorld, smallerSetups } from "./world.ts";

/** What a law of setups may look at beside the log. */
interface SetupContext extends SetupSubject {
  /** What the options showed of `SAMPLE` records that came in one answer, by the act: what is left out there is left out on purpose. */
  readonly sample: ReadonlyMap<string, Shown>;
}

/** A law of guided setups. */
type SetupLaw = Law<SetupLog, SetupContext>;

/** A common multiple of the patterns by which values vary. */
const SAMPLE = 60;

const runsSucceed: SetupLaw = {
  name: "runs-succeed",
  summary:
    "No command of the setup fails, however many options there are, with optional members absent or null.",
  broken({ acts }) {
    const failed = acts.find(({ failure }) => failure !== undefined);
    if (failed === undefined) return undefined;
    const { message, pointer } = failed.failure!;
    return {
      message: `The setup fails where ${are(failed.what)}: ${message}`,
      records: [],
      cycles: [failed.number],
      pointer,
    };
  },
};

const everyOptionShown: SetupLaw = {
  name: "every-option-shown",
  summary: "A customer who has many records finds each of them among the options.",
  broken({ acts, world }, { sample, lists }) {
    for (const { what, number, shown } of acts) {
      const known = sample.get(what);
      const list = lists.find(({ told, isNested }) => told === what && !isNested);
      if (shown === undefined || known === undefined || list === undefined) continue;
      const missing = world.records === 0 ? 0 : wanted(world.records, known) - shown.count;
      if (missing <= 0) continue;
      return {
        message: `Of ${world.records} records at the service, ${missing} ${missing === 1 ? "isn't" : "aren't"} among ${what}.`,
        records: [],
        cycles: [number],
        ...(list.exchange.isPaginated ? {} : { pointer: list.exchange.command.pointer }),
      };
    }
    return undefined;
  },
};

/** The laws of guided setups, in the order in which a breach is told. */
export const setupLaws: readonly SetupLaw[] = [runsSucceed, everyOptionShown, secretsStay];

/** How many options so many records make, by what a sample of them made. */
function wanted(records: number, { count, records: shown }: Shown): number {
  if (count >= SAMPLE) return records;
  // Which are left out isn't known where options don't name their record, or depend on what was chosen before.
  if (shown.size !== count || count < SAMPLE / 2) return 0;
  let all = 0;
  for (let number = 1; number <= records; number++) if (shown.has(((number - 1) % SAMPLE) + 1)) all++;
  return all;
}

function are(what: string): string {
  return /^the (?:options|fields) of/.test(what) ? `${what} are shown` : what;
}

/** What is tried of a guided setup. */
export type SetupTrialOptions = Pick<WorldChoice, "worlds">;

/** A guided setup, in world after world. */
export class SetupTrial implements Trial<SetupWorld, SetupLog, SetupContext> {
  readonly smaller = smallerSetups;
  readonly #subject: SetupSubject;
  readonly #options: SetupTrialOptions;
  #sample: Promise<ReadonlyMap<string, Shown>> | undefined;

  constructor(subject: SetupSubject, options: SetupTrialOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  *worlds(): Generator<SetupWorld> {
    const { worlds = plannedSetups } = this.#options;
    for (const world of worlds) if (world.kind === "setup") yield world;
  }

  run(world: SetupWorld): Promise<SetupLog> {
    return runSetup(this.#subject, world);
  }

  laws(): readonly SetupLaw[] {
    return setupLaws;
  }

  needs({ world: { records, gaps, isForeign } }: SetupLog): readonly string[] {
    return [
      ...(records === plainSetup.records
        ? []
        : [records === 0 ? "no options" : records === 1 ? "one option" : `${records} options`]),
      ...(gaps === false ? [] : ["optional members that are absent or null"]),
      ...(isForeign ? ["texts in other scripts"] : []),
    ];
  }

  conditions({ world: { records, gaps, isForeign } }: SetupLog): readonly Condition[] {
    const count = records === 0 ? "none" : records === 1 ? "one" : isUsual(records) ? "a few" : "many";
    return [
      { topic: "options", told: count, isUsual: isUsual(records) },
      {
        topic: "optional members",
        told: gaps === false ? "there" : "absent or null",
        isUsual: gaps === false,
      },
      { topic: "texts", told: isForeign ? "in other scripts" : "short", isUsual: !isForeign },
    ];
  }

  cost({ exchanges, acts }: SetupLog): number {
    return exchanges.length + acts.length;
  }

  sums({ acts, exchanges }: SetupLog) {
    return { cycles: acts.length, requests: exchanges.length, arrived: 0, again: 0 };
  }

  story({ acts }: SetupLog, { cycles }: Breach): readonly string[] {
    const lines = acts
      .filter(({ number }) => cycles.length === 0 || cycles.includes(number))
      .flatMap(({ what, at, exchanges, shown }) => [
        `${clockTime(at)}  ${are(what)}`,
        ...exchanges.map(({ at: time, method, url, status }) => {
          const { pathname, search } = new URL(url);
          return `${clockTime(time)}  ${method} ${pathname}${search} → ${status ?? "no answer"}`;
        }),
        ...(shown === undefined ? [] : [`          the customer sees ${shown.count} of them`]),
      ]);
    return abridged(lines, MOST_LINES);
  }

  cure(law: string, _log: SetupLog, { pointer }: Breach): Cure {
    const { workflow, paging } = this.#subject;
    const own = pointer !== undefined && pointer !== "" ? pointer : workflow.pointer;
    switch (law) {
      case "every-option-shown":
        return {
          way: "pages",
          pointer: pointer === undefined ? (paging?.pointer ?? own) : own,
          text:
            pointer !== undefined
              ? 'Let the request read all pages: say in `api.pagination` how the service pages, and set `"pagination": true`.'
              : "Compare `api.pagination` with how the service counts its pages: the first one, the size, and where an answer says that there are more.",
        };
      case "secrets-stay":
        return {
          way: "other",
          pointer: own,
          text: "Leave the secret out of what is sent to another server.",
        };
      default:
        return {
          way: "bounds",
          pointer: own,
          text: "Let the programs take an empty list, and what may be absent: `// empty`, `?` or `| default`.",
        };
    }
  }

  async breach(law: SetupLaw, log: SetupLog): Promise<Breach | undefined> {
    this.#sample ??= this.#sampled();
    return law.broken(log, { ...this.#subject, sample: await this.#sample });
  }

  async #sampled(): Promise<ReadonlyMap<string, Shown>> {
    const { acts } = await runSetup(this.#subject, { ...plainSetup, records: SAMPLE }, true);
    return new Map(acts.flatMap(({ what, shown }) => (shown === undefined ? [] : [[what, shown] as const])));
  }
}

function isUsual(records: number): boolean {
  return records === plainSetup.records;
}
