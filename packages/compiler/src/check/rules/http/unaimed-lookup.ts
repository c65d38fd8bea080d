import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const unaimedLookup = defineRule<{ path: string }>({
  id: "http/unaimed-lookup",
  severity: "hint",
  summary: "A lookup takes the first record of an unfiltered list",
  why: "A pipeline runs once for each record. A request that names nothing of the record gets the same list each time, so its first item is always the same: every contact is matched with one and the same record of the service.",
  guards: ["data_pipeline.target", "data_pipeline.source", "command.!http"],
  message: ({ path }) =>
    `This request to \`${path}\` sends nothing of the record, and the next step takes the first item.`,
  because: ({ path }) => [`record 1: the first of \`${path}\``, `record 2: the same one`],
  help: () =>
    'Send what identifies the record, for example as a parameter: `"email": "${piped_content.0.email}"`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{«"!http"»: {"path": "/people"}}, {"!jq": "{id: .people[0].id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unaimedLookup],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, pipe, parent, place, stepsRun } = command;
        if (!place.name.startsWith("data_pipeline.") || pipe === undefined || parent !== pipe) return;
        const path = textOf(argument, "path");
        if (path === undefined || (textOf(argument, "method") ?? "GET").toUpperCase() !== "GET") return;
        const next = pipe.children[stepsRun + 1]?.program;
        if (next === undefined || next.diagnostics.length > 0 || !takesFirst(next)) return;
        if (!isAimed(command, model)) report(unaimedLookup, command.member.key, { path });
      },
    },
  },
};
export default module;

/** Whether something in a request comes from the record, from the setup or from an earlier step. */
function isAimed({ node }: Command, { expansions }: Model): boolean {
  return expansions.some(
    ({ node: at, root }) => root !== "subdomain" && node.start <= at.start && at.end <= node.end,
  );
}

/** `.people[0]`, `.people | first`, and no search among the items. */
function takesFirst(program: JqProgram): boolean {
  if (/\b(?:select|map|any|index|INDEX|group_by|min_by|max_by|sort_by)\b/.test(program.node.value))
    return false;
  return (
    nodesOfKind(program, "Index").some(({ index }) => constantOf(index) === 0) ||
    nodesOfKind(program, "Call").some(({ name }) => name.text === "first")
  );
}
