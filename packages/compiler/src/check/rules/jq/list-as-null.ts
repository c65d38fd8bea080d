import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { listsRecords } from "../../../flow/listed-records.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { conditionsIn } from "./text-as-condition.ts";

const listAsNull = defineRule<{ text: string; list: string; request: string; isWhole: boolean }>({
  id: "jq/list-as-null",
  severity: "warning",
  summary: "A list that was searched for is compared with null, but it is empty where nothing was found",
  why: "A search that finds nothing gives an empty list. That isn't null and counts as true, so the case for “nothing found” never runs, and the pipeline goes on with null instead of a record.",
  guards: ["D23", "command.!switch"],
  message: ({ text, list, isWhole }) =>
    `\`${list}\` is an empty list where nothing was found, so \`${text}\` ${isWhole ? "is always true" : "doesn't find that out"}.`,
  because: ({ list, request }) => [
    `\`${request}\` gives \`${list}\`, which the app reads as a list elsewhere`,
    "an empty list isn't null, and counts as true",
  ],
  help: ({ list }) => `Ask for \`(${list} | length) == 0\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["pipeline/nothing-found"],
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if «.people == null» then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/lists", "body": {"list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/lists", "body": {"list": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [listAsNull],
  checks: {
    // Another workflow may read the same list.
    reach: "document",
    program(program, report, model) {
      const { node, diagnostics } = program;
      // A poll may ask for null, just in case, without anything depending on it.
      if (!program.command.place.name.startsWith("data_pipeline.")) return;
      if (diagnostics.length > 0 || !/\bnull\b|\bif\b|\bselect\b/.test(node.value)) return;
      const compared = nodesOfKind(program, "Comparison").flatMap((each) =>
        /^[!=]=$/.test(each.operator) && constantOf(each.right) === null
          ? [{ whole: each as Expression, list: each.left, isWhole: false }]
          : [],
      );
      const asked = conditionsIn(program).map((each) => ({ whole: each, list: each, isWhole: true }));
      for (const { whole, list, isWhole } of [...compared, ...asked]) {
        const request = searchedBy(list, program, model);
        if (request === undefined) continue;
        const args = { text: textAt(whole, program), list: textAt(list, program), request, isWhole };
        report(listAsNull, partAt(program, whole), args);
      }
    },
  },
};
export default module;

/** The search whose list of records an expression is, where the document takes it for a list and never for null. */
function searchedBy(node: Expression, program: JqProgram, model: Model): string | undefined {
  const name = nameRead(node, program);
  if (name === undefined || !isReadAsList(name, model)) return undefined;
  // `.people != null and .people != []` asks for both.
  if (new RegExp(`\\.${name}\\s*(?:[!=]=\\s*\\[|\\|\\s*length)`).test(program.node.value)) return undefined;
  const trails = trailsOf(flowOf(model), program, node);
  const [first] = trails;
  if (first?.origin.kind !== "response") return undefined;
  const isSearch = trails.every(({ origin }) => {
    const list = origin.kind === "response" ? origin.path.at(-1) : undefined;
    return (
      origin.kind === "response" &&
      list !== undefined &&
      (textOf(origin.command.argument, "method") ?? "GET").toUpperCase() === "GET" &&
      listsRecords({ list, command: origin.command }) !== undefined
    );
  });
  const path = textOf(first.origin.command.argument, "path") ?? textOf(first.origin.command.argument, "url");
  return isSearch ? `GET ${path}` : undefined;
}

/** Whether the items of a member are read somewhere, and nothing speaks of its being null. */
function isReadAsList(name: string, { document: { text } }: Model): boolean {
  if (!/^\w+$/.test(name)) return false;
  const isRead = new RegExp(
    `\\.${name}(?:\\[|\\s*\\|\\s*(?:length|map|first|last|sort_by|max_by|min_by)\\b)`,
  );
  const mayBeNull = new RegExp(
    `\\.${name}(?:\\[\\])?(?:\\?|\\s*//)|\\b${name}"? ?(?:is|are|:|may be|can be) null`,
  );
  return isRead.test(text) && !mayBeNull.test(text);
}
