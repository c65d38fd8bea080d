import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { filterNames } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { didYouMean, oneOfNames } from "../../message-text.ts";

const unknownFilter = defineRule<{ name: string; suggestion: string | undefined }>({
  id: "expansion/unknown-filter",
  severity: "error",
  summary: "The filter doesn't exist",
  why: "`default` is the only filter of expansions; the platform refuses any other. Change a value in a `!jq` step instead.",
  guards: ["D7", "expansion.default"],
  message: ({ name, suggestion }) =>
    `There is no filter \`${name}\`.${suggestion === undefined ? ` The only one is ${oneOfNames(filterNames)}.` : didYouMean(suggestion)}`,
  help: ({ suggestion }) =>
    suggestion === undefined ? "Change the value in an earlier `!jq` step." : undefined,
  examples: [
    {
      title: "D7: misspelled",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.value | «defualt»:none}"',
      good: '"${custom_data.note.value | default:none}"',
      fixed: '"${custom_data.note.value | default:none}"',
    },
    {
      title: "D7: its argument as in a call",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: "\"${custom_data.note.value | «default('none')»}\"",
      good: '"${custom_data.note.value | default:none}"',
      fixed: '"${custom_data.note.value | default:none}"',
    },
    {
      title: "D7: another one",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.value | default | «upper»}"',
      good: '"${custom_data.note.value | default}"',
      fixed: '"${custom_data.note.value | default}"',
    },
  ],
  fixes: ({ at, args }, { document, model }) => {
    const { node, from, to } = at as StringPart;
    if (args.suggestion !== undefined) {
      const edits = [replaceInString(document, node, from, to, args.suggestion)];
      return [{ title: `Change to \`${args.suggestion}\``, safe: true, edits }];
    }
    const filter = model.expansions
      .filter((expansion) => expansion.node === node)
      .flatMap(({ syntax }) => syntax.filters)
      .find(({ nameSpan }) => nameSpan.start === from);
    if (filter === undefined) return [];
    const bar = node.value.lastIndexOf("|", from);
    const start = node.value.slice(0, bar).trimEnd().length;
    const edits = [replaceInString(document, node, start, filter.end, "")];
    return [{ title: `Remove \`| ${args.name}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [unknownFilter],
  checks: {
    expansion({ node, syntax }, report) {
      for (const { name, nameSpan } of syntax.filters) {
        if ((filterNames as readonly string[]).includes(name)) continue;
        const at = { node, from: nameSpan.start, to: nameSpan.end };
        report(unknownFilter, at, { name, suggestion: asCalled(name) ?? nearest(name, filterNames) });
      }
    },
  },
};
export default module;

/** `default('none')` as it is written here. */
function asCalled(name: string): string | undefined {
  const argument = /^default\((["']?)([^"']*)\1\)$/.exec(name)?.[2];
  return argument === "" ? "default" : argument && `default:${argument}`;
}
