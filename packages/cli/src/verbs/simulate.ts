import { relative } from "node:path";
import { type App, render } from "@configc/compiler";
import {
  hasFailed,
  type Report,
  type SimulateOptions,
  simulate,
  simulateAgainst,
  withFindings,
} from "@configc/simulate";
import { outputsOf } from "../check/options.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { either } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { PlacedCoverage } from "../coverage/placed-coverage.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import { formatterOf } from "../formats/index.ts";
import type { FormatName } from "../formats/names.ts";
import { type LoadedConfig, noteErrors } from "../run/config.ts";
import { interruptible } from "../run/interrupt.ts";
import { asReport, isWorse, oldVersion, prettyAgainst } from "../simulate/against.ts";
import { compileKnown, type KnownConfig } from "../simulate/compile-known.ts";
import { reportOf } from "../simulate/findings.ts";
import { pretty } from "../simulate/pretty.ts";
import { processorTime } from "../simulate/processor-time.ts";
import { proposeWorldFile } from "../simulate/propose-world-file.ts";
import { readWorldFileAt, readWorldFileBeside } from "../simulate/read-world-file.ts";
import { saveFailures } from "../simulate/save/save.ts";
import { hasColour, note, print } from "../terminal/output.ts";
import { Ticker } from "../terminal/ticker.ts";

/** Simulates the service of an app. */
export async function run(args: Arguments): Promise<number> {
  const [file = "", ...only] = args.operands;
  const { errors, samples, ...loaded } = await compileKnown(file, "simulate");
  noteErrors(file, errors);
  const { app } = loaded;
  if (args.has("write-world")) return await writeWorld(loaded);
  checkNames(app, only);
  const given = args.value("world");
  const world = given === undefined ? readWorldFileBeside(file, app) : readWorldFileAt(given, app);
  const interrupt = interruptible();
  const ticker = new Ticker();
  const options: SimulateOptions = {
    only,
    ...(world === undefined ? {} : { world }),
    ...numberOption(args, "seeds"),
    ...numberOption(args, "seed"),
    ...numberOption(args, "days"),
    time: timeOf(args.value("time")),
    now: processorTime(true),
    signal: interrupt.signal,
    onProgress: ({ workflow, worlds, failures }) =>
      ticker.tell(
        `Simulating ${workflow}: ${worlds} worlds${failures === 0 ? "" : `, ${failures} broken`} …`,
      ),
  };
  try {
    const outputs = outputsOf(args, "simulate");
    const { failed, text, report } = await simulated({ ...loaded, errors, samples }, args, options);
    ticker.end();
    for (const { format, file: path } of outputs) {
      const made = await text(format, path === undefined && hasColour(process.stdout));
      if (path === undefined) print(made);
      else writeOutput(path, made);
    }
    const folder = args.value("save");
    if (folder !== undefined) await saveFailures(report, folder, loaded, world);
    return failed || interrupt.signal.aborted ? 1 : 0;
  } finally {
    ticker.end();
    interrupt.end();
  }
}

interface Simulated {
  readonly report: Report;
  readonly text: (format: FormatName, colour: boolean) => Promise<string>;
  readonly failed: boolean;
}

async function simulated(loaded: KnownConfig, args: Arguments, options: SimulateOptions): Promise<Simulated> {
  const { diagnostics } = loaded;
  const against = args.value("against");
  if (against === undefined) {
    const found = diagnostics.map((each) => render(loaded.model, each, { fixes: false }));
    const report = withFindings(await simulate(loaded.app, options), loaded.app, found);
    const failed = hasFailed(report);
    return { report, failed, text: (format, colour) => written(report, loaded, format, colour) };
  }
  const compared = await simulateAgainst(loaded.app, oldVersion(against, loaded), options);
  const report = asReport(compared);
  const text: Simulated["text"] = async (format, colour) => {
    if (format === "json") return `${JSON.stringify({ ...compared, path: loaded.file, against }, null, 2)}\n`;
    if (format === "pretty") return prettyAgainst(compared, loaded, colour);
    return await written(report, loaded, format, colour);
  };
  return { report, failed: isWorse(compared), text };
}

async function written(
  report: Report,
  loaded: LoadedConfig,
  format: FormatName,
  colour: boolean,
): Promise<string> {
  if (format === "json") return json(report, loaded);
  if (format === "pretty") return pretty(report, loaded, colour);
  const formatter = await formatterOf(format, async () => (await import("../formats/sarif.ts")).format);
  return formatter(reportOf(report, loaded), { colour: false, width: 120 });
}

/** @throws UsageError where it can't be written */
function writeOutput(path: string, text: string): void {
  try {
    writeAtomically(path, text);
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`, "simulate");
  }
}

function json(report: Report, loaded: LoadedConfig): string {
  const { coverage } = report;
  const placed = coverage === undefined ? undefined : new PlacedCoverage(coverage, loaded);
  return `${JSON.stringify({ ...report, coverage: placed, path: loaded.file }, null, 2)}\n`;
}

async function writeWorld({ file, app }: LoadedConfig): Promise<number> {
  const { file: world, outcome } = await proposeWorldFile(file, app).catch((error: unknown) => {
    throw new UsageError(`The world file of ${file} can't be written: ${reasonOf(error)}.`, "simulate");
  });
  const path = relative("", world);
  switch (outcome) {
    case "there":
      throw new UsageError(`${path} is there already: take it away first, or correct it.`, "simulate");
    case "nothing":
      note(
        `configc: nothing that ${file} leaves open about its service decides whether a law breaks, so there is nothing to say in a world file.`,
      );
      return 0;
    case "written":
      note(
        `configc: ${path} was written. It says where a law breaks: correct what the service's documentation tells otherwise.`,
      );
      return 0;
  }
}

function checkNames(app: App, only: readonly string[]): void {
  const names = [...app.workflows, ...app.intakes].map(({ name }) => name);
  const wrong = only.find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw new UsageError(`There is no workflow or intake “${wrong}”. There are ${either(names)}.`, "simulate", {
    name: wrong,
    candidates: names,
  });
}

function numberOption(args: Arguments, name: "seeds" | "seed" | "days"): { readonly [name: string]: number } {
  const text = args.value(name);
  if (text === undefined) return {};
  const number = Number(text);
  const isWhole = name === "days" || Number.isInteger(number);
  if (
    text.trim() === "" ||
    !Number.isFinite(number) ||
    number < 0 ||
    !isWhole ||
    (name === "days" && number > 366)
  )
    throw new UsageError(
      `--${name} takes a number${name === "days" ? " of days, at most 366" : ""}, not “${text}”.`,
      "simulate",
    );
  return { [name]: number };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function timeOf(text = "10s"): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (number === "")
    throw new UsageError(`--time takes a time such as 10s, 500ms or 2m, not “${text}”.`, "simulate");
  return Number(number) * units[unit]!;
}
