import type { Expression } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { durationsIn } from "../../../flow/said-durations.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const outlived = defineRule<{ thing: string; seconds: number; said: number; text: string }>({
  id: "polling/documented-lifetime",
  severity: "warning",
  summary: "A token is still used when, by a comment, it is no longer good",
  why: "The comment says how long the token lives. If the program gives it up later than that, each request in between is refused: the cycle fails again and again until the time has passed.",
  guards: ["polling.pre_poll", "polling.polling_state", "D3", "D33"],
  message: ({ thing, seconds, said }) =>
    `A comment says that a ${thing} is good for ${said} seconds, but here it is given up after ${seconds}.`,
  because: ({ thing, said, text }) => [
    `a ${thing} is ${said} seconds old: it is no longer good`,
    `\`${text}\` is false: it is sent`,
  ],
  help: ({ said }) => `Give it up earlier than after ${said} seconds.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/_comment": '"A cursor is good for 24 hours."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null, cursor_at: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params": '{"cursor": "${polling_state.cursor}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: (.next != null), polling_state: {cursor: .next, cursor_at: (now | floor)}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: (${polling_state} | if .cursor != null and «now - .cursor_at > 172800» then . + {cursor: null} else . end)}"}',
      good: '{"!jq": "{polling_state: (${polling_state} | if .cursor != null and now - .cursor_at > 80000 then . + {cursor: null} else . end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [outlived],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.command.unit?.kind !== "intake" || program.diagnostics.length > 0) return;
      if (!/\bnow\b[^|]*-/.test(program.node.value) || !hasComments(model)) return;
      for (const node of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = node;
        if (operator !== ">" && operator !== ">=") continue;
        const kept = ageOf(left, program);
        const seconds = numberOf(bare(right));
        if (kept === undefined || seconds === undefined) continue;
        for (const comment of commentsAround(program.node, [])) {
          const words = wordsOf(kept);
          const said = lifetimeIn(comment.value).find(
            ({ thing, kind }) =>
              words.includes(thing) &&
              (kind === undefined || words.includes(kind)) &&
              // A session that lasts may be one that people come to: what is given up is kept beside its age.
              keepsThing(thing, program),
          );
          if (said === undefined || seconds <= said.seconds) continue;
          const text = excerpt(textAt(node, program));
          return report(
            outlived,
            partAt(program, node),
            { thing: said.thing, seconds, said: said.seconds, text },
            [{ message: "the comment", at: comment }],
          );
        }
      }
    },
  },
};
export default module;

/** Whether a program names the thing itself beside the time at which it was made: `cursor` beside `cursor_at`. */
const keepsThing = (thing: string, { node }: JqProgram): boolean =>
  [...node.value.matchAll(/[A-Za-z_]\w*/g)].some(([name]) => {
    const words = wordsOf(name);
    return words.includes(thing) && !/^(?:at|on|time|ts|since|age)$/.test(words.at(-1) ?? "");
  });

/** `cursor_at` of `now - .cursor_at` */
function ageOf(given: Expression, program: JqProgram): string | undefined {
  const node = bare(given);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (node.kind !== "Arithmetic" || step?.operator !== "-" || others.length > 0) return undefined;
  if (textAt(bare(node.first), program) !== "now") return undefined;
  const old = bare(step.operand);
  if (old.kind === "Hole") return program.holes[old.hole]?.syntax.path.at(-1)?.text;
  return nameOfValue(old);
}

const things = "cursor|token|bookmark|job|export|snapshot|link|session|page_?token|key|listing|list";
/** A token of this kind is another one than that of a page. */
const kinds = "access|refresh|auth|bearer|oauth|id|webhook";
// `An export link lives an hour` is of the link.
const lives = new RegExp(
  `(?:\\b(${kinds})[ -])?\\b(${things})s?\\b(?:(?!\\b(?:${things})s?\\b)[^.;]){0,40}?\\b(?:(?:is|are|stays?|remains?) (?:good|valid|kept)|lives?|lasts?|expires?|ages out|(?:is|are) dropped)\\b (?:only )?(?:for|after|within)?([^.;]{0,30})`,
  "gi",
);

/** How long things live, as comments say it: `A cursor is good for 24 hours`. An edit leaves most comments as they are. */
const lifetimeIn: (text: string) => readonly {
  readonly thing: string;
  readonly kind: string | undefined;
  readonly seconds: number;
}[] = memoize(
  (text) =>
    [...text.matchAll(lives)].flatMap(([, kind, thing, behind]) =>
      durationsIn(behind!)
        .slice(0, 1)
        .map((seconds) => ({ thing: thing!.toLowerCase(), kind: kind?.toLowerCase(), seconds })),
    ),
  200,
);
