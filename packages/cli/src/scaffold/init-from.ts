import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile, type Diagnostic } from "@configc/compiler";
import type { Proposal } from "@configc/scaffold";
import { sampleFiles, tasksOf } from "../check/tasks.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { titleOf } from "../named-template.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { note, print } from "../terminal/output.ts";
import { choose } from "./choose.ts";
import { prepare, writePrepared } from "./prepare.ts";
import { readDescription } from "./read-description.ts";

/** Writes a config for an API that a file describes, and tells what each part of it rests on. */
export async function initFrom(args: Arguments, source: string): Promise<number> {
  const read = await readDescription(source);
  const given = args.operands[0]?.replace(/\.app\.json$/, "");
  const asks = process.stdin.isTTY === true && process.stderr.isTTY === true && !args.has("yes");
  const chosen = asks ? await choose(read.description) : {};
  const title = given === undefined ? {} : { title: titleOf(given.split("/").at(-1) ?? given) };
  const prepared = prepare(read, source, { ...title, ...chosen });
  const path = `${given ?? prepared.name}.app.json`;
  if (existsSync(path) && !args.has("force"))
    throw new UsageError(`${path} exists already. --force overwrites it.`, "init");
  let notes: readonly string[];
  try {
    notes = await writePrepared(path, prepared, read, source);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`, "init");
  }
  print(`${path}\n`);
  await tell(prepared.proposal, path, notes);
  return 0;
}

/** What `configc check` says of the config, with its settings and samples. */
async function diagnosticsOf(path: string): Promise<readonly Diagnostic[]> {
  const source = { path, absolute: resolve(path) };
  const [task] = await tasksOf([source], nearestSettings(), sampleFiles());
  return compile(readFileSync(path), { uri: path, settings: task!.settings, samples: task!.samples })
    .diagnostics;
}

/** What was taken for what, and what is open: the latter stands last, where it is seen. */
async function tell({ told }: Proposal, path: string, notes: readonly string[]): Promise<void> {
  for (const { what, taken, because } of told.filter(({ isOpen }) => !isOpen))
    note(`  ${what}: ${taken} (${because})`);
  const open = told.filter(({ isOpen }) => isOpen);
  if (open.length > 0) {
    note("\nLook at these, since the file doesn't tell:");
    for (const { what, taken, because } of open) note(`  ${what}: ${taken} (${because})`);
  }
  if (notes.length > 0) note(`\n${notes.join("\n")}`);
  const found = (await diagnosticsOf(path)).filter(
    ({ severity }) => severity === "error" || severity === "warning",
  );
  const word = /^[\w./-]+$/.test(path) ? path : `"${path}"`;
  note(
    found.length === 0
      ? `\nNext: configc simulate ${word}`
      : `\n${plural(found.length, "finding")} left, which the file doesn't tell how to mend. Next: configc check ${word}`,
  );
}
