import { resolve } from "node:path";
import {
  breakingChanges,
  type Compilation,
  type Concern,
  compile,
  type Diagnostic,
  render,
} from "@configc/compiler";
import { levelsOf, maxWarningsOf, outputsOf, settingsSource } from "../check/options.ts";
import { hasFailed, makeReport } from "../check/report.ts";
import { sampleFiles, tasksOf } from "../check/tasks.ts";
import { writeReport } from "../check/write-report.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { readPublished } from "../files/published.ts";
import { readNamedFile } from "../files/read.ts";
import { format as sarif } from "../formats/sarif.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { parseSettings, requireKnownRules } from "../settings/validate.ts";
import { note } from "../terminal/output.ts";

/** Compares a config with the version that customers use (D40). */
export async function run(args: Arguments): Promise<number> {
  const path = args.operands[0]!;
  const against = args.value("against");
  if (against === undefined)
    throw new UsageError(
      "breaking needs --against OLD: the published version, a file or git:REF:PATH.",
      verb,
    );
  const outputs = outputsOf(args, verb);
  const maxWarnings = maxWarningsOf(args.value("max-warnings"), verb);
  const levels = levelsOf(args.values("rule"), verb);
  requireKnownRules(levels, verb);
  const settings = new SettingsFinder(settingsSource(args), levels, parseSettings);
  const content = readNamedFile(path, verb);
  const published = readPublished(against, path, verb);
  // What is known of the API tells what either version keeps.
  const [known] = await tasksOf([{ path, absolute: resolve(path) }], settings, sampleFiles());
  const current = compile(content, { ...known, uri: path });
  const previous = compile(published.content, { ...known, uri: published.name });
  const mistakes = syntaxMistakes(previous);
  if (mistakes.length > 0)
    throw new UsageError(
      `${published.name} can't be compared with: it has ${plural(mistakes.length, "mistake")} in its JSON, so it can't have been published.`,
      verb,
    );
  const wrong = syntaxMistakes(current);
  if (wrong.length > 0)
    note("configc: the new version isn't compared: what can't be read would count as removed.");
  const concerns = args.values("concern") as Concern[];
  const found =
    wrong.length > 0
      ? wrong
      : breakingChanges(previous.model, current.model, concerns.length === 0 ? {} : { concerns });
  const file = {
    path,
    text: current.model.document.text,
    diagnostics: found.map((diagnostic) => render(current.model, diagnostic, { fixes: false })),
    fixed: 0,
  };
  const report = makeReport([file], { maxWarnings, known: 0 });
  if (!(await writeReport(report, { outputs, stream: process.stdout, sarif: async () => sarif }))) return 2;
  return hasFailed(report) ? 1 : 0;
}

const verb = "breaking";

function syntaxMistakes({ diagnostics }: Compilation): Diagnostic[] {
  return diagnostics.filter(
    ({ finding, severity }) => finding.rule.id.startsWith("syntax/") && severity === "error",
  );
}
