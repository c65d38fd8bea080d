import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import { named, titleOf } from "../named-template.ts";
import { readTemplate } from "../package-info.ts";
import type { TemplateName } from "../template-names.ts";
import { note, print } from "../terminal/output.ts";
import { writeAgentsFiles } from "./init-agents.ts";

export async function run(args: Arguments): Promise<number> {
  if (args.has("agents")) {
    writeAgentsFiles();
    // Alone it is for a project that has its configs.
    if (args.operands.length === 0 && !args.has("template") && !args.has("from")) return 0;
  }
  const from = args.value("from");
  if (from !== undefined) {
    if (args.has("template"))
      throw new UsageError("--from and --template both say what to write: give one of them.", "init");
    return (await import("./running.ts")).initFrom(args, from);
  }
  if (args.has("yes")) throw new UsageError("--yes is for --from, which may ask.", "init");
  const given = (args.operands[0] ?? basename(resolve("."))).replace(/\.app\.json$/, "");
  const name = basename(given);
  if (!/[\p{Letter}\p{Number}]/u.test(name)) {
    throw new UsageError(`“${given}” can't be the name of a service: it needs a letter or a digit.`, "init");
  }
  const path = `${given}.app.json`;
  if (existsSync(path) && !args.has("force")) {
    throw new UsageError(`${path} exists already. --force overwrites it.`, "init");
  }
  const template = (args.value("template") ?? "outbound") as TemplateName;
  try {
    writeAtomically(path, named(readTemplate(template), titleOf(name)), { throughLinks: false });
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`);
  }
  print(`${path}\n`);
  const word = /^[\w./-]+$/.test(path) ? path : `"${path}"`;
  note(`Written from the template ${template}. Put in the service's addresses, then: configc check ${word}`);
  return 0;
}
