import { dirname, join, relative, resolve, sep } from "node:path";
import { CredentialsFileError, credentialsFile, nodeHttp } from "@configc/host";
import { CoverageOf } from "@configc/simulate";
import type { CaseResult } from "../apptest/case-result.ts";
import { testFormats } from "../apptest/formats.ts";
import { hasFailed, type TestedFile, type TestReport } from "../apptest/report.ts";
import { recorded, rewrite, updated, urlMapper } from "../apptest/rewrite.ts";
import { runCase } from "../apptest/run-case.ts";
import type { Network } from "../apptest/run-given.ts";
import { readTests, TEST_NAME, type TestCase } from "../apptest/test-file.ts";
import { Verifier } from "../apptest/verify/verify.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { isUsageError, UsageError } from "../command-line/usage-error.ts";
import { PlacedCoverage } from "../coverage/placed-coverage.ts";
import { findSources } from "../files/find.ts";
import type { Source } from "../files/source.ts";
import { writeAtomically } from "../files/write.ts";
import { type LoadedConfig, loadConfig, withBaseUrl } from "../run/config.ts";
import { interruptible } from "../run/interrupt.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { hasColour, note, print } from "../terminal/output.ts";

/** Runs test files: recorded answers instead of the network. */
export async function run(args: Arguments): Promise<number> {
  const record = args.has("record");
  for (const name of ["credentials", "base-url", "allow-private-network"])
    if (args.has(name) && !record)
      throw new UsageError(`--${name} is for --record: without it nothing is sent.`, "test");
  const settings = nearestSettings();
  const { sources, failures } = findSources(args.operands, settings, undefined, (path) =>
    TEST_NAME.test(path),
  );
  for (const { path, message } of failures) note(`configc: ${path}: ${message}.`);
  if (sources.length === 0 && failures.length === 0)
    note("configc: no tests found: no name ends in .apptest.json, or git or the settings leave them out.");
  const verifier = args.has("verify") ? new Verifier() : undefined;
  const network = record ? await networkOf(args) : undefined;
  const interrupt = interruptible();
  const started = performance.now();
  const coverages = new Map<string, Covered>();
  const files: TestedFile[] = [];
  let unusable = failures.length > 0;
  try {
    for (const source of sources) {
      if (interrupt.signal.aborted) break;
      const tested = await testFile(source, args, { network, verifier, coverages, signal: interrupt.signal });
      if (tested === undefined) unusable = true;
      else files.push(tested);
    }
  } finally {
    interrupt.end();
    await verifier?.end();
  }
  const report: TestReport = {
    files,
    coverage: args.has("coverage") ? resultsOf(coverages) : undefined,
    verified: verifier?.verified,
    milliseconds: Math.round(performance.now() - started),
  };
  const format = testFormats[args.value("format") ?? "pretty"]!;
  print(format(report, hasColour(process.stdout)));
  if (unusable) return 2;
  return hasFailed(report) || interrupt.signal.aborted ? 1 : 0;
}

async function networkOf(args: Arguments): Promise<Network> {
  const file = args.value("credentials");
  try {
    return {
      effects: { http: nodeHttp({ allowPrivateNetwork: args.has("allow-private-network") }) },
      credentials: file === undefined ? undefined : await credentialsFile(file),
    };
  } catch (error) {
    if (error instanceof CredentialsFileError) throw new UsageError(error.message, "test");
    throw error;
  }
}

/** What all files of a run share. */
interface Testing {
  readonly network: Network | undefined;
  readonly verifier: Verifier | undefined;
  readonly coverages: Map<string, Covered>;
  readonly signal: AbortSignal;
}

/** @returns undefined if the file, or its config, can't be used; why is told */
async function testFile(
  source: Source,
  args: Arguments,
  { network, verifier, coverages, signal }: Testing,
): Promise<TestedFile | undefined> {
  const read = readTests(source);
  if ("problems" in read) {
    for (const problem of read.problems) note(`configc: ${problem}`);
    return undefined;
  }
  const { tests, text } = read;
  const path = relative("", resolve(dirname(source.absolute), tests.config))
    .split(sep)
    .join("/");
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(path, "test");
  } catch (error) {
    if (!isUsageError(error)) throw error;
    note(`configc: ${source.path}: its config can't be read. ${error.message}`);
    return undefined;
  }
  const config = { ...loaded, app: withBaseUrl(loaded.app, args.value("base-url"), "test") };
  const coverage = args.has("coverage")
    ? (coverages.get(path)?.coverage ?? new CoverageOf(loaded.app))
    : undefined;
  if (coverage !== undefined) coverages.set(path, { loaded, coverage });
  const results: CaseResult[] = [];
  for (const test of tests.cases) {
    if (signal.aborted) break;
    results.push(await runCase(test, config, { network, verifier, signal, coverage }));
  }
  const cases =
    signal.aborted || !(args.has("record") || args.has("update"))
      ? results
      : writeBack(source, text, results, args, loaded, tests.cases);
  return { path: source.path, config: path, cases };
}

/** Writes what was recorded, or what is expected from now on. @returns the results, as they are then */
function writeBack(
  { absolute, path }: Source,
  text: string,
  results: readonly CaseResult[],
  args: Arguments,
  { app }: LoadedConfig,
  tests: readonly TestCase[],
): CaseResult[] {
  const changes = results.map((result, index) => {
    const test = tests[index]!;
    const toConfig = urlMapper(app, args.value("base-url"), test.context?.subdomain);
    return {
      ...(args.has("record") ? recorded(test, result, toConfig) : {}),
      ...(args.has("update") ? updated(result) : {}),
    };
  });
  const written = rewrite(text, changes);
  if (written !== text) {
    writeAtomically(absolute, written);
    note(`configc: ${path} was ${args.has("record") ? "recorded" : "updated"}.`);
  }
  return results.map((result, index) =>
    ["expect", "expectError", "cycles"].some((name) => name in changes[index]!)
      ? { ...result, passed: result.beside.length === 0, reasons: result.beside, diff: [] }
      : result,
  );
}

/** A config, and what ran of it. */
interface Covered {
  readonly loaded: LoadedConfig;
  readonly coverage: CoverageOf;
}

function resultsOf(coverages: ReadonlyMap<string, Covered>): Map<string, PlacedCoverage> {
  return new Map(
    [...coverages].map(([config, { coverage, loaded }]) => [
      join(config),
      new PlacedCoverage(coverage.result(), loaded),
    ]),
  );
}
