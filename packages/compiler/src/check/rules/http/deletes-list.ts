import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isPlural } from "../../../flow/nouns.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const deletesList = defineRule<{ path: string; method: string }>({
  id: "http/deletes-list",
  severity: "warning",
  summary: "A pipeline deletes a whole list",
  why: "A pipeline runs once for each record. A `DELETE` of the list itself names none of its items: where the API allows it, the first record removes everybody from the list.",
  guards: ["data_pipeline.target", "data_pipeline.source", "command.!http", "http.method"],
  message: ({ path, method }) =>
    `This removes all of \`${path}\`, which is a list: ${method === "POST" ? "a `POST` adds to it" : "a `GET` reads it"} elsewhere. Nothing of the record is in the request.`,
  because: ({ path }) => [
    `the first record: \`DELETE ${path}\` without the id of an item`,
    "the whole list is removed, or the API refuses it",
  ],
  help: () => "Add the id of the item to the path.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/members", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .members[0].id}"}, {«"!http"»: {"method": "DELETE", "path": "/lists/${custom_data.list.value}/members"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/members", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .members[0].id}"}, {"!http": {"method": "DELETE", "path": "/lists/${custom_data.list.value}/members/${piped_content.2.id}"}}]}',
      also: ["unused/step-member", "unused/step-output"],
    },
  ],
});

const module: RuleModule = {
  rules: [deletesList],
  checks: {
    document(model, report) {
      for (const { command, unit, path } of deletions(model)) {
        // Another part may read the list.
        const method = listed(model).get(path);
        if (method !== undefined && namesNothing(command, unit, model))
          report(deletesList, command.member.key, { path, method });
      }
    },
  },
};
export default module;

/** What a pipeline deletes by a path that ends with the name of a list. */
const deletions = derivedByPart(({ commands }) =>
  commands.flatMap((command) => {
    const { argument, place, unit, key } = command;
    if (key !== "!http" || !place.name.startsWith("data_pipeline.") || argument?.kind !== "object") return [];
    if (textOf(argument, "method")?.toUpperCase() !== "DELETE" || unit?.kind !== "workflow") return [];
    const path = pathOf(command);
    const [last = ""] = path?.split("/").slice(-1) ?? [];
    if (path === undefined || !/^[a-z][\w-]*$/i.test(last) || !isPlural(last)) return [];
    if (["body", "params", "headers"].some((name) => argument.get(name) !== undefined)) return [];
    return [{ command, unit, path }];
  }),
);

/** The path of a request in one spelling. */
const pathOf = ({ argument }: Command): string | undefined =>
  textOf(argument, "path")
    ?.replaceAll(/\$<([^>]*)>/g, "${$1}")
    .replace(/^\/?/, "/")
    .replace(/\/$/, "");

/** The paths that are read or added to, with the method. */
const listed = derived((model): ReadonlyMap<string, "GET" | "POST"> => {
  const found = new Map<string, "GET" | "POST">();
  for (const command of model.commands) {
    const path = command.key === "!http" ? pathOf(command)?.split("?")[0] : undefined;
    const method = (textOf(command.argument, "method") ?? "GET").toUpperCase();
    if (path !== undefined && (method === "GET" || method === "POST")) found.set(path, method);
  }
  return found;
});

/** Whether what a request sends is the same for every record: only the setup is read. */
const namesNothing = (command: Command, unit: WorkflowSymbol, model: Model): boolean =>
  partOfUnit(unit, model).expansions.every(
    ({ command: by, root, rootExact, syntax }) =>
      by !== command ||
      (rootExact && syntax.problem === undefined && (root === "custom_data" || root === "subdomain")),
  );
