import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const unclosedBracket = defineRule<{ opener: string; closer: string }>({
  id: "syntax/unclosed-bracket",
  severity: "error",
  summary: "A `{` or `[` is never closed",
  why: "Without its closing bracket the document isn't JSON, so the platform can't read any of it. configc still checks everything that it can read.",
  guards: ["D2"],
  message: ({ opener, closer }) => `This \`${opener}\` has no closing \`${closer}\`.`,
  help: ({ closer }) => `Add \`${closer}\` where the value ends.`,
  examples: [
    {
      in: "document",
      bad: '«{»"$version": "2", "auth": {}, "api": {"base_url": "https://api.example.com", "workflows": [1]',
      good: '{"$version": "2"}',
      also: [
        "syntax/unclosed-bracket",
        "structure/missing-member",
        "structure/unknown-member",
        "structure/wrong-type",
      ],
    },
    {
      title: "D2: what follows shows where it ends",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [«{»"!http": {"path": "/me"}, {"!jq": "{account_id: .id, description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
      fixed: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
    },
  ],
  fixes: ({ args: { closer }, related }, { document }) =>
    related.map(({ at }) => ({
      title: `Add \`${closer}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: closer }],
    })),
});

const missingOpener = defineRule<{ opener: string; place: number }>({
  id: "syntax/missing-opener",
  severity: "error",
  summary: "The `{` or `[` of an object or list is missing",
  why: "Without it the document isn't JSON, so the platform can't read any of it. configc checks the rest as if the bracket were there.",
  guards: ["D2"],
  message: ({ opener }) => `The \`${opener}\` of this ${opener === "{" ? "object" : "list"} is missing.`,
  examples: [
    {
      title: "D2: of an object",
      in: "document",
      bad: '{"$version": "2", "auth": {}, «"api"»: "base_url": "https://api.example.com"}, "workflows": [{"name": 1}]}',
      good: '{"$version": "2"}',
      fixed:
        '{"$version": "2", "auth": {}, "api": {"base_url": "https://api.example.com"}, "workflows": [{"name": 1}]}',
      also: ["structure/missing-member", "structure/wrong-type"],
    },
    {
      title: "D2: of a list",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{«"webhook_events"»: "Created", "Changed"], "webhook_objects_updated": ["Contacts"]}',
      good: '{"webhook_events": ["Created", "Changed"], "webhook_objects_updated": ["Contacts"]}',
      fixed: '{"webhook_events": ["Created", "Changed"], "webhook_objects_updated": ["Contacts"]}',
    },
  ],
  fixes: ({ args: { opener, place } }) => [
    {
      title: `Add \`${opener}\``,
      safe: false,
      edits: [{ start: place, end: place, newText: opener }],
    },
  ],
});

const nesting = defineRule<{ limit: string }>({
  id: "syntax/nesting",
  severity: "error",
  summary: "Values are nested too deeply",
  why: "configc doesn't check values below the limit. A real config never comes near it, so a generator usually made this by mistake.",
  guards: ["D2"],
  message: ({ limit }) => `Values are nested more than ${limit} levels deep. Deeper ones aren't checked.`,
  examples: [
    {
      in: "document",
      bad: `${"[".repeat(512)}«[»${"]".repeat(513)}`,
      good: '{"$version": "2"}',
      also: ["structure/wrong-type"],
    },
  ],
});

const module: RuleModule = {
  rules: [unclosedBracket, missingOpener, nesting],
  checks: {
    syntax(problem, report) {
      if (problem.kind === "unclosed-bracket") {
        const { span, text: opener, expected: closer = "", other } = problem;
        const related = other === undefined ? [] : [{ message: `\`${closer}\` belongs here`, at: other }];
        report(unclosedBracket, span, { opener, closer }, related);
      } else if (problem.kind === "missing-opener") {
        const { span, text, other } = problem;
        report(missingOpener, span, { opener: text, place: other?.start ?? span.end });
      } else if (problem.kind === "nesting") report(nesting, problem.span, { limit: problem.text });
    },
  },
};
export default module;
