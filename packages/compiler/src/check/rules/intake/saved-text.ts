import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isSecretName, nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const savedText = defineRule<{ text: string; instead: string; count: number }>({
  id: "intake/saved-text",
  severity: "warning",
  summary: "`!save` gets a bare value instead of an object",
  why: "`!save` stores the members of an object under their names. A bare id or secret has no name, so the step fails. The registration was made before that, and stays.",
  guards: ["command.!save", "D24"],
  message: ({ text, count }) =>
    count === 1
      ? `\`!save\` needs an object, but \`${text}\` is a bare value.`
      : `\`!save\` needs an object, but \`${text}\` gives ${count} bare values, of which the first one counts.`,
  because: ({ text }) => [
    `\`${text}\` gives a text or a number`,
    "`!save` fails: there is no name to save it under",
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
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
        const made = lastOf(body);
        // `.id, .key` are two outputs, of which the first one counts.
        const values = made.kind === "Comma" ? made.items : [made];
        const named = values.map((value) => ({ value, name: nameOfValue(value) ?? "" }));
        if (!named.every(({ name }) => isIdName(name) || isSecretName(name))) return;
        const text = excerpt(program.node.value.slice(body.start, body.end), 40);
        const at = { node: program.node, from: body.start, to: body.end };
        const written = ({ start, end }: Expression): string => program.node.value.slice(start, end).trim();
        const members = named.map(
          ({ value, name }) =>
            `${name === "id" ? "hook_id" : name}: ${written(values.length === 1 ? body : value)}`,
        );
        report(savedText, at, {
          text,
          instead: excerpt(`{${members.join(", ")}}`, 80),
          count: values.length,
        });
      },
    },
  },
};
export default module;

/** What the outputs of a program are: of `.hook | .id, .key` both members. */
function lastOf(node: Expression): Expression {
  const own = bare(node);
  const last = own.kind === "Pipeline" ? stagesOf(own).at(-1) : undefined;
  return last !== undefined && bare(last).kind === "Comma" ? bare(last) : own;
}
