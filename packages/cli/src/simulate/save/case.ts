import type { Json } from "@configc/jq";
import { type Failure, nodeOf, type PartReport, type Replayed, testCaseOf } from "@configc/simulate";
import { essential } from "../../apptest/rewrite.ts";
import { runCase } from "../../apptest/run-case.ts";
import type { TestCase } from "../../apptest/test-file.ts";
import type { LoadedConfig } from "../../run/config.ts";
import { credentialFor, recordedOf } from "./recordings.ts";

/**
 * The case that keeps a failure from coming back. Where programs fail on an answer, the mended ones get the same answers: they are
 * written down, cycle by cycle. Where data gets lost, a mended app asks otherwise, so the case has the world, and the service answers.
 *
 * @returns a sentence that says why not, where no case shows the failure
 */
export async function caseOf(
  part: PartReport,
  failure: Failure,
  replayed: Replayed | undefined,
  config: LoadedConfig,
): Promise<TestCase | { readonly reason: string }> {
  const inWorld = testCaseOf(part, failure) as unknown as TestCase;
  const answered =
    failure.law === "runs-succeed" && replayed !== undefined
      ? answeredCase(inWorld.name, part, replayed, config)
      : undefined;
  for (const test of [answered, inWorld]) if (test !== undefined && (await shows(test, config))) return test;
  return { reason: "the failure doesn't show when this world is run by itself" };
}

function answeredCase(
  name: string,
  { workflow }: PartReport,
  { auth, context, cycles }: Replayed,
  { app }: LoadedConfig,
): TestCase {
  const failed = cycles.findIndex(({ reason }) => reason === "failed");
  const busy = cycles.filter(({ isQuiet }, index) => !isQuiet || index <= failed);
  return {
    name,
    run: nodeOf(workflow),
    context,
    ...(auth === undefined ? {} : { credentials: { [auth]: credentialFor(app, auth) } }),
    cycles: busy.map(({ startedAt, exchanges }) => ({
      now: new Date(startedAt).toISOString(),
      http: exchanges.map((exchange) => essential(recordedOf(exchange), (url) => url)),
    })),
  };
}

/** Whether a case fails as the story does: not because something is missing in it. */
async function shows(test: TestCase, config: LoadedConfig): Promise<boolean> {
  const plain = JSON.parse(JSON.stringify(test)) as Json as unknown as TestCase;
  const { passed, failure, beside } = await runCase(plain, config, {
    network: undefined,
    signal: new AbortController().signal,
    verifier: undefined,
    coverage: undefined,
  });
  if (passed || failure?.kind === "NotFound") return false;
  return test.world !== undefined || beside.length === 0;
}
