import type { WorldFile } from "@configc/compiler";
import { formVariants } from "./forms.ts";
import { exampled } from "./known/known-shape.ts";
import { everythingArrives } from "./laws/everything-arrives.ts";
import { quietCyclesEnd } from "./laws/quiet-cycles-end.ts";
import { LeftOut } from "./polling/left-out.ts";
import { type Arrival, runWorld, type Subject, type WorldLog } from "./polling/run.ts";
import type { Indicator, Protocol, Untried } from "./protocol/protocol.ts";
import { readsTyped, subjectOf } from "./subject.ts";
import { kindest } from "./world/hypotheses.ts";
import type { World } from "./world/world.ts";

/** A subject whose service fits it, as far as the plainest worlds tell. */
interface Fitted {
  readonly subject: Subject;
  /** Why the pipeline can't be judged; undefined where it can. */
  readonly pipeline: string | undefined;
  /** The world in which its first cycle fails whatever the service is like; then nothing else can be tried. */
  readonly stuck?: World;
}

/**
 * Looks whether an app gets along with the service that was derived from it where nothing is special: one page, then three, and nothing
 * changes. If it doesn't, the derivation is more likely wrong than the app: another reading of one member of the answer that makes it
 * pass is taken. A service that the app's own programs fail on says nothing of the app (E60).
 */
export async function fit(subject: Subject): Promise<Fitted | Untried> {
  if (await failsBeforeAnswers(subject)) {
    const stuck = { ...plainWorld(subject.protocol, 1), first: 0, cycles: 1 };
    return { subject, pipeline: undefined, stuck };
  }
  const plain = await trial(subject);
  if (plain === "fits") return await judged(subject);
  const recorded = withExamples(subject.protocol);
  const known = recorded === undefined ? [subject.protocol] : [recorded, subject.protocol];
  for (const [index, protocol] of known.entries())
    for (const read of [...(index < known.length - 1 ? [protocol] : []), ...otherReadings(protocol)]) {
      const other = { ...subject, protocol: read };
      if ((await trial(other)) === "fits") return await judged(other);
    }
  const failure = await failureOf(subject);
  if (failure === undefined) return await judged(subject);
  return {
    reason: `the service that was derived doesn't fit the app. Where nothing is special, ${failure} Say in the world file what the parameters are, or keep a sample of the answer beside the config`,
  };
}

/** The subject with other customers, who fill in the form otherwise; and what couldn't be tried of that. */
export async function withVariants(
  subject: Subject,
  world: WorldFile | undefined,
): Promise<{ readonly subject: Subject; readonly notTried: readonly string[] }> {
  const { app, workflow } = subject;
  const variants = new Map<string, Subject>();
  const notTried: string[] = [];
  for (const { told, form, isSkipped } of formVariants(app, workflow, subject.form)) {
    const other = subjectOf(app, workflow, world, form);
    if ("reason" in other) notTried.push(`a form with ${told}: ${other.reason}`);
    // Where it is the same service, it is known to fit.
    else if (isSkipped) variants.set(told, { ...other, protocol: readAs(other.protocol, subject.protocol) });
    else {
      const fitted = await fit(other);
      if ("reason" in fitted) notTried.push(`a form with ${told}: ${fitted.reason}`);
      else if (fitted.pipeline !== undefined) notTried.push(`a form with ${told}: ${fitted.pipeline}`);
      else variants.set(told, fitted.subject);
    }
  }
  return { subject: { ...subject, variants }, notTried };
}

/** A protocol whose members are read as those of another one that is known to fit. */
function readAs(protocol: Protocol, fitting: Protocol): Protocol {
  const indicators = protocol.indicators.map((each) => {
    const path = each.path.join(".");
    return fitting.indicators.find((other) => other.path.join(".") === path) ?? each;
  });
  return { ...protocol, indicators };
}

/** Nothing happens in it: what is there is read. */
function plainWorld({ size }: Protocol, pages: number): World {
  const page = size.isFixed ? size.size : 2;
  return {
    kind: "polling",
    seed: 0,
    hypotheses: kindest,
    first: pages === 1 ? 1 : page > LARGE ? page + 1 : page * (pages - 1) + 1,
    sameTime: false,
    cycles: 2,
    page,
    requests: 100,
    happenings: [],
    faults: [],
    form: "",
  };
}

/** Three pages of that size would be more than a cycle reads. */
const LARGE = 100;

async function trial(subject: Subject): Promise<"fits" | "fails"> {
  for (const pages of [1, 3]) {
    const log = await runWorld(subject, plainWorld(subject.protocol, pages));
    if (log.cycles.some(({ failure }) => failure !== undefined)) return "fails";
    if (await isBroken(subject, log)) return "fails";
  }
  return "fits";
}

async function isBroken(subject: Subject, log: WorldLog): Promise<boolean> {
  const { app, form, protocol, isHistory } = subject;
  const context = { app, form, protocol, isHistory, leftOut: new Set<number>() };
  const breach = everythingArrives.broken(log, context);
  if (breach !== undefined) {
    const leftOut = await new LeftOut(subject).among(log, breach.records);
    if (everythingArrives.broken(log, { ...context, leftOut }) !== undefined) return true;
  }
  return quietCyclesEnd.broken(log, context) !== undefined;
}

/**
 * Whether the first cycle fails before any answer came, so that no other service would help. What a customer types was derived too: where
 * it takes part, nothing is certain.
 */
async function failsBeforeAnswers(subject: Subject): Promise<boolean> {
  const { app, workflow, protocol } = subject;
  const [first] = (await runWorld(subject, plainWorld(subject.protocol, 1))).cycles;
  if (first?.failure === undefined || first.exchanges.length > 0) return false;
  return !readsTyped(app, workflow, protocol.intake.pointer);
}

/** How a cycle fails on one page of one record. */
async function failureOf(subject: Subject): Promise<string | undefined> {
  const { cycles } = await runWorld(subject, plainWorld(subject.protocol, 1));
  const failed = cycles.find(({ failure }) => failure !== undefined);
  return failed === undefined
    ? undefined
    : `cycle ${failed.number} fails: ${sentence(failed.failure!.message)}`;
}

/** Whether items pass the pipeline: its programs see values that nobody but they describe, unless some were recorded. */
async function judged(subject: Subject): Promise<Fitted> {
  const failed = await failedItem(subject);
  if (failed === undefined) return { subject, pipeline: undefined };
  const protocol = withExamples(subject.protocol);
  const recorded = protocol === undefined ? undefined : { ...subject, protocol };
  if (
    recorded !== undefined &&
    (await trial(recorded)) === "fits" &&
    (await failedItem(recorded)) === undefined
  )
    return { subject: recorded, pipeline: undefined };
  return {
    subject,
    pipeline: `whether items pass the pipeline, for it fails on the values that were derived from it: ${failed.failure ?? "no reason is known"}`,
  };
}

async function failedItem(subject: Subject): Promise<Arrival | undefined> {
  const { cycles } = await runWorld(subject, plainWorld(subject.protocol, 1));
  return cycles.flatMap(({ arrivals }) => arrivals).find(({ status }) => status === "failed");
}

/** The protocol with texts that were recorded instead of made ones: some programs take them apart. Undefined where none were. */
function withExamples(protocol: Protocol): Protocol | undefined {
  const answer = exampled(protocol.answer);
  const exchanges = protocol.exchanges.map((each) => ({ ...each, answer: exampled(each.answer) }));
  const isSame = [answer, ...exchanges.map((each) => each.answer)].every(
    (each, index) => each === [protocol.answer, ...protocol.exchanges.map((other) => other.answer)][index],
  );
  return isSame ? undefined : { ...protocol, answer, exchanges };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

type Says = Indicator["says"];

/** What a member may say instead of what its name seems to, the likelier first. A place to go on from is known by where it goes. */
const instead: Readonly<Partial<Record<Says, readonly Says[]>>> = {
  count: ["pages", "page", "size", "offset"],
  pages: ["count", "page"],
  page: ["pages", "count", "offset"],
  offset: ["count", "page"],
  size: ["count", "pages"],
  more: ["last"],
  last: ["more"],
};

/** The protocol with one member of the answer read otherwise. */
function* otherReadings(protocol: Protocol): Generator<Protocol> {
  for (const [index, indicator] of protocol.indicators.entries())
    for (const says of (indicator.isSure ? undefined : instead[indicator.says]) ?? [])
      yield {
        ...protocol,
        indicators: protocol.indicators.map((each, at) => (at === index ? { ...indicator, says } : each)),
      };
}
