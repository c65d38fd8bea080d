import type { Model } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import {
  type CaseFailure,
  caseEffects,
  caseOptions,
  replayHttp,
  sameValue,
  unexpectedOf,
} from "@configc/host/portable";
import {
  createRuntime,
  createTracer,
  type Http,
  type Json,
  printExact,
  RunError,
  type TraceEvent,
} from "@configc/runtime";
import { nodeKind, runNode, shownUrl } from "@configc/runtime/internal";
import { compiled } from "./compiled.ts";
import { keyAt } from "./place.ts";
import type { RunFailure, RunReport, Source } from "./protocol.ts";
import { readTest, type Test } from "./test-case.ts";

/**
 * Runs a case of a test file on its recorded answers: a command, a cycle of a polling intake, or the pipeline of a workflow. It
 * reaches no network, and doesn't wait.
 *
 * @throws Error if the case can't be read, or what it names can't be run
 */
export async function run(source: Source, given: string): Promise<RunReport> {
  const test = readTest(given);
  const { model, app } = compiled(source);
  const pointer = nodeOf(model, test.run);
  if (nodeKind(app, pointer) === undefined)
    throw new Error(
      `\`run\` names no command, polling intake or workflow: there is nothing to run at ${pointer}.`,
    );
  const replayed = replayHttp(test.http ?? []);
  let unanswered: RunReport["unanswered"];
  const http: Http = {
    async request(sent) {
      try {
        return await replayed.request(sent);
      } catch (error) {
        // A recorded failure of the network is no RunError.
        if (error instanceof RunError) unanswered = { method: sent.method, url: shownUrl(sent.url) };
        throw error;
      }
    },
  };
  const effects = caseEffects(test, http);
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => void events.push(event));
  const began = performance.now();
  const outcome = await settle(model, () =>
    runNode(createRuntime(app, effects), pointer, { ...caseOptions(test, app, pointer), trace }),
  );
  const expected = expectationOf(test, outcome);
  return {
    ...("failure" in outcome ? { failure: outcome.failure } : { output: laidOut(outcome.output) }),
    ...(expected === undefined ? {} : { expected }),
    ...(unanswered === undefined ? {} : { unanswered }),
    unused: replayed.unused().length,
    events,
    milliseconds: performance.now() - began,
  };
}

type Outcome = { readonly output: Json } | { readonly failure: RunFailure & CaseFailure };

async function settle(model: Model, perform: () => Promise<Json>): Promise<Outcome> {
  try {
    return { output: await perform() };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { kind, message, span, pointer, status } = error;
    const place = keyAt(model, pointer) ?? span;
    return {
      failure: {
        kind,
        message,
        pointer,
        ...(status === undefined ? {} : { status }),
        ...(place === undefined ? {} : { span: { start: place.start, end: place.end } }),
      },
    };
  }
}

function nodeOf(model: Model, path: string): string {
  const found = findNode(model, path);
  if ("node" in found) return pointerTo(found.node);
  if (found.problem === "bad-syntax") throw new Error(`In \`run\`, a name isn't closed: ${found.written}`);
  const known = found.candidates.slice(0, 8).map((name) => `\`${name}\``);
  const there = known.length === 0 ? "" : ` There is ${known.join(", ")}.`;
  throw new Error(`\`run\` names \`${found.written}\`, which isn't in this config.${there}`);
}

function expectationOf({ expect, expectError }: Test, outcome: Outcome): boolean | undefined {
  if (expect === undefined && expectError === undefined) return undefined;
  if ("failure" in outcome) return unexpectedOf(outcome.failure, expectError).length === 0;
  return expect !== undefined && sameValue(expect, outcome.output);
}

/** Numbers keep their digits, which `JSON.stringify` alone would round. */
function laidOut(value: Json): string {
  const text = printExact(value);
  const parsed: unknown = JSON.parse(text);
  const laid = JSON.stringify(parsed, undefined, 2);
  return JSON.stringify(parsed) === text ? laid : text;
}
