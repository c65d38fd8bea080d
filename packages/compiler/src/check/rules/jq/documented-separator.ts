import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedSeparator } from "../../../flow/documented-separators.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { isSaidOtherwise } from "../../../flow/said/taken-back.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";

const otherSeparator = defineRule<{ name: string; call: string; given: string; said: string }>({
  id: "jq/documented-separator",
  severity: "warning",
  summary: "A list is joined or split with another character than a comment says",
  why: "The service takes the text apart at the character that it knows. With another one between, several choices arrive as one that nobody has, and several values come as one.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ name, call, given, said }) =>
    `This calls \`${call}\` with \`${given}\`, but a comment says that \`${name}\` has ${said} between its values.`,
  because: ({ call, given }) =>
    call === "join"
      ? [`two choices become \`a${given}b\``, "the service reads them as one"]
      : [`\`${given}\` isn't in the text`, "several values come as one"],
  help: ({ said }) => `Use a ${said.replace(/s$/, "")}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/setup/select/form_fields/0/type": '"multiselect"' },
      bad: '{"!pipe": [{"_comment": "areas is one field with commas.", "!jq": "{email: .email, areas: (${custom_data.list.value} | join(«\\";\\"»))}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"_comment": "areas is one field with commas.", "!jq": "{email: .email, areas: (${custom_data.list.value} | join(\\",\\"))}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherSeparator],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !hasComments(model)) return;
      if (!/\b(?:join|split) *\( *"/.test(program.node.value)) return;
      const comments = [
        ...commentsAround(program.node, intakesAround(program.command.unit)),
        ...(model.api === undefined ? [] : commentsAround(model.api.node, [])),
      ];
      for (const { name, call, argument } of callsIn(program)) {
        const given = constantOf(argument);
        const said = documentedSeparator(name, comments);
        if (typeof given !== "string" || said === undefined) continue;
        const mark = given.trim() === "" ? given : given.trim();
        if (mark === said.character || (given !== "" && said.character.trim() === "" && mark.trim() === ""))
          continue;
        if (
          isSaidOtherwise(name, [said.comment]) ||
          (isNamed(mark, said.comment.value) && otherSide.test(said.comment.value))
        )
          continue;
        report(otherSeparator, partAt(program, argument), { name, call, given, said: said.text }, [
          { message: "the comment", at: said.comment },
        ]);
      }
    },
  },
};
export default module;

interface Joined {
  readonly name: string;
  readonly call: "join" | "split";
  readonly argument: Expression;
}

/** `labels: (… | join(","))`, and `.labels | split(",")`. */
function* callsIn(program: JqProgram): Generator<Joined> {
  for (const { key, value } of nodesOfKind(program, "Entry")) {
    const name = nameOf(key);
    if (name === undefined || value === undefined) continue;
    for (const argument of joinedIn(value)) yield { name, call: "join", argument };
  }
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (stage.kind !== "Call" || stage.name.text !== "split" || stage.arguments.length !== 1) continue;
      if (
        before === undefined ||
        before.kind === "Definition" ||
        before.kind === "Binding" ||
        before.kind === "Label"
      )
        continue;
      const read = bare(before);
      const inner = read.kind === "Alternative" ? bare(read.operands[0]!) : read;
      const name = inner.kind === "Postfix" ? nameRead(inner, program) : undefined;
      if (name !== undefined) yield { name, call: "split", argument: stage.arguments[0]! };
    }
}

/** With what a value is joined in the end, on each of its ways. */
function joinedIn(given: Expression): readonly Expression[] {
  const node = bare(given);
  switch (node.kind) {
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].flatMap(joinedIn);
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last === undefined ? [] : joinedIn(last);
    }
    case "Alternative":
      return node.operands.flatMap(joinedIn);
    case "Call":
      return node.name.text === "join" && node.arguments.length === 1 ? node.arguments : [];
    default:
      return [];
  }
}

/** `areas come with commas; the service wants semicolons`: what comes one way goes on in another. */
const otherSide =
  /\b(?:the service|there|they|we|it) (?:wants?|takes?|needs?|expects?|reads?)\b|\bhere\b|\binstead\b/i;

const words: Readonly<Record<string, RegExp>> = {
  ",": /\bcommas?\b/i,
  ";": /\bsemicolons?\b/i,
  ":": /\bcolons?\b/i,
  "|": /\b(?:pipes?|bars?)\b/i,
  "/": /\bslash(?:es)?\b/i,
  " ": /\b(?:blanks?|spaces?)\b/i,
  "-": /\b(?:dash(?:es)?|hyphens?)\b/i,
  "\n": /\blines?\b/i,
};

/** Whether a comment calls a separator by its name. */
const isNamed = (mark: string, comment: string): boolean => words[mark]?.test(comment) === true;
