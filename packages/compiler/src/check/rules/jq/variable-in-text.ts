import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { workflowsOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";

const variableInText = defineRule<{ read: string; instead: string; isWhole: boolean }>({
  id: "jq/variable-in-text",
  severity: "warning",
  summary: "A text has the name of a variable where its value is meant",
  why: 'jq puts nothing into a text by itself: `"$p.email"` gives these letters for every record. Only what stands in `\\(…)`, or without quotes, is read.',
  guards: ["command.!jq", "D10"],
  message: ({ read }) => `This text has \`${read}\` letter by letter: nothing is put in its place.`,
  because: ({ read }) => [`\`${read}\` in a text is text`, "every record gets the same letters"],
  help: ({ instead, isWhole }) =>
    isWhole ? `Write \`${instead}\` without quotes.` : `Write \`\\(${instead})\`.`,
  fixes: ({ at, args: { instead: read, isWhole } }, { document }) => {
    const { start, end } = spanOf(document, at);
    const quotes = isWhole ? QUOTE : 0;
    const newText = isWhole ? read : `\\\\(${read})`;
    const title = isWhole ? `Remove the quotes around \`${read}\`` : `Write \`\\(${read})\``;
    return [{ title, safe: false, edits: [{ start: start - quotes, end: end + quotes, newText }] }];
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $p | {email: $p.email, name: \\"«$p.first_name» of Acme\\"}"}',
      good: '{"!jq": ". as $p | {email: $p.email, name: \\"\\\\($p.first_name) of Acme\\"}"}',
      fixed: '{"!jq": ". as $p | {email: $p.email, name: \\"\\\\($p.first_name) of Acme\\"}"}',
    },
    {
      title: "What a customer chose",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, topic: \\"«custom_data.list.value»\\", list: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, topic: ${custom_data.list.value}, list: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, topic: ${custom_data.list.value}, list: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "All of a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $p | {email: $p.email, name: \\"«$p.first_name»\\"}"}',
      good: '{"!jq": ". as $p | {email: $p.email, name: $p.first_name}"}',
      fixed: '{"!jq": ". as $p | {email: $p.email, name: $p.first_name}"}',
    },
  ],
});

const paths = /\$([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)+/g;

/** A quote of a program is written `\"` in the document. */
const QUOTE = 2;

const module: RuleModule = {
  rules: [variableInText],
  checks: {
    program(program, report) {
      const text = program.node.value;
      tellFields(program, report);
      if (!/"(?:[^"]*\$[A-Za-z_]\w*\.[A-Za-z_]|\$[A-Za-z_]\w*")/.test(text)) return;
      const bound = new Set(nodesOfKind(program, "VariablePattern").map(({ name }) => name));
      for (const { parts } of nodesOfKind(program, "String"))
        for (const part of parts) {
          if (part.kind !== "StringText") continue;
          const written = text.slice(part.start, part.end);
          // `$name` alone may be a price or a word of the service's: only where it is the whole text is it certainly none.
          const names = parts.length === 1 && /^\$[A-Za-z_]\w*$/.test(written) ? /^\$(\w+)$/g : paths;
          for (const match of written.matchAll(names)) {
            if (!bound.has(match[1]!)) continue;
            const [read] = match;
            // A name that the service itself replaces.
            if (commentsAround(program.node, []).some(({ value }) => value.includes(read))) continue;
            const from = part.start + match.index;
            const isWhole = parts.length === 1 && written === read;
            const at = { node: program.node, from, to: from + read.length };
            report(variableInText, at, { read, instead: read, isWhole });
          }
        }
    },
  },
};
export default module;

/** `"custom_data.note.value"`, of a field that is there: without `${…}` around it, it is a text like any. */
function tellFields(program: JqProgram, report: Report): void {
  const { node, command } = program;
  if (!/"custom_data\.[\w-]+\.(?:value|display)"/.test(node.value)) return;
  const ids = new Set(workflowsOf(command.unit).flatMap(({ fields }) => fields.map(({ id }) => id)));
  for (const { parts } of nodesOfKind(program, "String")) {
    const [part, ...others] = parts;
    if (part?.kind !== "StringText" || others.length > 0) continue;
    const read = node.value.slice(part.start, part.end);
    const id = /^custom_data\.([\w-]+)\.(?:value|display)$/.exec(read)?.[1];
    if (id === undefined || !ids.has(id)) continue;
    const at = { node, from: part.start, to: part.end };
    report(variableInText, at, { read, instead: `\${${read}}`, isWhole: true });
  }
}
