import { placeOf } from "@configc/host/internal";
import { failedItems } from "../../answers/failed-items.ts";
import { print } from "../output.ts";
import { UsageError, type Verb } from "../usage.ts";
import { withDatabase } from "./database.ts";
import { filters, paging } from "./options.ts";
import { chosen, count, limitIn, moment, what } from "./words.ts";

export const itemsVerb: Verb = {
  name: "items",
  operands: [],
  options: {
    failed: { help: "those that failed for their own reasons" },
    ...filters,
    fingerprint: { value: "ID", help: "only what failed in this way at this place" },
    ...paging,
  },
  summary: "list the items that failed and can be tried again",
  help: "Those that came first come first. What they hold isn't shown.",
  async run(args, environment) {
    const { options, json } = args;
    if (options["failed"] === undefined) throw new UsageError("Say which items: --failed.");
    await withDatabase(args, environment, async ({ database, apps }) => {
      const page = await failedItems(database, {
        ...chosen(options, ["app", "customer", "installation", "fingerprint", "after"]),
        ...limitIn(options),
      });
      if (json) return print(JSON.stringify(page, undefined, 2));
      if (page.rows.length === 0) return print("No item has failed.");
      for (const row of page.rows) {
        const { item, app, kind = "Error", status, pointer = "", failed, tries = 0, message = "" } = row;
        const version = await apps.appOf(app, row.version);
        const place = version === undefined ? undefined : placeOf(version, pointer);
        const failure = what({ kind, pointer, ...(status === undefined ? {} : { status }) }, place);
        print(
          `${failed === undefined ? "" : moment(failed)}  ${app} ${item}  ${count(tries, "try", "tries")}: ${failure}`,
        );
        print(`  ${message}`);
      }
      if (page.next !== undefined) print(`There are more: --after ${page.next}`);
    });
    return 0;
  },
};
