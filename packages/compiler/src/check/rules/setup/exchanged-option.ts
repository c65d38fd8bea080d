import type { Expression } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { exchangedIn } from "../value/name-for-id.ts";

const exchangedOption = defineRule<{ display: string; value: string }>({
  id: "setup/exchanged-option",
  severity: "hint",
  summary: "`display` and `value` of an option look swapped",
  why: "Customers see `display`; the app saves and sends `value`. The wrong way round, customers choose among numbers, and requests and comparisons get a name where the API needs the id.",
  guards: ["field.options", "field_option.display", "field_option.value"],
  message: ({ display, value }) =>
    `Customers see \`${display}\`, and the app saves \`${value}\`. That looks swapped.`,
  because: ({ display, value }) => [
    `customers see the values of \`${display}\``,
    `the request sends the value of \`${value}\``,
  ],
  help: ({ display, value }) => `Write \`{display: ${value}, value: ${display}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "note": "${custom_data.list.value}"}}}',
      },
      bad: '"[.items[] | «{display: .id, value: .name}»]"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[.items[] | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at, args: { display, value } }, { document }) => {
    const { start, end } = spanOf(document, at);
    const text = document.text.slice(start, end);
    // Only where nothing else stands in it.
    if (text.replaceAll(/\s/g, "") !== `{display:${display},value:${value}}`.replaceAll(/\s/g, "")) return [];
    const edits = [{ start, end, newText: `{display: ${value}, value: ${display}}` }];
    return [{ title: "Swap them", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [exchangedOption],
  checks: {
    // Intakes use what is chosen in workflows.
    looksFar: true,
    field(field, report, model) {
      const { node } = field;
      const options = flowOf(model).commandAt(node.get("options"));
      const last: Command | undefined = options?.key === "!pipe" ? options.children.at(-1) : options;
      const program = last?.key === "!jq" ? last.program : undefined;
      if (program === undefined || program.diagnostics.length > 0) return;
      for (const object of nodesOfKind(program, "Object")) {
        const [display, value] = [entryOf(object, "display")?.value, entryOf(object, "value")?.value];
        if (display === undefined || value === undefined || !looksExchanged(display, value)) continue;
        // Where it goes to a place that wants the id, it is told as that.
        if (exchangedIn(display, value, field, model) !== undefined) continue;
        report(
          exchangedOption,
          { node: program.node, from: object.start, to: object.end },
          { display: textAt(display, program), value: textAt(value, program) },
        );
      }
    },
  },
};
export default module;

/**
 * What identifies is shown, and what is kept doesn't identify: two reasons that don't depend on one another. Of the same record,
 * a code, a key or a number may be what the API takes, and still nobody chooses by an `id`.
 */
function looksExchanged(display: Expression, value: Expression): boolean {
  const [shown, kept] = [nameOfValue(display), nameOfValue(value)];
  if (shown === undefined || kept === undefined || !isIdName(shown)) return false;
  return (
    isShownName(kept) ||
    (shown === "id" && /^(?:number|email|phone|address|city|street|domain|caption)$/.test(kept))
  );
}
