import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { isKept, keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isOffsetParam, requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const offsetPastEnd = defineRule<{ key: string; text: string; size: number }>({
  id: "polling/offset-past-end",
  severity: "warning",
  summary: "An offset that is kept between cycles moves by the page size, not by what was read",
  why: "The last page is seldom full, and most cycles find nothing. If the offset moves by a whole page all the same, it lies behind the end of the list, and what is added up to there is never read.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text, size }) =>
    `\`${key}\` moves by ${size} (\`${text}\`) even if fewer records came, and the next cycle goes on from there.`,
  because: ({ key, size }) => [
    `a cycle reads 3 records, and \`${key}\` moves by ${size}`,
    `the next ${size - 3} records are never requested`,
  ],
  help: () => "Add the number of records that came: `(.items | length)`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}", "limit": 100}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {offset: («${polling_state.offset} + 100»)}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}", "limit": 100}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {offset: (${polling_state.offset} + (.items | length))}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [offsetPastEnd],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model) || isHistory(intake)) return;
      const size = requestedPageSize(intake, model);
      const writes = writesIn(intake, "request", model) ?? [];
      const [write, ...others] = writes;
      if (size === undefined || size < 4 || write === undefined || others.length > 0) return;
      for (const read of askedBy(intake, model)?.reads ?? []) {
        if (!isOffsetParam(paramOf(read) ?? "")) continue;
        const { key } = read;
        const isKeptBetween = ["pre_poll", "post_poll"].every((name) => {
          const between = writesIn(intake, name, model);
          return between?.every((each) => keepsKey(each, key)) === true;
        });
        const { program } = write;
        const value = resolved(write.keys.get(key), program);
        if (!isKeptBetween || value?.kind !== "Arithmetic" || value.rest.length !== 1) continue;
        const [{ operator, operand }] = value.rest as [(typeof value.rest)[number]];
        if (operator !== "+" || constantOf(operand) !== size || !isKept(value.first, key, program)) continue;
        const at = { node: program.node, from: value.start, to: value.end };
        report(offsetPastEnd, at, { key, text: textAt(value, program), size });
      }
    },
  },
};
export default module;

/** Whether an intake is read once, for history alone. */
const isHistory = (intake: IntakeSymbol): boolean =>
  usersOf(intake).every((user) => user.intake?.target !== intake);
