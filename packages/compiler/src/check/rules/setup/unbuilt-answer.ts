import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { plain, plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const other =
  '{"label": "Team", "id": "team", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/teams"}}, {"!jq": "[.teams[] | {display: .name, value: .id}]"}]}}';
const areas = (program: string): string =>
  `{"label": "Area", "id": "area", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/areas"}}, {"!jq": "${program}"}]}}`;
const used =
  '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "team": "${custom_data.team.value}", "area": "${custom_data.area.value}", "list": "${custom_data.list.value}"}}}';

const unbuiltAnswer = defineRule<{ first: string; second: string; place: Place }>({
  id: "setup/unbuilt-answer",
  severity: "warning",
  summary:
    "The records of a service are given on as they came, where others are made into what the setup shows",
  why: "The options of a field are objects with `display` and `value`, and a connection is described by `account_id` and `description`. The records of a service have names of their own. Without a step that makes one of the other, customers have nothing to choose from.",
  guards: ["field.options", "connect.describe_connection"],
  message: ({ first, second, place }) =>
    place === "field.options"
      ? `This gives the service's records as they are. Options need \`${first}\` and \`${second}\`, which other fields make of them.`
      : `This gives the service's answer as it is. It needs \`${first}\` and \`${second}\`, which another workflow makes of it.`,
  because: ({ first, second }) => [
    "the records have the names that the service gives them",
    `another place makes \`${first}\` and \`${second}\` of them`,
  ],
  help: ({ first, second }) => `Make \`{${first}: …, ${second}: …}\` of it.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: { "/workflows/0/setup/select/form_fields/2": other, "/workflows/0/data_pipeline/target": used },
      bad: areas("«[.areas[] | select(.open)]»"),
      good: areas("[.areas[] | select(.open) | {display: .title, value: .id}]"),
    },
  ],
});

const module: RuleModule = {
  rules: [unbuiltAnswer],
  checks: {
    document(model, report) {
      const all = raw(model);
      // Most build what they give.
      if (all.length === 0) return;
      const isBuilt = new Set(built(model));
      for (const place of places)
        for (const { result, place: own } of all) {
          if (own !== place || !isBuilt.has(place)) continue;
          const { program } = result;
          const at =
            program === undefined
              ? result.member.key
              : { node: program.node, from: program.tree.body.start, to: program.tree.body.end };
          report(unbuiltAnswer, at, { ...wanted[place], place });
        }
    },
  },
};
export default module;

type Place = "field.options" | "connect.describe_connection";

const places: readonly Place[] = ["field.options", "connect.describe_connection"];
const wanted = {
  "field.options": { first: "display", second: "value" },
  "connect.describe_connection": { first: "account_id", second: "description" },
} as const;

interface Result {
  readonly place: Place;
  readonly result: Command;
}

/** What the commands of the setup give. */
function resultsIn({ commands }: Part): readonly Result[] {
  const found: Result[] = [];
  for (const command of commands) {
    if (command.parent !== undefined) continue;
    const place = places.find((each) => each === command.place.name);
    if (place !== undefined) for (const result of resultsOf(command)) found.push({ place, result });
  }
  return found;
}

/** What goes on as it came, and the places of what is built of an answer. */
const raw = derivedByPart((part) => resultsIn(part).filter(({ place, result }) => isRaw(result, place)));
const built = derivedByPart((part) =>
  resultsIn(part).flatMap(({ place, result: { program } }) =>
    program !== undefined && builds(program, wanted[place].first, wanted[place].second) ? [place] : [],
  ),
);

const builds = (program: JqProgram, first: string, second: string): boolean =>
  nodesOfKind(program, "Object").some((object) => {
    const made = entryOf(object, first)?.value;
    return made !== undefined && entryOf(object, second) !== undefined && !isOwnName(made, first);
  });

/** `.display` of `{display: .display}`: then the records have it themselves. */
const isOwnName = (node: Expression, name: string): boolean =>
  node.kind === "Postfix" && node.suffixes.some(({ kind }) => kind === "Field") && isNamed(node, name);

function isNamed(node: Extract<Expression, { kind: "Postfix" }>, name: string): boolean {
  const last = node.suffixes.at(-1);
  return last?.kind === "Field" && last.key.kind === "Name" && last.key.text === name;
}

/** Whether what a request gave is given on: all of it, or the items of a list in it. */
function isRaw(result: Command, place: Place): boolean {
  // That an answer is no list of options is told by its type.
  if (result.key === "!http") return place === "connect.describe_connection";
  const { program } = result;
  if (program === undefined || program.diagnostics.length > 0 || stepBefore(result)?.key !== "!http")
    return false;
  return place === "field.options" && givesItems(plainBody(program));
}

/** `.areas`, `[.areas[] | select(.open)]` */
function givesItems(node: Expression): boolean {
  switch (node.kind) {
    case "Array":
      return node.body !== undefined && givesItems(plain(node.body));
    case "Pipeline":
      return node.stages.every(
        (stage, index) =>
          isExpression(stage) &&
          (index === 0
            ? stage.kind === "Postfix"
            : stage.kind === "Call" && /^(?:select|sort_by|unique_by|reverse|sort)$/.test(stage.name.text)),
      );
    default:
      return node.kind === "Postfix" && node.head.kind === "Identity";
  }
}
