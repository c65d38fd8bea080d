import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import { readTemplate } from "../package-info.ts";
import type { TemplateName } from "../template-names.ts";
import { note, print } from "../terminal/output.ts";

export function run(args: Arguments): number {
  const given = (args.operands[0] ?? basename(resolve("."))).replace(/\.app\.json$/, "");
  const name = basename(given);
  if (!/[\p{Letter}\p{Number}]/u.test(name)) {
    throw new UsageError(`“${given}” is no name for a service: it needs a letter or a digit.`, "init");
  }
  const path = `${given}.app.json`;
  if (existsSync(path) && !args.has("force")) {
    throw new UsageError(`${path} exists already. --force overwrites it.`, "init");
  }
  const template = (args.value("template") ?? "outbound") as TemplateName;
  try {
    writeAtomically(path, named(readTemplate(template), slugOf(name), titleOf(name)));
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`);
  }
  print(`${path}\n`);
  note(`Written from the template ${template}. Put in the service's addresses, then: configc check ${path}`);
  return 0;
}

/** The templates are about a service called Acme. */
function named(template: string, slug: string, title: string): string {
  return template
    .replaceAll(/\bacme\b/g, () => slug)
    .replaceAll(/\bAcme\b/g, () => JSON.stringify(title).slice(1, -1));
}

/** What a name is in the names of things: `my-shop`. Of a name in another script nothing is left. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "service" : slug;
}

/** A name as people read it: "my shop" and "my-shop" are "My Shop". */
function titleOf(name: string): string {
  return name
    .split(/[\s_.-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
