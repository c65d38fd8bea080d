import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const deletesChosen = defineRule<{ path: string; below: string; method: string }>({
  id: "http/deletes-chosen",
  severity: "warning",
  summary: "A pipeline deletes what the customer chose, and not the record's item in it",
  why: "A pipeline runs once for each record. What was chosen at the setup is the same for all of them: the first record deletes the whole course, list or project, with everybody in it.",
  guards: [
    "data_pipeline.target",
    "data_pipeline.source",
    "command.!http",
    "http.method",
    "http.path",
    "D12",
  ],
  message: ({ path, below, method }) =>
    `This deletes \`${path}\` itself, which is the same for each record. ${method === "GET" ? "What was looked up" : "What is written"} is below it: \`${below}\`.`,
  because: ({ path }) => [
    `the first record: \`DELETE ${path}\``,
    "all that is in it is gone, for the others too; the second record finds nothing",
  ],
  help: () => "Add the rest of the path: the list, and the id of the item that was found.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/members", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.members | length) == 0 then 0 else 1 end", "cases": [{"!print_c": "Nobody"}, {"!http": {"method": "DELETE", "path": «"/lists/${custom_data.list.value}"»}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/members", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.members | length) == 0 then 0 else 1 end", "cases": [{"!print_c": "Nobody"}, {"!http": {"method": "DELETE", "path": "/lists/${custom_data.list.value}/members/${piped_content.1.members[0].id}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [deletesChosen],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, place, unit } = command;
        if (!place.name.startsWith("data_pipeline.") || unit?.kind !== "workflow") return;
        if (argument?.kind !== "object" || textOf(argument, "method")?.toUpperCase() !== "DELETE") return;
        const given = argument.get("path");
        const path = pathOf(command);
        if (given === undefined || path === undefined || !chosen.test(path)) return;
        if (["body", "params"].some((name) => argument.get(name) !== undefined)) return;
        if (!namesNothing(command, unit, model)) return;
        const other = partOfUnit(unit, model).commands.find(
          (each) =>
            each !== command &&
            each.key === "!http" &&
            each.place === place &&
            pathOf(each)?.startsWith(`${path}/`) === true,
        );
        const below = other === undefined ? undefined : pathOf(other);
        if (other === undefined || below === undefined) return;
        const method = (textOf(other.argument, "method") ?? "GET").toUpperCase();
        // Behind a deletion of all that is in it, it may go itself.
        if (method === "DELETE") return;
        report(deletesChosen, given, { path, below, method }, [{ message: "here", at: other.member.key }]);
      },
    },
  },
};
export default module;

/** `/courses/${custom_data.course.value}` */
const chosen = /\/\$\{\s*custom_data\.[^}|]+\}$/;

/** The path of a request in one spelling. */
const pathOf = ({ argument }: Command): string | undefined =>
  textOf(argument, "path")
    ?.split("?")[0]
    ?.replaceAll(/\$<([^>]*)>/g, "${$1}")
    .replace(/^\/?/, "/")
    .replace(/\/$/, "");

/** Whether what a request sends is the same for every record: only the setup is read. */
const namesNothing = (command: Command, unit: WorkflowSymbol, model: Model): boolean =>
  partOfUnit(unit, model).expansions.every(
    ({ command: by, root, rootExact, syntax }) =>
      by !== command ||
      (rootExact && syntax.problem === undefined && (root === "custom_data" || root === "subdomain")),
  );
