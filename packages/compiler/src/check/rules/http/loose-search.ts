import type { Expression, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { type JsonNode, type ObjectNode, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const looseSearch = defineRule<{ taken: string; search: string }>({
  id: "http/first-of-search",
  severity: "warning",
  summary: "A lookup takes the first record of a search that also finds others",
  why: "A search by a part of a name or an address finds `joann@example.com` for `ann@example.com`. If the first record is taken without comparing it, another person is changed, and nothing fails.",
  guards: ["D3", "data_pipeline.target", "data_pipeline.source", "command.!http"],
  message: ({ taken, search }) =>
    `\`${taken}\` may be another record: the search by \`${search}\` also finds longer values.`,
  because: ({ search, taken }) => [
    `\`${search}\` is \`ann@example.com\`, and the list has \`joann@example.com\` too`,
    `\`${taken}\` is whichever comes first`,
  ],
  help: () =>
    "Select the record that is equal to what was looked for: `[.people[] | select(.email == $email)] | first`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"GET /people?email=: everybody whose address contains the text."',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: «.people[0].id»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: ([.people[] | select(.email == ${piped_content.0.email})] | first | .id)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [looseSearch],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, pipe, parent, place, stepsRun } = command;
        if (argument?.kind !== "object" || pipe === undefined || parent !== pipe) return;
        if (!place.name.startsWith("data_pipeline.")) return;
        const next = pipe.children[stepsRun + 1]?.program;
        if (next === undefined || next.diagnostics.length > 0) return;
        const taken = firstTaken(next);
        if (taken === undefined || mayRefuse(pipe.children[stepsRun + 2])) return;
        const search = looseBy(argument, hasComments(model));
        if (search === undefined) return;
        const related = search.comment && [{ message: "the comment", at: search.comment }];
        const args = { taken: excerpt(textAt(taken, next)), search: search.name };
        report(looseSearch, partAt(next, taken), args, related);
      },
    },
  },
};
export default module;

/** What a request searches by, loosely: by its name, or because a comment says so. */
function looseBy(
  argument: ObjectNode,
  hasComment: boolean,
): { readonly name: string; readonly comment: StringNode | undefined } | undefined {
  const path = textOf(argument, "path") ?? "";
  const params = argument.get("params");
  const names = [
    ...(params?.kind === "object"
      ? params.members.flatMap(({ name, value }) => (isOfRecord(value) ? [name] : []))
      : []),
    ...[...path.matchAll(inPath)].map(([, name]) => name!),
  ];
  // With a second value of the record there may be only one that fits.
  if (names.length > 1) return undefined;
  const named = names.find((name) => /(?:^|[_.[-])(?:like|contains)\]?$/i.test(name) && !ofMany.test(name));
  // What a comment says of that parameter may be another thing than its name.
  if (named !== undefined)
    return hasComment &&
      documentedClauses(argument).some(({ text }) => text.includes(named) && isEqual.test(text))
      ? undefined
      : { name: named, comment: undefined };
  if (!hasComment) return undefined;
  const calls = callsIn(argument);
  const segment = /\/([\w-]+)(?:\?.*)?$/.exec(path)?.[1];
  for (const { text, comment } of documentedClauses(argument)) {
    if (!loose.test(text) || exact.test(text) || denied.test(text) || ofAnswer.test(text)) continue;
    const name = names.find(
      (each) => segment !== undefined && text.includes(`/${segment}?`) && text.includes(`${each}=`),
    );
    const call = calls.find((each) => text.includes(`${each}(`));
    if (name !== undefined || call !== undefined) return { name: (name ?? call)!, comment };
  }
  return undefined;
}

/** What tells a record from all others: a person's address, a name, a number. */
const identity = String.raw`\$[{<]\s*piped_content\.[\w.-]*(?:mail|name|phone|mobile|company|title|login|number|ref|id)\s*[|}>]`;
const ofRecord = new RegExp(`^${identity}`, "i");
const inPath = new RegExp(String.raw`[?&]([\w[\].-]+)=${identity}`, "gi");

const isOfRecord = (value: JsonNode | undefined): boolean =>
  value?.kind === "string" && ofRecord.test(value.value);

/** `emails_contains`: a list that has the whole value as an item. */
const ofMany = /s[_.[-]+contains\]?$/i;
const isEqual = /\b(?:exact(?:ly)?|equals?|equality|the whole|same)\b/i;

/** “contains the text”, “parts of addresses”, “names that begin so”. */
const loose =
  /\b(?:contain(?:s|ing)?|parts? of|(?:begin|start)(?:s|ning|ing)? (?:with|so|like|by)|prefix|partial(?:ly)?|fuzzy|substring|anywhere in)\b/i;
const exact =
  /\b(?:exact(?:ly)?|equals?|the whole|best|closest|relevan\w+|at most one|one at most|(?:same|very|own) \w+ (?:comes? )?first)\b/i;
/** `never matches a part of an address`, `used to find names that begin so` */
const denied =
  /\b(?:never|not|no longer|cannot|without|used to)\b[^.;]{0,30}\b(?:contain|parts?|begin|start|prefix|partial|fuzzy|substring|anywhere)|n't\b[^.;]{0,30}\b(?:contain|parts?|begin|start|prefix|partial|fuzzy|substring)|\bno longer does\b/i;
/** `people that contain id, email and name`: what the answer has. */
const ofAnswer =
  /\bcontain(?:s|ing)? (?:(?:an?|the|their|its) )?(?:ids?\b|\w+, \w+)|\bparts? of (?:the |each |a )?(?:record|answer|person|people|list)s?\b/i;

/** The fields with arguments that a GraphQL query asks for. */
function callsIn(argument: ObjectNode): readonly string[] {
  const body = argument.get("body");
  const query = body?.kind === "object" ? textOf(body, "query") : undefined;
  return query === undefined
    ? []
    : [...query.matchAll(/(\w+)\s*\(\s*\w+\s*:\s*\$/g)].map(([, name]) => name!);
}

/** `.people[0]`, `.people | first`, `first(.people[])`: the list as it came, of which nothing is compared. */
function firstTaken(program: JqProgram): Expression | undefined {
  if (
    comparesValues(program) ||
    /\b(?:INDEX|IN|index|contains|inside|test|match|min_by|max_by|sort_by|unique_by|group_by)\b/.test(
      program.node.value,
    )
  )
    return undefined;
  const indexed = nodesOfKind(program, "Postfix").find(
    ({ head, suffixes }) => head.kind === "Identity" && startsWithFirst(suffixes) && !ofErrors(suffixes[0]),
  );
  if (indexed !== undefined) return indexed;
  return nodesOfKind(program, "Pipeline").find((pipeline) => {
    const [list, first] = stagesOf(pipeline);
    return (
      list !== undefined &&
      bare(list).kind === "Postfix" &&
      first?.kind === "Call" &&
      first.name.text === "first" &&
      first.arguments.length === 0
    );
  });
}

function startsWithFirst(suffixes: readonly Suffix[]): boolean {
  const at = suffixes.findIndex(({ kind }) => kind === "Index");
  const suffix = suffixes[at];
  return (
    suffix?.kind === "Index" &&
    constantOf(suffix.index) === 0 &&
    suffixes.slice(0, at).every(({ kind }) => kind === "Field")
  );
}

/** `.errors[0].message` */
const ofErrors = (suffix: Suffix | undefined): boolean =>
  suffix?.kind === "Field" && suffix.key.kind === "Name" && /error|problem|warning/i.test(suffix.key.text);

/** Whether a program compares two values, neither of them written there. */
const comparesValues = (program: JqProgram): boolean =>
  nodesOfKind(program, "Comparison").some(
    ({ left, right }) => constantOf(left) === undefined && constantOf(right) === undefined,
  );

/** Whether the step behind may still refuse what was taken. */
const mayRefuse = (step: Command | undefined): boolean =>
  step?.program !== undefined && comparesValues(step.program);
