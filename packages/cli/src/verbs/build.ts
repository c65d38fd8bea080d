import { basename, resolve } from "node:path";
import { type Compilation, compile, declarationsOf, render, sourceOf } from "@configc/compiler";
import { moduleText } from "../build/module-text.ts";
import { plainJson } from "../build/plain-json.ts";
import { makeReport } from "../check/report.ts";
import { sampleFiles, tasksOf } from "../check/tasks.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { readNamedFile } from "../files/read.ts";
import { writeAtomically } from "../files/write.ts";
import { format as pretty } from "../formats/pretty.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { hasColour, note, print, printReport, widthOf } from "../terminal/output.ts";

/** Writes a config as a module that a service can import, as plain JSON for upload, or its types. One with errors isn't built. */
export async function run(args: Arguments): Promise<number> {
  const [file = ""] = args.operands;
  const output = args.value("output");
  const json = args.has("json");
  const types = args.has("types");
  if (types && json)
    throw new UsageError("--json writes the config and --types its types: one at a time.", "build");
  if (types && output !== undefined && !/\.d\.[cm]?ts$/.test(output))
    throw new UsageError(`types are declarations, so write a .d.ts and not ${output}.`, "build");
  if (output === undefined && !json && !types)
    throw new UsageError("say with -o where to write the module, such as -o app.mjs.", "build");
  if (output !== undefined && !json && !types && /\.jsonc?$/.test(output))
    throw new UsageError(
      `a module isn't JSON, so it can't be ${output}: add --json, or write a .mjs.`,
      "build",
    );
  if (output !== undefined && resolve(output) === resolve(file))
    throw new UsageError("-o would overwrite the config itself.", "build");
  const started = performance.now();
  const content = readNamedFile(file, "build");
  const settings = nearestSettings();
  const [task] = await tasksOf([{ path: file, absolute: resolve(file) }], settings, sampleFiles());
  const compilation = compile(content, { ...task, uri: file });
  if (refuses(file, compilation)) return 1;
  const { model, app } = compilation;
  const name = basename(file);
  const text = types
    ? declarationsOf(compilation)
    : json
      ? plainJson(model.document)
      : moduleText({ ...app, source: sourceOf(model, name) }, name);
  if (output === undefined) {
    print(text);
    return 0;
  }
  try {
    writeAtomically(output, text);
  } catch (error) {
    throw new UsageError(`${output} can't be written: ${reasonOf(error)}.`, "build");
  }
  const size = `${(Buffer.byteLength(text) / 1_000).toFixed(0)} kB`;
  note(`configc: built ${output}, ${size}, in ${Math.round(performance.now() - started)} ms.`);
  return 0;
}

/** Shows the findings of a config with errors. Warnings don't keep a config from being built: `check` tells them. */
function refuses(file: string, { model, diagnostics }: Compilation): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return false;
  const rendered = errors.map((diagnostic) => render(model, diagnostic, { fixes: true }));
  const checked = { path: file, text: model.document.text, diagnostics: rendered, fixed: 0 };
  const report = makeReport([checked], { maxWarnings: Number.POSITIVE_INFINITY, known: 0 });
  const format = { colour: hasColour(process.stderr), width: widthOf(process.stderr) };
  printReport(pretty(report, format), process.stderr);
  note(`configc: ${file} has ${plural(errors.length, "error")}, so it wasn't built.`);
  return true;
}
