import { placeOf } from "@configc/host/internal";
import { type Failing, type FailingFilter, failing } from "../../answers/failing.ts";
import { reasons } from "../../answers/reasons.ts";
import { print } from "../output.ts";
import type { Verb } from "../usage.ts";
import { type Opened, withDatabase } from "./database.ts";
import { filters, paging } from "./options.ts";
import { chosen, count, limitIn, moment, span, what } from "./words.ts";

export const failingVerb: Verb = {
  name: "failing",
  operands: [],
  options: {
    ...filters,
    ...paging,
    fingerprint: { value: "ID", help: "only what failed in this way at this place" },
    list: { help: "each installation, those that fail longest first" },
  },
  summary: "say which installations fail, since when and why",
  help: "Those that failed in the same way at the same place of a config are told together; with --list or --fingerprint each by itself.",
  async run(args, environment) {
    const { options, json } = args;
    const filter: FailingFilter = {
      ...chosen(options, ["app", "customer", "installation", "fingerprint", "after"]),
      ...limitIn(options),
    };
    const lists = ["list", "fingerprint", "installation", "after"].some((name) => name in options);
    await withDatabase(args, environment, async (opened) => {
      if (lists) await list(opened, filter, json);
      else await grouped(opened, filter, json);
    });
    return 0;
  },
};

async function placed(
  { apps }: Opened,
  { app, version, pointer }: Pick<Failing, "app" | "version" | "pointer">,
) {
  const found = await apps.appOf(app, version);
  return found === undefined ? undefined : placeOf(found, pointer);
}

async function grouped(opened: Opened, filter: FailingFilter, json: boolean): Promise<void> {
  const found = await Promise.all(
    (await reasons(opened.database, filter)).map(async (reason) => {
      const place = await placed(opened, reason.example);
      return place === undefined ? reason : { ...reason, place };
    }),
  );
  if (json) return print(JSON.stringify({ reasons: found }, undefined, 2));
  if (found.length === 0) return print("No installation fails.");
  for (const reason of found) {
    const { app, installations, since, example, fingerprint } = reason;
    const place = "place" in reason ? reason.place : undefined;
    print(
      `${count(installations, "installation")} of ${app}, since ${span(Date.now() - since)}: ${what(example, place)}`,
    );
    print(`  ${example.message}`);
    print(`  ${example.installation}${whose(example)} fails longest. All: --fingerprint ${fingerprint}`);
  }
}

async function list(opened: Opened, filter: FailingFilter, json: boolean): Promise<void> {
  const { rows, next } = await failing(opened.database, filter);
  if (json) {
    const places = await Promise.all(rows.map((row) => placed(opened, row)));
    const all = rows.map((row, at) => (places[at] === undefined ? row : { ...row, place: places[at] }));
    return print(JSON.stringify({ rows: all, ...(next === undefined ? {} : { next }) }, undefined, 2));
  }
  if (rows.length === 0) return print("No installation fails.");
  for (const row of rows) {
    const state = [
      ...(row.mustConnect ? ["the customer has to connect again"] : []),
      ...(row.held ? ["held"] : []),
    ];
    print(
      `${moment(row.since)}  ${row.app}/${row.installation}${whose(row)}  ${row.what}: ${what(row, await placed(opened, row))}${state.length === 0 ? "" : `; ${state.join(", ")}`}`,
    );
  }
  if (next !== undefined) print(`There are more: --after ${next}`);
}

function whose({ customer }: Failing): string {
  return customer === undefined ? "" : ` (customer ${customer})`;
}
