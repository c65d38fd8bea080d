import { nearest } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const defaultNotOption = defineRule<{ id: string; text: string; options: readonly string[] }>({
  id: "expansion/default-not-option",
  severity: "hint",
  summary: "A default that is sent is none of the field's options",
  why: "Where a customer leaves out the field, its default goes where an option's value goes. A service that knows only the options refuses it, or files the record where nobody looks.",
  guards: ["D12", "D13", "expansion.default", "field.options"],
  message: ({ id, text }) =>
    `\`${text}\` is sent where \`${id}\` is left out, but it is none of its options.`,
  because: ({ id, options }) => [
    `\`${id}\` has the options ${allNames(options)}`,
    "a customer leaves it out: the service gets another word",
  ],
  help: ({ options }) => `Use one of ${allNames(options)}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "stage", "label": "Stage", "type": "dropdown", "required": false, "options": [{"display": "Lead", "value": "lead"}, {"display": "Customer", "value": "customer"}]}',
      },
      bad: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "stage": "${custom_data.stage.value | default:«new»}"}}}',
      good: '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "stage": "${custom_data.stage.value | default:lead}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [defaultNotOption],
  checks: {
    document(model, report) {
      for (const { expansion, text, options } of othersGiven(model)) {
        const { node, syntax } = expansion;
        const argument = syntax.filters[0]?.argument;
        if (argument === undefined || isMentioned(text, model)) continue;
        const at = { node, from: argument.start, to: argument.end };
        report(defaultNotOption, at, { id: syntax.path[1]?.text ?? "", text, options });
      }
    },
  },
};
export default module;

/** Defaults that are sent and aren't among the options of their field. */
const othersGiven = derivedByPart(
  ({ expansions }) =>
    expansions.flatMap((expansion) => {
      const { fields = [], fieldExact, syntax } = expansion;
      const text = syntax.filters[0]?.argument?.text.trim() ?? "";
      const [field] = fields;
      if (text === "" || field === undefined || fieldExact !== true) return [];
      if (syntax.path[2]?.text !== "value" || fields.length > 1) return [];
      // The options of a text field are suggestions: a customer may type anything else.
      if (field.type === "text") return [];
      const offered = staticOptions(field);
      const options = offered.map(({ value }) => value);
      const all = objectItems(field.node.get("options")).length;
      if (options.length < 2 || options.length < all || options.includes(text)) return [];
      // What is nearly an option is told as a slip.
      if (nearest(text, options) !== undefined) return [];
      // What an option shows is told as that.
      if (offered.some(({ display }) => display.trim().toLowerCase() === text.toLowerCase())) return [];
      return isSent(expansion) ? [{ expansion, text, options }] : [];
    }),
  "linked",
);

/** Whether an expansion is all of a value that is written, or of a member of an object that is made. */
function isSent({ node, syntax, position, command }: Expansion): boolean {
  const isWhole = syntax.start === 0 && syntax.end === node.value.length;
  if (command?.program === undefined)
    return isWhole && (position === "value" || (position === "parameter" && !isFilter(command)));
  return isMember(command.program, node, syntax.start);
}

/** A parameter of a request that reads: without a choice it asks for all, by a word of the service's own (`any`, `both`). */
function isFilter(command: Command | undefined): boolean {
  const method = command?.argument?.kind === "object" ? command.argument.get("method") : undefined;
  return method === undefined || (method.kind === "string" && /^(?:get|head)$/i.test(method.value));
}

function isMember(program: JqProgram, node: Expansion["node"], start: number): boolean {
  if (program.node !== node) return false;
  const hole = program.holes.findIndex((each) => each.syntax.start === start);
  return nodesOfKind(program, "Object").some(({ entries }) =>
    entries.some(({ value }) => value?.kind === "Hole" && value.hole === hole),
  );
}

/** Whether a word stands in a string of its own somewhere: it may be asked for. */
const isMentioned = (text: string, { document }: Model): boolean =>
  document.text.includes(`"${text}"`) || document.text.includes(`\\"${text}\\"`);
