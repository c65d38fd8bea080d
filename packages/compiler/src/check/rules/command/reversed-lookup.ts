import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const reversedLookup = defineRule<{ text: string; changing: number; making: number }>({
  id: "command/reversed-lookup",
  severity: "warning",
  summary: "A `!switch` updates when no record was found, and creates when one was",
  why: "The `!switch` should update a record that was found and create one that wasn't. The wrong way round, a record that exists is created again, and one that doesn't has no id to update by, so the request is refused.",
  guards: ["command.!switch", "command.!http", "D18", "D26"],
  message: ({ text, changing }) =>
    `When \`${text}\` says that no record was found, case ${changing} runs, but it updates the record found.`,
  because: ({ changing, making }) => [
    `no record is found: case ${changing} has no id for its path and fails`,
    `a record is found: case ${making} creates another one`,
  ],
  help: () => "Swap the two numbers, or the two cases.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "«if .id == null then 1 else 0 end»", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.id}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.id}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [reversedLookup],
  checks: {
    command: {
      "!switch"(command, report, model) {
        const reversed = reversedIn(command, model);
        if (reversed === undefined) return;
        const { program, condition, body, there, none } = reversed;
        const text = textAt(condition, program);
        const at = { node: program.node, from: body.start, to: body.end };
        report(reversedLookup, at, { text, changing: none, making: there });
      },
    },
  },
};
export default module;

/** What a `!switch` decides by, and its cases, where they certainly are the wrong way round. */
export function reversedIn({ program, children }: Command, model: Model) {
  let body = program && plainBody(program);
  while (body?.kind === "Group") body = body.body;
  if (program === undefined || program.diagnostics.length > 0 || body?.kind !== "If") return undefined;
  const [branch, ...others] = body.branches;
  if (branch === undefined || others.length > 0 || body.otherwise === undefined) return undefined;
  const isThere = meansThere(branch.condition);
  const [then, otherwise] = [constantOf(branch.body), constantOf(body.otherwise)];
  if (isThere === undefined || typeof then !== "number" || typeof otherwise !== "number") return undefined;
  const [there, none] = isThere ? [then, otherwise] : [otherwise, then];
  const [found, missing] = [children[there], children[none]];
  if (found === undefined || missing === undefined || !makes(found) || !changes(missing, model.expansions))
    return undefined;
  // What is changed is named below the place where the other one is made.
  const isBelow = (textOf(missing.argument, "path") ?? "").startsWith(textOf(found.argument, "path") ?? "/");
  return isBelow ? { program, condition: branch.condition, body, there, none } : undefined;
}

/** Whether a condition is true where something was found; undefined where it says something else. */
function meansThere(node: Expression): boolean | undefined {
  switch (node.kind) {
    case "Group":
      return meansThere(node.body);
    case "Postfix":
      return /^(?:is_?)?(?:known|found|exists|existing|present)$|^id$|_id$/i.test(lastName(node) ?? "")
        ? true
        : undefined;
    case "Pipeline": {
      const [first, last, ...others] = node.stages as Expression[];
      const negates = last?.kind === "Call" && last.name.text === "not" && others.length === 0;
      const inner = negates && first !== undefined ? meansThere(first) : undefined;
      return inner === undefined ? undefined : !inner;
    }
    case "Comparison": {
      if (constantOf(node.right) !== null || node.left.kind !== "Postfix") return undefined;
      return node.operator === "!=" ? true : node.operator === "==" ? false : undefined;
    }
    default:
      return undefined;
  }
}

function makes({ key, argument }: Command): boolean {
  const path = textOf(argument, "path");
  return (
    key === "!http" &&
    textOf(argument, "method")?.toUpperCase() === "POST" &&
    path !== undefined &&
    !/[$]/.test(path)
  );
}

/** `PATCH /people/${piped_content.2.id}`: by an id that an earlier step gave. */
function changes(
  { key, argument }: Command,
  expansions: readonly { readonly root: string | undefined; readonly node: unknown }[],
): boolean {
  const method = textOf(argument, "method")?.toUpperCase() ?? "";
  const path = argument?.kind === "object" ? argument.get("path") : undefined;
  if (key !== "!http" || !/^(?:PUT|PATCH)$/.test(method) || path?.kind !== "string") return false;
  return expansions.some(({ root, node }) => node === path && root === "piped_content");
}
