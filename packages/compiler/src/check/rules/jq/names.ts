import { jqModule, jqRule } from "./diagnostic-rule.ts";

const source = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;
const parser = {
  in: "inbound-polling",
  at: "/api/pagination",
} as const;
const page = (program: string) =>
  `{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "per_page", "value": 50}}, "parser": {"total_pages": {"!jq": "${program}"}}}`;

const unknownFunction = jqRule("unknown-function", {
  summary: "jq has no such function",
  why: "A program that calls an unknown function doesn't compile, so the step fails for every customer. Often a member of the input was meant, which needs a dot: `.page_count`.",
  guards: [
    "command.!jq",
    "command.!switch",
    "pagination.total_pages",
    "pagination.total_items",
    "D22",
    "D23",
  ],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email, tags: (.tags | «lenght»)}"}',
      good: '{"!jq": "{email: .email, tags: (.tags | length)}"}',
      fixed: '{"!jq": "{email: .email, tags: (.tags | length)}"}',
    },
    {
      title: "D22: a bare word in a pagination parser",
      ...parser,
      bad: page("«page_count»"),
      good: page(".page_count"),
      fixed: page(".page_count"),
    },
    {
      title: "D22: a bare word that is near to a function",
      ...parser,
      bad: page("«lengths»"),
      good: page(".lengths"),
      fixed: page(".lengths"),
    },
    {
      title: "a function that jq has removed",
      ...source,
      bad: '{"!jq": "{email: .email, all: [«leaf_paths»]}"}',
      good: '{"!jq": "{email: .email, all: [paths(scalars)]}"}',
      fixed: '{"!jq": "{email: .email, all: [paths(scalars)]}"}',
    },
  ],
});

const wrongArity = jqRule("wrong-arity", {
  summary: "A jq function is called with the wrong number of arguments",
  why: "jq tells functions apart by their number of arguments, so it doesn't find this one, and the program doesn't compile. Separate arguments by `;`, not by a comma.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email, tags: (.tags | «join»)}"}',
      good: '{"!jq": "{email: .email, tags: (.tags | join(\\", \\"))}"}',
    },
    {
      title: "separated by a comma",
      ...source,
      bad: '{"!jq": "{email: (.email | «sub»(\\" \\", \\"\\"))}"}',
      good: '{"!jq": "{email: (.email | sub(\\" \\"; \\"\\"))}"}',
      fixed: '{"!jq": "{email: (.email | sub(\\" \\"; \\"\\"))}"}',
    },
  ],
});

const unknownVariable = jqRule("unknown-variable", {
  summary: "The jq variable isn't defined here",
  why: "A variable exists only after its `as $name |`, so the program doesn't compile. To read values of the config, use expansions: `${custom_data.form.value}`.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": ".contact as $person | {email: «$persn».email}"}',
      good: '{"!jq": ".contact as $person | {email: $person.email}"}',
      fixed: '{"!jq": ".contact as $person | {email: $person.email}"}',
    },
  ],
});

const unknownLabel = jqRule("unknown-label", {
  summary: "A `break` in a jq program without its `label`",
  why: "`break $name` ends the `label $name | …` around it. Without one the program doesn't compile.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: [label $out | .emails[] | if .main then ., break «$ot» else empty end][0]}"}',
      good: '{"!jq": "{email: [label $out | .emails[] | if .main then ., break $out else empty end][0]}"}',
      fixed: '{"!jq": "{email: [label $out | .emails[] | if .main then ., break $out else empty end][0]}"}',
    },
  ],
});

const unknownFormat = jqRule("unknown-format", {
  summary: "jq has no such string format",
  why: "A word after `@` says how values are written into a string: `@uri`, `@base64`. With an unknown one the program doesn't compile.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "{email: .email, code: (.id | «@base46»)}"}',
      good: '{"!jq": "{email: .email, code: (.id | @base64)}"}',
      fixed: '{"!jq": "{email: .email, code: (.id | @base64)}"}',
    },
    {
      title: "before a string",
      ...source,
      bad: '{"!jq": "{email: .email, link: «@url» \\"/people/\\\\(.id)\\"}"}',
      good: '{"!jq": "{email: .email, link: @uri \\"/people/\\\\(.id)\\"}"}',
      fixed: '{"!jq": "{email: .email, link: @uri \\"/people/\\\\(.id)\\"}"}',
    },
  ],
});

const moduleDirective = jqRule("module-directive", {
  summary: "A config can't use jq modules",
  why: "A config is one document, without other files that `import` or `include` could read. Write the definitions into the program.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      ...source,
      bad: '{"!jq": "«import» \\"people\\" as people; people::flat"}',
      good: '{"!jq": "def flat: {email: .contact.email}; flat"}',
    },
    {
      title: "include",
      ...source,
      bad: '{"!jq": "«include» \\"people\\"; flat"}',
      good: '{"!jq": "def flat: {email: .contact.email}; flat"}',
    },
  ],
});

export default jqModule({
  "unknown-function": unknownFunction,
  "wrong-arity": wrongArity,
  "unknown-variable": unknownVariable,
  "unknown-label": unknownLabel,
  "unknown-format": unknownFormat,
  "module-directive": moduleDirective,
});
