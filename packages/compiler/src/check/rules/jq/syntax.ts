import { jqModule, jqRule } from "./diagnostic-rule.ts";

const refused = "The platform refuses the config on upload. configc still checks the rest of the program.";

const source = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const syntax = jqRule("syntax", {
  summary: "A jq program has a syntax error",
  why: `${refused} The message says what jq expects here.`,
  guards: ["command.!jq", "command.!switch", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email «name»: .name}"}',
      good: '{"!jq": "{email: .email, name: .name}"}',
    },
    {
      title: "an operator of another language",
      ...source,
      bad: '{"!jq": "{email: .email, adult: (.age > 17 «&&» .ok)}"}',
      good: '{"!jq": "{email: .email, adult: (.age > 17 and .ok)}"}',
      fixed: '{"!jq": "{email: .email, adult: (.age > 17 and .ok)}"}',
    },
    {
      title: "single quotes",
      ...source,
      bad: '{"!jq": "{email: .email, kind: «\'new\'»}"}',
      good: '{"!jq": "{email: .email, kind: \\"new\\"}"}',
      fixed: '{"!jq": "{email: .email, kind: \\"new\\"}"}',
    },
    {
      title: "“?//” without a blank",
      ...source,
      bad: '{"!jq": ".contact«?//»{}"}',
      good: '{"!jq": ".contact? // {}"}',
      fixed: '{"!jq": ".contact? //{}"}',
    },
    {
      title: "in a `!switch`",
      ...source,
      bad: '{"!switch": {"jq": "if .ok then 0 else 1 end«)»", "cases": [{"!jq": "{email: .a}"}, {"!jq": "{email: .b}"}]}}',
      good: '{"!switch": {"jq": "if .ok then 0 else 1 end", "cases": [{"!jq": "{email: .a}"}, {"!jq": "{email: .b}"}]}}',
      fixed:
        '{"!switch": {"jq": "if .ok then 0 else 1 end", "cases": [{"!jq": "{email: .a}"}, {"!jq": "{email: .b}"}]}}',
    },
  ],
});

const unexpectedEnd = jqRule("unexpected-end", {
  summary: "A jq program ends too early",
  why: `${refused} An operator or a comma needs something after it.`,
  guards: ["command.!jq", "D23"],
  examples: [
    { ...source, bad: '{"!jq": "{email: .email} |«»"}', good: '{"!jq": "{email: .email}"}' },
    { title: "nothing but a comment", ...source, bad: '{"!jq": "«»# later"}', good: '{"!jq": ". # later"}' },
  ],
});

const unterminatedString = jqRule("unterminated-string", {
  summary: "A string in a jq program is never closed",
  why: `${refused} In JSON, jq's quotation marks are written \`\\"\`. Often only one of the two has its backslash.`,
  guards: ["command.!jq", "D23"],
  help: () => 'In the JSON document write \\".',
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email, kind: «\\"»new}"}',
      good: '{"!jq": "{email: .email, kind: \\"new\\"}"}',
    },
  ],
});

const invalidEscape = jqRule("invalid-escape", {
  summary: "The escape doesn't exist in jq strings",
  why: `${refused} Write a backslash of a regular expression twice in jq and four times in the JSON document.`,
  guards: ["command.!jq", "D23"],
  help: ({ escape: written, problem }) => {
    if (problem !== "unknown") return undefined;
    const doubled = `\\${written}`;
    return `For a literal backslash write ${doubled}, in the JSON document ${JSON.stringify(doubled).slice(1, -1)}.`;
  },
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email, ok: (.phone | test(\\"^«\\\\d»+$\\"))}"}',
      good: '{"!jq": "{email: .email, ok: (.phone | test(\\"^\\\\\\\\d+$\\"))}"}',
      fixed: '{"!jq": "{email: .email, ok: (.phone | test(\\"^\\\\\\\\d+$\\"))}"}',
    },
    {
      title: "half of a surrogate pair",
      ...source,
      bad: '{"!jq": "{email: .email, smile: \\"«\\\\ud83d»\\"}"}',
      good: '{"!jq": "{email: .email, smile: \\"\\\\ud83d\\\\ude00\\"}"}',
    },
    {
      title: "too few digits",
      ...source,
      bad: '{"!jq": "{email: .email, mark: \\"«\\\\u27»\\"}"}',
      good: '{"!jq": "{email: .email, mark: \\"\\\\u2713\\"}"}',
    },
  ],
});

const unclosed = jqRule("unclosed", {
  summary: "A bracket or an `if` in a jq program is never closed",
  why: `${refused} The finding is where the closing bracket or \`end\` is missing, and names the opening one.`,
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email«»"}',
      good: '{"!jq": "{email: .email}"}',
      fixed: '{"!jq": "{email: .email}"}',
    },
    {
      title: "closed by another bracket",
      ...source,
      bad: '{"!jq": "{email: (.email // .mail«}»"}',
      good: '{"!jq": "{email: (.email // .mail)}"}',
      fixed: '{"!jq": "{email: (.email // .mail)}"}',
    },
    {
      title: "an `if` without its `end`",
      ...source,
      bad: '{"!jq": "if .ok then {email: .email} else null«»"}',
      good: '{"!jq": "if .ok then {email: .email} else null end"}',
      fixed: '{"!jq": "if .ok then {email: .email} else null end"}',
    },
  ],
});

const levels = (count: number) => `{"!jq": "{email: ${"(".repeat(count)}.email${")".repeat(count)}}"}`;
/** Brackets inside of the outermost one that are still accepted. */
const ACCEPTED_LEVELS = 500;

const nesting = jqRule("nesting", {
  summary: "A jq program is nested too deeply",
  why: "Only a faulty generator makes programs this deep. configc doesn't check the deeper parts, and the platform may refuse them.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: levels(ACCEPTED_LEVELS * 2),
      good: levels(ACCEPTED_LEVELS),
    },
  ],
});

export default jqModule({
  syntax,
  "unexpected-end": unexpectedEnd,
  "unterminated-string": unterminatedString,
  "invalid-escape": invalidEscape,
  unclosed,
  nesting,
});
