import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Effects, HttpRequest, HttpResponse } from "@configc/runtime";
import { fit } from "./fit.ts";
import { ContactSite } from "./outbound/site.ts";
import { runWorld, setUpIn } from "./polling/run.ts";
import { Collection } from "./service/collection.ts";
import { Service } from "./service/service.ts";
import { Account } from "./stage/account.ts";
import { subjectOf } from "./subject.ts";
import { CommandWalk } from "./symbolic/command.ts";
import type { Value } from "./symbolic/value.ts";
import { kindest } from "./world/hypotheses.ts";
import type { World } from "./world/world.ts";

/** A service that answers a run that somebody else goes on with. */
export interface AnsweringService {
  /** @param now milliseconds since 1970: what has happened there by then */
  answer(request: HttpRequest, now: number): HttpResponse;
  /** Those of a customer of it. */
  readonly credentials: Effects["credentials"];
}

/** Which service it is. */
export interface AnsweringOptions {
  /** What the customer chose: requests are known by it. */
  readonly form?: JsonObject;
  /** What happens there; by default it has three records, and nothing happens. */
  readonly world?: World;
  readonly known?: WorldFile;
  /** Milliseconds since 1970, when the run is. */
  readonly now: number;
}

/** Records that are there, and how long they have been. */
const RECORDS = 3;
const AGE = 3_600_000;

/**
 * The service that an app takes its own for, to answer what a run asks from some place on: a world's, or one where nothing is special.
 *
 * @param node JSON Pointer of what runs
 */
export async function answeringService(
  app: App,
  node: string,
  options: AnsweringOptions,
): Promise<AnsweringService> {
  const workflow = workflowOf(app, node);
  const polled = workflow === undefined ? undefined : await polledService(app, workflow, options);
  const [auth] = Object.keys(app.auth);
  const account = new Account(app, workflow ?? (auth === undefined ? {} : { auth }));
  const service = polled ?? plainSite(app, options);
  return {
    answer: (request, now) => account.issue(request) ?? service.answer(request, now),
    credentials: account.effect,
  };
}

/** The workflow that a node belongs to, or the first one that takes from the intake. */
function workflowOf(app: App, node: string): AppWorkflow | undefined {
  const isIn = ({ pointer }: { readonly pointer: string }): boolean =>
    node === pointer || node.startsWith(`${pointer}/`);
  const intake = app.intakes.findIndex(isIn);
  return app.workflows.find((each) => isIn(each) || (intake >= 0 && each.intake === intake));
}

/** Undefined where nothing is polled, or it isn't known what. */
async function polledService(
  app: App,
  workflow: AppWorkflow,
  { form, world, known, now }: AnsweringOptions,
): Promise<Pick<AnsweringService, "answer"> | undefined> {
  const subject = subjectOf(app, workflow, known, form);
  if ("reason" in subject) return undefined;
  if (world !== undefined) {
    const { collection } = await runWorld(subject, world);
    return new Service(app, setUpIn(subject, world).protocol, collection, world);
  }
  const fitted = await fit(subject);
  const { protocol } = "reason" in fitted ? subject : fitted.subject;
  return new Service(app, protocol, someRecords(now), { hypotheses: kindest, page: protocol.size.size });
}

function someRecords(now: number): Collection {
  const records = new Collection();
  for (let number = 0; number < RECORDS; number++) records.create(now - AGE + number * 1_000);
  return records;
}

/** It does what it is asked to, and answers as programs read it. */
function plainSite(app: App, { form = {}, now }: AnsweringOptions): Pick<AnsweringService, "answer"> {
  const walk = new CommandWalk(app, new Map<string, Json>(Object.entries(form)));
  const input: Value = { kind: "place", root: { kind: "input" }, path: [] };
  for (const id of outermost(app)) walk.walk(id, input);
  const answered = walk.exchanges.map((exchange, index) => ({
    exchange,
    answer: walk.answerOf(index),
  }));
  return new ContactSite(app, answered, someRecords(now), RECORDS, kindest);
}

/** Commands that stand in no other one. */
function outermost({ commands }: App): readonly string[] {
  const ids = Object.keys(commands).sort((a, b) => a.length - b.length);
  const found: string[] = [];
  for (const id of ids) if (!found.some((each) => id.startsWith(`${each}/`))) found.push(id);
  return found;
}
