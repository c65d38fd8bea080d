import { journalError } from "../../engine/journal.ts";
import { Runs } from "../../runs/runs.ts";
import { print } from "../output.ts";
import { UsageError, type Verb } from "../usage.ts";
import { withDatabase } from "./database.ts";
import { filters, paging } from "./options.ts";
import { chosen, limitIn, moment } from "./words.ts";

const statuses = ["waiting", "running", "done", "failed", "cancelled"] as const;
const { customer: _, ...ownFilters } = filters;

export const runsVerb: Verb = {
  name: "runs",
  operands: [],
  options: {
    status: { value: "STATUS", help: `only ${statuses.join(", ")}` },
    ...ownFilters,
    ...paging,
  },
  summary: "list runs, the newest first",
  help: "`inspect RUN` shows one with its steps. --installation goes with --app.",
  async run(args, environment) {
    const { options, json } = args;
    const status = statuses.find((each) => each === options["status"]);
    if (options["status"] !== undefined && status === undefined)
      throw new UsageError(`There is no status \`${options["status"]}\`; there are ${statuses.join(", ")}.`);
    if (options["installation"] !== undefined && options["app"] === undefined)
      throw new UsageError("`--installation` goes with `--app`: say whose installation it is.");
    await withDatabase(args, environment, async ({ database }) => {
      const runs = await Runs.open(database.url, database);
      try {
        const page = await runs.page({
          ...chosen(options, ["app", "installation", "after"]),
          ...limitIn(options),
          ...(status === undefined ? {} : { status }),
        });
        if (json) return print(JSON.stringify(page, undefined, 2));
        if (page.rows.length === 0) return print("There are no such runs.");
        for (const { id, status, enqueued, begun, ended, error } of page.rows) {
          const took = begun === undefined || ended === undefined ? "" : ` in ${ended - begun} ms`;
          print(`${moment(enqueued)}  ${status}${took}  ${id}${error === undefined ? "" : `\n  ${error}`}`);
        }
        if (page.next !== undefined) print(`There are more: --after ${page.next}`);
      } catch (error) {
        throw journalError(error);
      } finally {
        await runs.close();
      }
    });
    return 0;
  },
};
