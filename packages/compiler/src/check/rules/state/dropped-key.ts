import { isIdentifier } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { allNames, oneOfNames } from "../../message-text.ts";
import { dropsIn } from "./drops.ts";

const droppedKey = defineRule<{ command: string; keys: readonly string[] }>({
  id: "polling/dropped-key",
  severity: "error",
  summary: "A command drops a `polling_state` key that is read later",
  why: "Saving replaces the whole `polling_state`, so a key that a command omits is gone. The next command that reads it as `${polling_state.KEY}` fails, and the customer's import stops.",
  guards: [
    "polling.polling_state",
    "polling.initial_setup",
    "polling.request",
    "D33",
    "expansion.polling_state",
  ],
  message: ({ command, keys }) =>
    `\`${command}\` replaces the whole \`polling_state\` without ${oneOfNames(keys)}, but ${keys.length === 1 ? "it is" : "they are"} read later.`,
  because: ({ command, keys }) => [
    `\`${command}\` saves a state without \`${keys[0]}\``,
    `the next command that reads \`\${polling_state.${keys[0]}}\` finds nothing, and fails`,
  ],
  help: ({ keys }) =>
    `Return ${keys.length === 1 ? "it" : "them"} too: \`${keys[0]}: \${polling_state.${keys[0]}}\`. Or extend the old state: \`\${polling_state} + {…}\`.`,
  examples: [
    {
      title: "D33: in the request",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: «{page: (${polling_state.page} + 1)}»}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      fixed:
        '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
    },
    {
      title: "D33: after the last request",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!jq": "{polling_state: «{since: ${polling_state.since}}»}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
      fixed: '{"!jq": "{polling_state: {since: ${polling_state.since}, page: ${polling_state.page}}}"}',
    },
    {
      title: "D33: for some customers there is none at first",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/feed", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}"}]',
      },
      bad: '{"!pipe": [{"!http": {"path": "/feed/bounds"}}, {"!jq": "if ${custom_data.list.value} == \\"all\\" then {polling_state: {after: .oldest}} else «{}» end"}]}',
      good: '{"!pipe": [{"!http": {"path": "/feed/bounds"}}, {"!jq": "if ${custom_data.list.value} == \\"all\\" then {polling_state: {after: .oldest}} else {polling_state: {after: .newest}} end"}]}',
    },
  ],
  fixes: ({ at, args: { command, keys } }, { document }) => {
    // At first there is no state to keep anything of.
    if (command === "initial_setup" || !("from" in at)) return [];
    const text = at.node.value.slice(at.from, at.to);
    if (!text.startsWith("{") || !text.endsWith("}") || !keys.every((key) => isIdentifier(key))) return [];
    const kept = keys.map((key) => `${key}: \${polling_state.${key}}`).join(", ");
    const isEmpty = /^\{\s*\}$/.test(text);
    const edits = [replaceInString(document, at.node, at.to - 1, at.to - 1, isEmpty ? kept : `, ${kept}`)];
    return [{ title: `Keep ${allNames(keys)}`, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [droppedKey],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      for (const { command, at, keys, readers } of dropsIn(intake, model)) {
        const related = readers.map(({ at: read }) => ({ message: "read here", at: read }));
        report(droppedKey, at, { command, keys }, related);
      }
    },
  },
};
export default module;
