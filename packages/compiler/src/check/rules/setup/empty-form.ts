import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";

const emptyForm = defineRule<{ inbound: boolean }>({
  id: "setup/empty-form",
  severity: "hint",
  summary: "A `select` step has no fields",
  why: "In the `select` step the customer chooses a resource, such as a form or a list. Without fields it is an empty page with a button.",
  guards: ["setup.select", "select.form_fields"],
  message: ({ inbound }) =>
    inbound
      ? "This form has no fields, so the customer can't choose the resource that sends data."
      : "This form has no fields, so the `select` step asks nothing.",
  help: ({ inbound }) =>
    inbound
      ? "Add a field for the resource, for example a `dropdown`."
      : "Add fields, or remove `select`, which outbound workflows don't need.",
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/setup/select",
      with: {
        "/data_intake/0/request/!pipe/0/!http/path": '"/customers"',
      },
      bad: '{"label": "Select", «"form_fields"»: [], "describe_selection": {"resource_id": {"!jq": "\\"all\\""}, "display": {"!jq": "\\"All customers\\""}}}',
      good: '{"label": "Select", "form_fields": [{"id": "list", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}], "describe_selection": {"resource_id": {"!jq": ".custom_data.list.value"}, "display": {"!jq": ".custom_data.list.display"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [emptyForm],
  checks: {
    workflow({ node, direction }, report) {
      const setup = node.get("setup");
      const select = setup?.kind === "object" ? setup.get("select") : undefined;
      const fields = select?.kind === "object" ? select.member("form_fields") : undefined;
      if (direction === undefined || fields?.value?.kind !== "array" || fields.value.items.length > 0) return;
      report(emptyForm, keyOf(fields), { inbound: direction === "inbound" });
    },
  },
};
export default module;
