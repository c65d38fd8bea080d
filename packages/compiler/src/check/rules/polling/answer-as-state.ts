import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { withInputs } from "../../../flow/given-values.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const answerAsState = defineRule<{ text: string; command: string; isSaid: boolean }>({
  id: "polling/answer-as-state",
  severity: "warning",
  summary: "The state is taken from an answer that doesn't have it",
  why: "Behind a request a program gets the answer, not the state. What the answer lacks is null, and saving replaces the whole state: the place where reading goes on is lost, and everything is read again, or nothing.",
  guards: ["polling.polling_state", "polling.post_poll", "D16", "D20"],
  message: ({ text, command, isSaid }) =>
    isSaid
      ? `A comment says that the answer is empty, so \`${text}\` is null, and \`${command}\` saves that as state.`
      : `\`${text}\` is read from the answer to the request before it, which has no state.`,
  because: ({ text }) => [`the answer has no \`${text}\`: it is null`, "saving replaces the whole state"],
  help: () => "Take it from `${polling_state}`.",
  examples: [
    {
      title: "D16: the root's name",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!pipe": [{"!http": {"method": "DELETE", "path": "/jobs/1"}}, {"!jq": "{polling_state: («.polling_state» + {page: 1})}"}]}',
      good: '{"!pipe": [{"!http": {"method": "DELETE", "path": "/jobs/1"}}, {"!jq": "{polling_state: (${polling_state} + {page: 1})}"}]}',
    },
    {
      title: "An answer that a comment calls empty",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"_comment": "The answer is empty.", "!pipe": [{"!http": {"method": "POST", "path": "/acknowledge", "body": {"page": "${polling_state.page}"}}}, {"!jq": "{polling_state: (${polling_state} + {page: «.page»})}"}]}',
      good: '{"_comment": "The answer is empty.", "!pipe": [{"!http": {"method": "POST", "path": "/acknowledge", "body": {"page": "${polling_state.page}"}}}, {"!jq": "{polling_state: (${polling_state} + {page: 1})}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [answerAsState],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const command of ["pre_poll", "post_poll"]) {
        const programs = new Set<JqProgram>();
        for (const { program, keys } of writesIn(intake, command, model) ?? []) {
          const request = requestBefore(program);
          if (request === undefined) continue;
          programs.add(program);
          if (!hasComments(model) || !writes(request) || !isEmptySaid(program.command, request)) continue;
          for (const value of keys.values())
            if (isOfAnswer(bare(value), program) && !isRootRead(bare(value)))
              report(answerAsState, partAt(program, bare(value)), {
                text: textAt(bare(value), program),
                command,
                isSaid: true,
              });
        }
        const own = intake.commands.get(command);
        if (own === undefined) continue;
        for (const program of programsBehindRequests(own))
          for (const node of nodesOfKind(program, "Postfix"))
            if (isRootRead(node) && isOfAnswer(node, program))
              report(answerAsState, partAt(program, node), {
                text: textAt(node, program),
                command,
                isSaid: false,
              });
      }
    },
  },
};
export default module;

/** The programs right behind a request that mention the state. */
function programsBehindRequests(command: Command): readonly JqProgram[] {
  const { program, key, children } = command;
  const isOne =
    key === "!jq" &&
    program?.node.value.includes(".polling_state") === true &&
    requestBefore(program) !== undefined;
  return [
    ...(isOne ? [program] : []),
    ...children.flatMap((child) => (child === undefined ? [] : programsBehindRequests(child))),
  ];
}

function requestBefore({ command, diagnostics }: JqProgram): Command | undefined {
  const before = diagnostics.length > 0 || command.key !== "!jq" ? undefined : stepBefore(command);
  return before?.key === "!http" ? before : undefined;
}

const writes = ({ argument }: Command): boolean =>
  /^(?:POST|PUT|PATCH|DELETE)$/i.test(textOf(argument, "method") ?? "");

/** Whether comments at the request or at the program say that the answer has nothing, whatever is asked for. */
function isEmptySaid({ node, place, unit }: Command, request: Command): boolean {
  const path = textOf(request.argument, "path") ?? "";
  const method = textOf(request.argument, "method") ?? "";
  const words = wordsOf(`${method} ${path.split("?")[0]!.replace(/\$[{<][^}>]*[}>]/g, "")}`);
  const own = unit?.kind === "intake" ? unit.node.get(place.name.split(".").at(-1)!) : undefined;
  return commentsAround(node, commentedBelow(request.node)).some((comment) => {
    const clause = clausesOf(comment.value).find((each) => saysEmpty.test(each) && !isSometimes.test(each));
    if (clause === undefined) return false;
    // What is said of the intake as a whole may be about any of its requests, such as those that read.
    const isAtCommand = own !== undefined && own.start <= comment.start && comment.end <= own.end;
    return isAtCommand || words.some((word) => wordsOf(clause).includes(word));
  });
}
const clausesOf = (text: string): readonly string[] => text.split(/[.;](?=\s|$)/);
const saysEmpty =
  /\b(?:answer|response|reply)\b[^.;]{0,50}\b(?:is|are|comes) (?:always )?empty\b|\b(?:answers?|responds?|replies) (?:with )?(?:nothing|an empty (?:answer|body|object|response)|no body|204)\b|\b(?:answer|body|response|reply) is empty\b|\b(?:answers|gets?|gives?|has|returns?|with) an empty (?:answer|response|reply)\b/i;
/** `An empty answer past the end`: it has something otherwise. */
const isSometimes =
  /\b(?:if|when|whenever|unless|while|until|once|where|past|beyond|sometimes|may|might|can|mostly|usually|after the (?:end|last)|without)\b/i;

/** A path from the program's own input. */
function isOfAnswer(node: Expression, program: JqProgram): boolean {
  return (
    node.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    node.suffixes.every(({ kind }) => kind === "Field") &&
    withInputs(program).get(node) === undefined &&
    !program.node.value.slice(0, node.start).includes("|")
  );
}

function isRootRead(node: Expression): boolean {
  const [first] = node.kind === "Postfix" ? node.suffixes : [];
  return first?.kind === "Field" && first.key.kind === "Name" && first.key.text === "polling_state";
}
