import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import {
  type Consequence,
  consequencesOf,
  isFlag,
  isVerdict,
  verdictsIn,
} from "../../../flow/machine/verdicts.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const request =
  '{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation Invite($email: String!) { invite(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}';

const reversedVerdict = defineRule<{ name: string }>({
  id: "command/reversed-verdict",
  severity: "warning",
  summary: "Success ends in an error, and a refusal goes on",
  why: "Some services always answer with status 200 and say in the body whether they did what was asked. Read the wrong way round, each success fails and may be tried again, and what was refused counts as done.",
  guards: ["command.!switch", "command.!error", "D26"],
  message: ({ name }) =>
    isFlag(name)
      ? `Where \`${name}\` is true this ends with an error, and where it is false it goes on.`
      : `Where \`${name}\` is empty this ends with an error, and where it says what went wrong it goes on.`,
  because: ({ name }) => [
    `the service did it, so \`${name}\` is ${isFlag(name) ? "true" : "empty"}: an error`,
    "the service refused it: the run goes on as if it were done",
  ],
  help: () => "Swap the two cases.",
  examples: [
    {
      title: "D26",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: `{"!pipe": [${request}, {"!switch": {"jq": "«if (.errors // [] | length) > 0 then 1 else 0 end»", "cases": [{"!error": "The invitation was refused."}, {"!jq": ".data"}]}}]}`,
      good: `{"!pipe": [${request}, {"!switch": {"jq": "if (.errors // [] | length) > 0 then 0 else 1 end", "cases": [{"!error": "The invitation was refused."}, {"!jq": ".data"}]}}]}`,
    },
    {
      title: "In a program",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: `{"!pipe": [${request}, {"!jq": "«if .errors then .data else error(\\"refused\\") end»"}]}`,
      good: `{"!pipe": [${request}, {"!jq": "if .errors then error(\\"refused\\") else .data end"}]}`,
    },
  ],
});

const module: RuleModule = {
  rules: [reversedVerdict],
  checks: {
    program(program, report) {
      const name = reversedVerdictIn(program);
      const { node, tree } = program;
      if (name !== undefined)
        report(reversedVerdict, { node, from: tree.body.start, to: tree.body.end }, { name });
    },
  },
};
export default module;

/** The verdict of a service that a program takes for its opposite. */
export function reversedVerdictIn(program: JqProgram): string | undefined {
  const { command, diagnostics } = program;
  if (diagnostics.length > 0 || !(command.key === "!jq" || command.key === "!switch")) return undefined;
  const name = verdictRead(command);
  if (name === undefined) return undefined;
  const before = stepBefore(command);
  if (isLookup(before) && (isFlag(name) || (textOf(before?.argument, "path") ?? "").includes(name)))
    return undefined;
  if (!consequencesOf(program, "done").some((done) => stopsWith(done, command))) return undefined;
  const refused = consequencesOf(program, "refused");
  const isCertain = refused.length > 0 && !refused.some((each) => stopsWith(each, command));
  if (isCertain && saysNone(command)) return undefined;
  return !isCertain || (command.key === "!switch" && caseOf(refused[0]!.gives, command) === undefined)
    ? undefined
    : name;
}

/** The first member of those that a program reads which says whether all went well. */
function verdictRead({ program }: Command): string | undefined {
  if (program === undefined) return undefined;
  for (const name of verdictsIn(program)) return name;
  for (const { root, syntax } of program.holes) {
    if (root !== "piped_content") continue;
    const found = syntax.path.find(({ text }, index) => index > 1 && isVerdict(text));
    if (found !== undefined) return found.text;
  }
  return undefined;
}

function stopsWith({ stops, gives }: Consequence, command: Command): boolean {
  if (stops || command.key !== "!switch") return stops;
  const own = caseOf(gives, command);
  return own !== undefined && ends(own);
}

const caseOf = (index: Consequence["gives"], { children }: Command): Command | undefined =>
  typeof index === "number" ? children[index] : undefined;

/** Whether a case ends the run whatever it gets. */
function ends({ key, children, program }: Command): boolean {
  if (key === "!error") return true;
  if (key === "!pipe") return children.some((child) => child !== undefined && ends(child));
  return key === "!jq" && program?.tree.body.kind === "Call" && program.tree.body.name.text === "error";
}

/** Whether a request asks whether there is something: that there is none may be what is wanted. */
function isLookup(command: Command | undefined): boolean {
  return command?.key === "!http" && /^(?:GET|HEAD)$/i.test(textOf(command.argument, "method") ?? "GET");
}

/** Whether the error is that nothing went wrong: `There are no errors to send.` */
const saysNone = ({ argument }: Command): boolean =>
  argument !== undefined &&
  /\b(?:nothing to|no (?:errors?|problems?|failures?|refusals?|warnings?)|nothing (?:failed|went wrong))\b/i.test(
    JSON.stringify(toJson(argument)),
  );
