import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { legalUsesIn } from "./uses.ts";

const laterField = defineRule<{ id: string; own: string }>({
  id: "expansion/later-field",
  severity: "error",
  summary: "The options of a form field depend on a later field",
  why: "The customer fills in the form from top to bottom, and the options of a field are fetched when the customer reaches it. A later field has no value yet.",
  guards: ["D12", "D11", "expansion.custom_data", "field.options"],
  message: ({ id, own }) => `\`${id}\` is filled in after \`${own}\`, so it has no value yet.`,
  because: ({ id, own }) => [
    `the customer comes to \`${own}\`, and its options are asked for`,
    `\`${id}\` comes later and has no value`,
  ],
  help: ({ id, own }) => `Move the field \`${id}\` before \`${own}\`.`,
  examples: [
    {
      title: "D12: a field that comes later",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/path",
      bad: '"/lists/${custom_data.«note».value | default}"',
      good: '"/lists"',
    },
    {
      title: "D12: in a jq program",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '{"!jq": "[{display: .custom_data.«note».value, value: 1}]"}',
      good: '{"!jq": "[{display: \\"A\\", value: 1}]"}',
    },
  ],
});

const ownField = defineRule<{ id: string }>({
  id: "expansion/own-field",
  severity: "error",
  summary: "The options of a form field depend on the field itself",
  why: "The options are fetched before the customer chooses one, so the field has no value yet.",
  guards: ["D12", "D11", "expansion.custom_data", "field.options"],
  message: ({ id }) => `These are the options of \`${id}\` itself, which has no value until one is chosen.`,
  help: () => "To search by what the customer types, use `search_term`.",
  examples: [
    {
      title: "D12: its own field",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/path",
      bad: '"/lists/${custom_data.«list».value}"',
      good: '"/lists"',
    },
  ],
});

const module: RuleModule = {
  rules: [laterField, ownField],
  checks: {
    part(part, report, model) {
      for (const use of legalUsesIn(part, model, "custom_data")) {
        const own = use.command?.field;
        const [id] = use.names;
        if (own === undefined || id === undefined) continue;
        const [meaning] = use.meanings;
        if (
          meaning?.field === undefined ||
          !meaning.exact ||
          meaning.field.index < own.index ||
          use.tentative()
        )
          continue;
        const related =
          meaning.field.idNode === undefined ? [] : [{ message: "declared here", at: meaning.field.idNode }];
        if (meaning.field === own) report(ownField, id, { id: id.text }, related);
        else report(laterField, id, { id: id.text, own: own.id ?? "" }, related);
      }
    },
  },
};
export default module;
