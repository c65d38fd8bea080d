import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const recordAsList = defineRule<{ path: string; list: string; read: string }>({
  id: "response/record-as-list",
  severity: "warning",
  summary: "The answer with one record is read like the list that it was chosen from",
  why: "Where `/shops` lists shops, `/shops/17` is one of them. Its answer has no list under the name under which the other one has its shops. Mostly the end of the path was lost: `/shops/17/orders`.",
  guards: ["http.path", "field.options", "polling.results"],
  message: ({ list, read, path }) =>
    `\`${list}\` lists the records that are chosen, in \`${read}\`. With one of them behind it, \`${path}\` reads that one, not a list.`,
  because: ({ list, path, read }) => [
    `\`GET ${list}\`: a list in \`${read}\``,
    `\`GET ${path}\`: one of these, and what is read as \`${read}\` is no list of others`,
  ],
  help: ({ path }) => `Add what is listed below it: \`${path}/…\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/segments/${custom_data.segment.value}/people", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
      },
      bad: '{"label": "Segment", "id": "segment", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists/«${custom_data.list.value}»"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}',
      good: '{"label": "Segment", "id": "segment", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}/segments"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [recordAsList],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "linked",
    expansion(expansion, report, model) {
      const { command, node, position, root, syntax } = expansion;
      if (root !== "custom_data" || position !== "path" || command?.key !== "!http") return;
      const program = programBehind(command);
      const field = expansion.fields[0];
      if (program === undefined || field === undefined || !expansion.fieldExact) return;
      const list = listBefore(expansion);
      if (list === undefined || (textOf(command.argument, "method") ?? "GET").toUpperCase() !== "GET") return;
      const read = listedBy(field, list, model);
      if (read === undefined || !readsList(program, read)) return;
      // `Answers with the list's segments: {items: [{id, name}]}.`
      const shown = new RegExp(`(?<![\\w-])${escapedPattern(read.slice(1))}"?\\s*:\\s*\\[`);
      if (commentsAround(command.node, []).some(({ value }) => shown.test(value))) return;
      const at = { node, from: syntax.start, to: syntax.end };
      report(recordAsList, at, { path: node.value, list, read });
    },
  },
};
export default module;

/** `/shops` of a path that is `/shops/${…}` and nothing more. */
function listBefore({ node, syntax }: Expansion): string | undefined {
  if (syntax.end !== node.value.length || node.value.charAt(syntax.start - 1) !== "/") return undefined;
  const before = node.value.slice(0, syntax.start - 1);
  return /\/[a-z][\w-]*s$/i.test(before) ? before : undefined;
}

/** The program that the answer of a request goes to. */
function programBehind({ pipe, parent, stepsRun }: Command): JqProgram | undefined {
  if (pipe === undefined || parent !== pipe) return undefined;
  const next = pipe.children[stepsRun + 1];
  return next?.key === "!jq" && next.program?.diagnostics.length === 0 ? next.program : undefined;
}

/** Under which name the list has its records that a field offers, where it is the list of that path: `.items`. */
function listedBy({ node }: FieldSymbol, path: string, model: Model): string | undefined {
  const options = flowOf(model).plainAt(node.get("options"));
  if (options?.key !== "!pipe") return undefined;
  const [request, ...rest] = options.children;
  if (request?.key !== "!http" || rest.length !== 1 || textOf(request.argument, "path") !== path)
    return undefined;
  const program = rest[0]?.key === "!jq" ? rest[0].program : undefined;
  const lists =
    program === undefined ? [] : nodesOfKind(program, "Postfix").flatMap((each) => listIn(each, program));
  return new Set(lists).size === 1 ? lists[0] : undefined;
}

/** `.items` of `.items[]` */
function listIn(node: Expression & { kind: "Postfix" }, program: JqProgram): readonly string[] {
  const [first, second] = node.suffixes;
  if (node.head.kind !== "Identity" || first?.kind !== "Field" || second?.kind !== "Iterate") return [];
  return [textAt({ start: node.start, end: first.end }, program)];
}

/** Whether a program takes it for a list. */
function readsList(program: JqProgram, list: string): boolean {
  const results = finalObject(program);
  const given = results === undefined ? undefined : entryOf(results, "results")?.value;
  if (given !== undefined && textAt(bare(given), program) === list) return true;
  return nodesOfKind(program, "Postfix").some((node) => {
    const [first, second] = node.suffixes;
    if (node.head.kind !== "Identity" || first === undefined || second === undefined) return false;
    const isPlace = second.kind === "Index" && typeof constantOf(second.index) === "number";
    return (
      (second.kind === "Iterate" || isPlace) &&
      textAt({ start: node.start, end: first.end }, program) === list
    );
  });
}
