import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { consequencesOf } from "../../../flow/machine/verdicts.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const query = (text: string): string =>
  `{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "${text}", "variables": {"email": "\${piped_content.0.email}"}}}}`;
const checked = '{"!jq": "if .errors then error(\\"refused\\") else .data end"}';
const unread = (last: string): string =>
  `{"!pipe": [${query("query One($email: String!) { person(email: $email) { id } }")}, ${checked}, ${query("mutation Two($email: String!) { save(email: $email) { id } }")}, ${checked}, ${query("mutation Three($email: String!) { add(email: $email) { id } }")}${last}]}`;
const steps = (last: string): string =>
  `{"!pipe": [${query("query One($email: String!) { person(email: $email) { id } }")}, ${checked}, ${query("mutation Two($email: String!) { save(email: $email) { id } }")}, ${checked}, ${query("mutation Three($email: String!) { add(email: $email) { id } }")}, {"!jq": ${last}}, {"!print_c": "Added \${piped_content.6.id}."}]}`;

const uncheckedErrors = defineRule<{ others: number; isLast?: true }>({
  id: "http/unchecked-errors",
  severity: "warning",
  summary: "One GraphQL answer is used without a check for errors, unlike all others",
  why: "GraphQL services answer with status 200 when they refuse a request, say why in `errors`, and leave `data` empty. Without a look at `errors`, a refusal counts as an empty answer: records are skipped and states move on in silence.",
  guards: ["command.!http", "D20", "D21"],
  message: ({ others, isLast }) =>
    isLast
      ? `Nothing looks at the answer to this mutation. The ${others} other GraphQL answers are looked at for \`.errors\`.`
      : `This takes \`.data\` without looking at \`.errors\`. What reads the ${others} other GraphQL answers looks at it.`,
  because: ({ isLast }) => [
    "the service refuses the request with status 200: `data` is null",
    isLast ? "this counts as done" : "this goes on as if nothing had been found",
  ],
  help: () => 'Stop where there are errors: `if (.errors // []) == [] then … else error("…") end`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: steps('«"{id: .data.add.id}"»'),
      good: steps('"if .errors then error(\\"refused\\") else {id: .data.add.id} end"'),
    },
    {
      title: "The last step",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: unread("").replace(/"!http"(?!.*"!http")/, '«"!http"»'),
      good: unread(`, ${checked}`),
    },
  ],
});

const module: RuleModule = {
  rules: [uncheckedErrors],
  checks: {
    document(model, report) {
      const { checks, unchecked } = answers(model);
      const [only, ...more] = unchecked;
      // Where several aren't, it is a habit.
      if (only === undefined || more.length > 0 || checks.length < ENOUGH) return;
      const others = checks.length;
      if (only.key === "!http") report(uncheckedErrors, only.member.key, { others, isLast: true });
      else if (only.program !== undefined) report(uncheckedErrors, only.program.node, { others });
    },
  },
};
export default module;

/** So many others make a habit. */
const ENOUGH = 2;

interface Answer {
  /** What takes the answer, or the mutation itself where it is the last step. */
  readonly reader: Command;
  readonly isChecked: boolean;
}

const answersByPart = derivedByPart(({ commands, expansions }: Part): readonly Answer[] =>
  commands.flatMap((command) => {
    if (!runs(command) || !isGraphql(command)) return [];
    const reader = readerOf(command);
    if (expansions.some((each) => mayLookLater(each, command))) return [];
    if (reader === undefined) return isLastMutation(command) ? [{ reader: command, isChecked: false }] : [];
    const isChecked = isCheckedIn(reader);
    return isChecked === undefined ? [] : [{ reader, isChecked }];
  }),
);

function answers(model: Model) {
  const all = answersByPart(model);
  return {
    checks: all.filter(({ isChecked }) => isChecked),
    unchecked: [...new Set(all.filter(({ isChecked }) => !isChecked).map(({ reader }) => reader))],
  };
}

/** Whether a command works on records: of what only fills forms, people see that it is empty. */
const runs = ({ place }: Command): boolean => /^(?:intake|data_pipeline)\./.test(place.name);

function isGraphql({ key, argument }: Command): boolean {
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  return /^\s*(?:(?:query|mutation)\b[^{}]*)?\{/.test(textOf(body, "query") ?? "");
}

/** Whether a mutation is the last step of what is done with a record; what is made of its answer somewhere else isn't known. */
const isLastMutation = ({ place, argument, pipe }: Command): boolean => {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return (
    place.name === "data_pipeline.target" &&
    pipe !== undefined &&
    /^\s*mutation\b/.test(textOf(body, "query") ?? "")
  );
};

/** The step that gets the answer: behind the `!switch` where the request is a case of one. */
function readerOf(command: Command): Command | undefined {
  let at = command;
  for (let { parent } = at; parent !== undefined; { parent } = at) {
    const next = parent.key === "!pipe" ? parent.children[at.stepsRun + 1] : undefined;
    if (next !== undefined) return next;
    at = parent;
  }
  return undefined;
}

/** Whether an expansion takes all of an answer, or its errors. */
function mayLookLater({ root, syntax: { path }, command }: Expansion, { pipe, stepsRun }: Command): boolean {
  const [, index, name] = path.map(({ text }) => text);
  if (root !== "piped_content" || command?.pipe !== pipe || index !== `${stepsRun + 1}`) return false;
  return name === undefined || /errors$/i.test(name);
}

/** Whether a reader looks at the errors; undefined where it may leave that to others, or looks at what is missing instead. */
function isCheckedIn({ key, program }: Command): boolean | undefined {
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  if (/errors\b/i.test(program.node.value)) return true;
  const { members, whole } = inputReads(program);
  if (key !== "!jq" || whole || !members.has("data")) return undefined;
  if (/\berror\b|[!=]=\s*null\b|\/\//.test(program.node.value)) return undefined;
  const refused = consequencesOf(program, "refused");
  return refused.some(({ stops }) => stops) ? undefined : false;
}
