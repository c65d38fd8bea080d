import { type Expression, resolve } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const slot = (limit: string): string =>
  `{"!pipe": [{"!http": {"path": "/lists/\${custom_data.list.value}"}}, {"!jq": ".party.seats as $seats | [.slots[] | select(${limit})][0] | {slot: .id}"}, {"!http": {"method": "POST", "path": "/slots/\${piped_content.2.slot}/people", "body": {"email": "\${piped_content.0.email}"}}}]}`;

const today = (condition: string): string =>
  `"(now | strftime(\\"%Y-%m-%d\\")) as $today | {email: .email, passes: ([.passes[] | select(${condition})] | length)}"`;

const forgottenLimit = defineRule<{ name: string; text: string }>({
  id: "jq/forgotten-limit",
  severity: "warning",
  summary: "A member is compared with a fixed number or day, and the variable for it is read nowhere",
  why: "Who binds how many seats are wanted wants to compare with that. With a number in its place, a slot with too few seats is taken, or none is ever found, and what the customer asked for has no effect.",
  guards: ["command.!jq", "D23"],
  message: ({ name, text }) => `\`${text}\` compares with a fixed value, and nothing reads \`$${name}\`.`,
  because: ({ name, text }) => [
    `\`$${name}\` is bound, and has no effect`,
    `\`${text}\` is the same, whatever \`$${name}\` is`,
  ],
  help: ({ name }) => `Compare with \`$${name}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["jq/contradiction"],
      bad: slot("«.seats_left >= 0»"),
      good: slot(".seats_left >= $seats"),
    },
    {
      title: "A fixed day, where today is bound",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: `{"!jq": ${today('«.valid_until >= \\"2024-01-01\\"»')}}`,
      good: `{"!jq": ${today(".valid_until >= $today")}}`,
    },
  ],
});

const module: RuleModule = {
  rules: [forgottenLimit],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (
        diagnostics.length > 0 ||
        !/\bas \$\w+/.test(node.value) ||
        !/[<>!=]=?\s*(?:-?\d|"\d{4}-)|[\d"]\s*[<>=]/.test(node.value)
      )
        return;
      const unread = unreadNames(program);
      if (unread.length === 0) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { left, right } = comparison;
        const [value, other] = constantOf(right) === undefined ? [right, left] : [left, right];
        const constant = constantOf(other);
        const name = isDay(constant, value, program)
          ? unread.find((each) => isNow(each, program))
          : typeof constant === "number"
            ? unread.find((each) => isAbout(value, each, program))
            : undefined;
        if (name === undefined) continue;
        const text = excerpt(textAt(comparison, program), 50);
        report(forgottenLimit, partAt(program, comparison), { name, text });
      }
    },
  },
};
export default module;

/** The variables that a program binds and never reads. */
const unreadNames = derivedFromText((tree): readonly string[] => {
  const read = new Set(resolve(tree).variables.values());
  return nodesIn(tree).flatMap((node) => {
    const [pattern, ...others] = node.kind === "Binding" ? node.patterns : [];
    return pattern?.kind === "VariablePattern" && others.length === 0 && !read.has(pattern)
      ? [pattern.name]
      : [];
  });
});

/** Whether a constant is one day or time: `"2024-01-01"`, or so many seconds or milliseconds beside a time. */
function isDay(constant: unknown, beside: Expression, program: JqProgram): boolean {
  if (typeof constant === "string") return /^\d{4}-\d\d(?:-\d\d|$)/.test(constant);
  return typeof constant === "number" && constant > 1e9 && roleOf(nameRead(beside, program) ?? "") === "time";
}

/** Whether a variable is made of the time at which the program runs: `(now | strftime("%F")) as $today`. */
function isNow(variable: string, program: JqProgram): boolean {
  const binding = nodesOfKind(program, "Binding").find(({ patterns: [pattern] }) =>
    pattern?.kind === "VariablePattern" ? pattern.name === variable : false,
  );
  return (
    binding !== undefined &&
    nodesIn(binding.source).some((each) => each.kind === "Call" && each.name.text === "now")
  );
}

/** Whether a member is about what a variable is called: `.seats_left` and `$seats`. */
function isAbout(node: Expression, variable: string, program: JqProgram): boolean {
  const name = nameRead(node, program);
  if (name === undefined) return false;
  const words = new Set(wordsOf(name).map(singular));
  const wanted = wordsOf(variable.replace(/^\$/, "")).map(singular);
  return wanted.some((word) => word.length > 2 && !filler.test(word) && words.has(word));
}

/** Words that stand beside what a name is about. */
const filler =
  /^(?:min|max|minimum|maximum|want|wanted|wish|need|needed|the|all|any|now|left|free|total|count|number|limit|value|time|date|day|hour|minute|second|id|name|type|kind|status|state|page|size|data|item|row|record|response|result)$/;
