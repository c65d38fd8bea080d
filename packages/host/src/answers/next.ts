import type { App, AppWorkflow } from "@configc/compiler";
import type { Delivery, PollingRecord } from "@configc/runtime";
import { polledIntake } from "../scheduler/due.ts";
import { type Candidate, dueTimes } from "../scheduler/look.ts";

/** What an app will do for an installation by itself. */
export interface Next {
  readonly what: "poll" | "deliver";
  /** When it is due, in milliseconds since 1970: what has passed is done as soon as there is a place. */
  readonly at: number;
  /** A sentence. */
  readonly does: string;
  /** JSON Pointer of the command that runs first. */
  readonly pointer?: string;
}

/** The rows of an installation that say it. */
type NextGiven = Candidate & {
  readonly records: readonly PollingRecord[];
  readonly waiting: Delivery | undefined;
};

/** Nothing, for an app that hasn't the workflow any more. */
export function nextOf(app: App, candidate: NextGiven, now: number): readonly Next[] {
  const workflow = app.workflows.find(({ name }) => name === candidate.installation.workflow);
  if (workflow === undefined) return [];
  const { poll, deliver } = dueTimes(candidate, { app }, now);
  const next: Next[] = [];
  if (poll !== undefined) next.push({ what: "poll", at: poll, ...cycleOf(app, workflow, candidate.records) });
  if (deliver !== undefined && candidate.waiting !== undefined)
    next.push({ what: "deliver", at: deliver, ...deliveryOf(workflow, candidate.waiting) });
  return next;
}

function cycleOf(
  app: App,
  workflow: AppWorkflow,
  records: readonly PollingRecord[],
): Pick<Next, "does" | "pointer"> {
  const name = polledIntake(app, workflow)?.name;
  const intake = app.intakes.find((each) => each.name === name);
  const record = records.find((each) => each.intake === name);
  const { ready = false, phase = "idle", cycle = 0, requests = 0, failures = 0 } = record ?? {};
  let member = "request";
  let does = `goes on with cycle ${cycle} of \`${name}\` at request ${requests + 1}`;
  if (!ready) {
    member = "initial_setup";
    does = `sets \`${name}\` up and begins cycle ${cycle + 1}`;
  } else if (phase === "idle") {
    member = "pre_poll";
    does = `begins cycle ${cycle + 1} of \`${name}\``;
  } else if (phase === "ending") {
    member = "post_poll";
    does = `ends cycle ${cycle} of \`${name}\``;
  }
  const pointer = intake?.commands[member] ?? intake?.commands["request"];
  const tried = failures === 0 ? "" : `, after ${times(failures)} that failed`;
  return { does: `${does}${tried}`, ...(pointer === undefined ? {} : { pointer }) };
}

function deliveryOf(workflow: AppWorkflow, { id, attempts }: Delivery): Pick<Next, "does" | "pointer"> {
  const pointer = workflow.source ?? workflow.target;
  return {
    does: `delivers the item \`${id}\`${attempts === 0 ? "" : `, after ${times(attempts)} that failed`}, and those behind it`,
    ...(pointer === undefined ? {} : { pointer }),
  };
}

function times(tries: number): string {
  return tries === 1 ? "a try" : `${tries} tries`;
}
