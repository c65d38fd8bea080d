import { capacity } from "@configc/simulate";
import { pretty } from "../capacity/pretty.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { noteErrors } from "../run/config.ts";
import { compileKnown } from "../simulate/compile-known.ts";
import { readWorldFileAt, readWorldFileBeside } from "../simulate/read-world-file.ts";
import { hasColour, print } from "../terminal/output.ts";

/** Reckons what an app needs of its API. */
export async function run(args: Arguments): Promise<number> {
  const [file = ""] = args.operands;
  const { app, errors } = await compileKnown(file, "capacity");
  noteErrors(file, errors);
  const given = args.value("world");
  const world = given === undefined ? readWorldFileBeside(file, app) : readWorldFileAt(given, app);
  const customers = numberOf(args, "customers");
  const found = await capacity(app, {
    ...(world === undefined ? {} : { world }),
    ...optional("items", numberOf(args, "items")),
    ...optional("changes", numberOf(args, "changes")),
    ...optional("page", numberOf(args, "page")),
  });
  print(
    args.value("format") === "json"
      ? `${JSON.stringify({ ...found, path: file }, null, 2)}\n`
      : pretty(found, customers, hasColour(process.stdout)),
  );
  const isFull = found.workflows.some(
    (each) =>
      !each.fits || (customers !== undefined && each.customers !== undefined && each.customers < customers),
  );
  return isFull ? 1 : 0;
}

function optional<K extends string>(name: K, value: number | undefined): { readonly [P in K]?: number } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: number };
}

/** The least that makes sense: no page is empty. */
const LEAST: Readonly<Record<string, number>> = { changes: 0 };

function numberOf(args: Arguments, name: "items" | "changes" | "page" | "customers"): number | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  const least = LEAST[name] ?? 1;
  if (!/^\d+$/.test(text) || number < least || number > 1e9)
    throw new UsageError(`--${name} takes a whole number, ${least} or more, not “${text}”.`, "capacity");
  return number;
}
