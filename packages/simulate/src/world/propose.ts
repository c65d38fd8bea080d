import type { App, IntakeWorld, WorldFile } from "@configc/compiler";
import type { Failure, PartReport } from "../report.ts";
import { type SimulateOptions, simulate } from "../simulate.ts";
import { subjectOf } from "../subject.ts";
import { kindest } from "./hypotheses.ts";
import type { World } from "./world.ts";

/**
 * A world file that asks what the app doesn't say and what decides whether a law breaks, for an author to correct by the service's
 * documentation. It says what breaks the law: what an author leaves as it is hides nothing. Where nothing that was derived fits the app, it
 * says what the parameters are taken for.
 *
 * @returns a file without intakes, where nothing of it decides anything
 */
export async function proposeWorld(
  app: App,
  options: Pick<SimulateOptions, "now" | "signal"> = {},
): Promise<WorldFile> {
  const { parts } = await simulate(app, { ...options, seeds: 0, days: 0 });
  const intakes: Record<string, IntakeWorld> = {};
  for (const part of parts) {
    const found = part.untried === undefined ? deciding(part) : supposed(app, part);
    if (found !== undefined) intakes[found.intake] = { ...intakes[found.intake], ...found.world };
  }
  return { intakes };
}

interface Proposed {
  readonly intake: string;
  readonly world: IntakeWorld;
}

function deciding({ kind, intake, failures }: PartReport): Proposed | undefined {
  if (intake === undefined || (kind !== "polling" && kind !== "history")) return undefined;
  const worlds = failures.map((failure) => ({ failure, facts: factsOf(failure) }));
  const telling = worlds.filter(({ facts }) => Object.keys(facts).length > 0);
  if (telling.length === 0) return undefined;
  const laws = [...new Set(telling.map(({ failure: { law } }) => law))].join(", ");
  return {
    intake,
    world: {
      because: `Where this is so, ${laws} breaks. Correct it, and say where the service's documentation tells it.`,
      ...Object.assign({}, ...telling.map(({ facts }) => facts)),
    },
  };
}

/** What the smallest world that shows a failure has beyond a service that makes it easy. */
function factsOf({ world }: Failure): IntakeWorld {
  if (world.kind !== "polling") return {};
  const { paging, boundary, rounding, order, ties, lag } = world.hypotheses;
  return {
    ...(paging === kindest.paging ? {} : { pages: "moving" }),
    ...(boundary === kindest.boundary ? {} : { bounds: boundary }),
    ...(rounding === kindest.rounding ? {} : { times: rounding === 1_000 ? "second" : "minute" }),
    ...(order === kindest.order ? {} : { order: "newest-first" }),
    ...(ties === kindest.ties ? {} : { ties: "any" }),
    ...(lag === kindest.lag ? {} : { lag: lag / 1_000 }),
    ...burstIn(world),
  };
}

function burstIn({ happenings, page }: World): IntakeWorld {
  const burst = Math.max(0, ...happenings.map(({ times }) => times));
  return burst > page && burst > 1 ? { burst } : {};
}

/** What the parameters of an app are taken for, with which nothing could be tried. */
function supposed(app: App, { workflow: name, failsAnyway = false }: PartReport): Proposed | undefined {
  const workflow = app.workflows.find((each) => each.name === name);
  const subject = workflow === undefined || failsAnyway ? undefined : subjectOf(app, workflow);
  if (subject === undefined || "reason" in subject) return undefined;
  const { intake, roles } = subject.protocol;
  const parameters = roles.flatMap(({ parameter, role }) =>
    role.kind === "filter" ? [] : [[parameter.path.join("."), role.kind] as const],
  );
  return {
    intake: intake.name,
    world: {
      because: "With these nothing could be tried. Correct them by the service's documentation.",
      parameters: Object.fromEntries(parameters),
    },
  };
}
