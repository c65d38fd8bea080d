import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenStart } from "../../../flow/machine/chosen-start.ts";
import { areEqual, compare, isKind, memberOf } from "../../../flow/machine/value.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";

const lostChoice = defineRule<{ keys: readonly string[] }>({
  id: "polling/lost-choice",
  severity: "warning",
  summary: "What a customer chose as the start is replaced before the first request",
  why: "`initial_setup` works out where reading begins from what the customer chose. If `pre_poll` sets the same key to something else before the first request, the choice has no effect: what lies before it is never read.",
  guards: ["polling.initial_setup", "polling.pre_poll", "polling.polling_state", "D33"],
  message: ({ keys: [key] }) =>
    `The customer's choice has no effect: \`initial_setup\` sets \`${key}\` by it, and \`pre_poll\` replaces that before the first request.`,
  because: ({ keys: [key] }) => [
    `\`initial_setup\`: \`${key}\` depends on a field`,
    `\`pre_poll\`: \`${key}\` is the same, whatever was chosen`,
    "the first request begins there",
  ],
  help: ({ keys: [key] }) =>
    `Let \`initial_setup\` set what \`pre_poll\` copies to \`${key}\` by the choice, too. Or let \`pre_poll\` leave \`${key}\` alone in the first cycle.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: (.polling_state | if .page == 1 then .since = .high else . end)}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (if .has_more then ${polling_state.page} + 1 else 1 end), high: .read_at})}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": «"(now - (${custom_data.list.value} | tonumber) * 86400 | floor) as $start | {polling_state: {page: 1, since: $start, high: (now | floor)}}"»}',
      good: '{"!jq": "(now - (${custom_data.list.value} | tonumber) * 86400 | floor) as $start | {polling_state: {page: 1, since: $start, high: $start}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [lostChoice],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const setup = intake.commands.get("initial_setup");
      if (setup?.key !== "!jq" || setup.program === undefined || !intake.commands.has("pre_poll")) return;
      if (!/\bcustom_data\b/.test(setup.program.node.value)) return;
      const keys = keysLost(intake);
      if (keys.length > 0) report(lostChoice, setup.program.node, { keys });
    },
  },
};
export default module;

/** The keys that depend on a chosen number behind `initial_setup`, where nothing does any more when the first request is made. */
function keysLost(intake: IntakeSymbol): readonly string[] {
  const [few, many] = [7, 30].map((number) => chosenStart(intake, number)) as [
    ReturnType<typeof chosenStart>,
    ReturnType<typeof chosenStart>,
  ];
  const { setUp, prepared } = few;
  if (!isKind(setUp, "record") || !isKind(prepared, "record") || prepared.open) return [];
  const differ = [...setUp.members.keys()].filter((key) => {
    const order = compare(memberOf(setUp, key), memberOf(many.setUp, key));
    return order !== undefined && order !== 0;
  });
  const isLost = [...prepared.members].every(([key, value]) => areEqual(value, memberOf(many.prepared, key)));
  return isLost ? differ : [];
}
