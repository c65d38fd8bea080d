import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { itemOfAnswer, listsRecords } from "../../../flow/listed-records.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const recordInPath = defineRule<{ expansion: string; list: string; reason: string }>({
  id: "http/record-in-path",
  severity: "warning",
  summary: "A whole record is put into a path",
  why: "A path takes texts and numbers. The items of a list that an API answers with are objects, and with an object in its path a request fails before it is sent. A first test, which finds no record, doesn't get there.",
  guards: ["http.path", "D9", "D20"],
  message: ({ expansion, list }) =>
    `\`${expansion}\` is a whole record of \`${list}\`, which can't be in a path.`,
  because: ({ reason }) => [reason, "an object in a path fails"],
  help: () => "Read a member of it, most likely with `.id`.",
  examples: [
    {
      title: "Of a list that is called like its path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/«${piped_content.1.people[0]}»", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
    },
    {
      title: "Through a step",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{found: .data[0], person: ${piped_content.0}}"}, {"!http": {"method": "PATCH", "path": "/people/«${piped_content.2.found}»", "body": "${piped_content.2.person}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{found: .data[0].id, person: ${piped_content.0}}"}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.found}", "body": "${piped_content.2.person}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [recordInPath],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, position, node, syntax } = expansion;
      if (position !== "path" || root !== "piped_content" || syntax.problem !== undefined) return;
      // Under the name of an id, it is told where the step makes it.
      if (isIdName(syntax.path.at(-1)?.text ?? "")) return;
      const trails = expansionTrails(flowOf(model), expansion);
      for (const { origin } of trails) {
        const item = itemOfAnswer(origin);
        const reason = item === undefined ? undefined : listsRecords(item);
        if (item === undefined || reason === undefined || !looksUp(item.command)) continue;
        const { start, end } = syntax;
        report(
          recordInPath,
          { node, from: start, to: end },
          { expansion: node.value.slice(start, end), list: item.list, reason },
        );
        return;
      }
    },
  },
};
export default module;

/** Whether a request asks for some of the records. A list that is always the same may be one of words: `GET /regions`. */
function looksUp({ argument }: Command): boolean {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const asked = params?.kind === "object" ? params.members.map(({ value }) => value) : [];
  const query = (textOf(argument, "path") ?? textOf(argument, "url") ?? "").split("?")[1] ?? "";
  return [query, ...asked.flatMap((value) => (value?.kind === "string" ? [value.value] : []))].some((text) =>
    /[$][{<]/.test(text),
  );
}
