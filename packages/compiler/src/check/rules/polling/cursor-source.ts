import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lastName, moreName, waysOf, writtenAs } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const flagAsCursor = defineRule<{ key: string; text: string }>({
  id: "polling/flag-as-cursor",
  severity: "warning",
  summary: "The cursor of the next request is only a flag",
  why: "The request sends this key to say where the next page begins. A flag such as `has_more` is sent as `true`, which isn't a place in any list: the second request fails, or gives the first page again.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text }) =>
    `\`${text}\` only says whether there is another page, but the next request sends it as \`${key}\`.`,
  because: ({ key }) => ["page 1 is read, and there is more", `page 2 is requested with \`${key}\` = true`],
  help: () => "Save the cursor from the response, such as `.next_cursor`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {cursor: «.has_more»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {cursor: .next}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [flagAsCursor],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { key, way, program } of keptOf(intake, model)) {
        const at = { node: program.node, from: way.start, to: way.end };
        if (moreName.test(lastName(way) ?? ""))
          report(flagAsCursor, at, { key, text: writtenAs(way, program) });
      }
    },
  },
};
export default module;

interface Kept {
  readonly key: string;
  readonly way: Expression;
  readonly program: JqProgram;
}

/** What `request` may write under the keys that it sends. */
export function keptOf(intake: IntakeSymbol, model: Model): readonly Kept[] {
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  return (writesIn(intake, "request", model) ?? []).flatMap(({ keys, program }) =>
    [...keys].flatMap(([key, value]) =>
      sent.has(key) ? waysOf(value, program).map((way) => ({ key, way, program })) : [],
    ),
  );
}
