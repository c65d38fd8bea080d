import { keptActs } from "../../acts/index.ts";
import { withDatabase } from "../answers/database.ts";
import { paging } from "../answers/options.ts";
import { chosen, limitIn, moment } from "../answers/words.ts";
import { print } from "../output.ts";
import type { Verb } from "../usage.ts";

export const actsVerb: Verb = {
  name: "acts",
  operands: [],
  options: paging,
  summary: "list what operators did, the newest first",
  help: "Who, when, why, with whom, and what came of it.",
  async run(args, environment) {
    await withDatabase(args, environment, async ({ database }) => {
      const page = await keptActs(database, { ...chosen(args.options, ["after"]), ...limitIn(args.options) });
      if (args.json) return print(JSON.stringify(page, undefined, 2));
      if (page.rows.length === 0) return print("Nothing was done yet.");
      for (const { act, target, by, why, begun, result, request } of page.rows) {
        const whom = Object.entries(target).map(([name, value]) => `${name} ${value}`);
        const came = result === undefined ? "under way" : `${result.affected} changed`;
        const reason = why === "" ? "" : `: ${why}`;
        print(`${moment(begun)}  ${by}  ${act} ${whom.join(", ")}; ${came}${reason}  (${request})`);
      }
      if (page.next !== undefined) print(`There are more: --after ${page.next}`);
    });
    return 0;
  },
};
