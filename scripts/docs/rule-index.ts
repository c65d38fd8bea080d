import { docsOf, type Rule } from "@configc/compiler";
import { page, table } from "./markdown.ts";
import { areaOf } from "./rule-page.ts";

/** What each area is about. A new area needs a line here: the generator asks for it. */
const areas: Readonly<Record<string, string>> = {
  api: "Base URL, rate limits, pagination",
  auth: "Ways to authorise",
  breaking: "What a new version breaks for customers of the published one: `configc breaking`",
  command: "Commands: form, arguments, places",
  contract: "Types of the input and output of commands",
  expansion: "`${…}`: roots, scopes, fields, steps, filters",
  http: "Requests: URLs, parameters, headers, bodies, pagination",
  intake: "Webhooks and polling: registration, routing, frequencies",
  jq: "Programs of `!jq` and `!switch`",
  mapping: "The map step: options, groups, required targets",
  name: "Names that must be unique",
  openapi: "Requests against the OpenAPI document of their API",
  payload: "Members that an app reads from webhooks' payloads, by their samples",
  pipeline: "Pipelines, run with everything that may be found, mapped and chosen",
  polling: "Output of polling requests",
  portability: "Features that not every platform has",
  reference: "Names that must be declared, keys that must be saved",
  resource: "Resources of the platform",
  response: "What an app reads from responses, by their samples and by how other places read them",
  security: "Secrets in plain text, unprotected URLs",
  setup: "Forms, schedules, import options, review steps",
  state: "What an app keeps: the keys of `data` and `workflow` that it saves and reads",
  structure: "Members, their kinds and values",
  style: "Names and labels in the recommended form, old spellings",
  suppression: "Suppressions of findings",
  syntax: "JSON syntax",
  unused: "Things that nothing uses",
  value: "Values that go where another kind is wanted: other units, roles, ids, spellings",
  workflow: "Workflows: directions, historical sync, sides of the pipeline",
};

export interface Area {
  readonly name: string;
  readonly about: string;
  readonly rules: readonly Rule[];
}

export function areasOf(rules: readonly Rule[]): Area[] {
  const names = [...new Set(rules.map(areaOf))].sort();
  return names.map((name) => ({
    name,
    about: areas[name] ?? "",
    rules: rules.filter((rule) => areaOf(rule) === name),
  }));
}

/** Areas that aren't described above, and descriptions of areas that have no rule. */
export function areaProblems(rules: readonly Rule[]): string[] {
  const there = areasOf(rules);
  const gone = Object.keys(areas).filter((name) => !there.some((area) => area.name === name));
  return [
    ...there.filter(({ about }) => about === "").map(({ name }) => `the area "${name}" isn't described`),
    ...gone.map((name) => `the area "${name}" is described but has no rule`),
  ].map((problem) => `scripts/docs/rule-index.ts: ${problem}`);
}

/** `docs/rules/README.md` */
export function ruleIndex(rules: readonly Rule[]): string {
  return page(
    "Rules",
    `${rules.length} rules. Each page has the reason, examples with what \`configc\` says about them, and how to silence the rule; \`configc explain RULE\` tells of it in a terminal.`,
    "**error**: will be rejected or certainly fails. **warning**: runs, but loses, leaks or surprises. **info** and **hint**: taste, naming, things that nothing uses. Only errors, and warnings beyond `--max-warnings`, fail a check.",
    ...areasOf(rules).flatMap(({ name, about, rules: own }) => [
      `## ${name}`,
      about === "" ? undefined : `${about}.`,
      table(["rule", "severity", "fix", "what it finds"], own.map(row)),
    ]),
  );
}

function row(rule: Rule): string[] {
  const core = rule.core === undefined ? "" : ` (${rule.core} in \`core\`)`;
  const link = docsOf(rule.id).replace(/^docs\/rules\//, "");
  return [
    `[${rule.id}](${link})`,
    `${rule.severity}${core}`,
    rule.fixes === undefined ? "" : "yes",
    rule.summary,
  ];
}

/** The table in the readme: areas with what they are about and how many rules they have. */
export function areaTable(rules: readonly Rule[]): string {
  return table(
    ["area", "what is checked", "rules"],
    areasOf(rules).map(({ name, about, rules: own }) => [
      `[${name}](docs/rules/README.md#${name})`,
      about,
      String(own.length),
    ]),
  );
}
