import { printExact } from "@configc/runtime";
import { exportCustomer } from "../../acts/export-customer.ts";
import { type Act, performAct, type Target } from "../../acts/index.ts";
import { printLine } from "../output.ts";
import type { Verb } from "../usage.ts";
import { withActs } from "./context.ts";
import { asked } from "./verb.ts";

export const exportVerb: Verb = {
  name: "export-customer",
  operands: ["CUSTOMER"],
  options: {
    why: { value: "TEXT", help: "why, for the record" },
    by: { value: "NAME", help: "who does it (default: CONFIGC_OPERATOR, or the user of this system)" },
  },
  summary: "print all that is kept for a customer, a line of JSON for each row",
  help: "As the database shows it to the role of that customer alone. Tokens aren't in it. What apps saved is opened with CONFIGC_KEY.",
  async run(args, environment) {
    const [customer = ""] = args.operands;
    await withActs(args, environment, async (context) => {
      const act: Act = {
        name: "export-customer",
        of: ["row", "rows"],
        targets: ["customer"],
        plan: async () => ({ affected: 0, examples: [] }),
        async perform(whole) {
          let affected = 0;
          for await (const { table, row } of exportCustomer(whole, customer)) {
            affected++;
            printLine(printExact({ table, row }));
          }
          return { affected, examples: [] };
        },
      };
      const target: Target = { customer };
      await performAct(act, context, { target, dryRun: false, ...asked(args.options, environment) });
    });
    return 0;
  },
};
