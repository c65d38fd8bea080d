import { many, none, one } from "../flow.ts";
import { array, nullType, object, string, union, unknown } from "../type.ts";
import { gives, type RuleTable } from "./rule.ts";

/** What reads or affects the process around the program (decision D23). */
export const hostRules: RuleTable = {
  "input/0": gives(unknown),
  "inputs/0": { flow: () => many(unknown) },
  "debug/0": { flow: ({ input }) => one(input) },
  "debug/1": {
    flow: ({ input, arguments: [message] }) => {
      message!(input);
      return one(input);
    },
  },
  "stderr/0": { flow: ({ input }) => one(input) },
  "input_filename/0": gives(union(string, nullType)),
  "env/0": gives(object([], string)),
  "halt/0": { flow: () => none },
  "halt_error/0": { flow: () => none },
  "halt_error/1": { flow: () => none },
  "get_search_list/0": gives(array(string)),
  "get_jq_origin/0": gives(unknown),
  "get_prog_origin/0": gives(unknown),
};
