import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isSecretName, nameOfValue } from "../../../flow/id-names.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const savedText = defineRule<{ text: string; name: string }>({
  id: "intake/saved-text",
  severity: "warning",
  summary: "`!save` gets a bare value instead of an object",
  why: "`!save` stores the members of an object under their names. A bare id or secret has no name, so the step fails. The registration was made before that, and stays.",
  guards: ["command.!save", "D24"],
  message: ({ text }) => `\`!save\` needs an object, but \`${text}\` is a bare value.`,
  because: ({ text }) => [
    `\`${text}\` gives a text or a number`,
    "`!save` fails: there is no name to save it under",
  ],
  help: ({ name, text }) => `Write \`{${name}: ${text}}\`.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      bad: '"«.hook.id»"',
      good: '"{hook_id: .hook.id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [savedText],
  checks: {
    command: {
      "!save"({ pipe, parent, stepsRun }, report, model) {
        const before = pipe === undefined || parent !== pipe ? undefined : pipe.children[stepsRun - 1];
        const program = before?.key === "!jq" ? before.program : undefined;
        if (program === undefined || program.diagnostics.length > 0) return;
        // What is known to be no object fails by its type.
        if (flowOf(model).output(before).kind !== "unknown") return;
        const { body } = program.tree;
        const name = nameOfValue(body);
        if (name === undefined || !(isIdName(name) || isSecretName(name))) return;
        const text = excerpt(program.node.value.slice(body.start, body.end), 40);
        const at = { node: program.node, from: body.start, to: body.end };
        report(savedText, at, { text, name: name === "id" ? "hook_id" : name });
      },
    },
  },
};
export default module;
