import { defineRule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

const legacySeparator = defineRule<{ path: string }>({
  id: "style/legacy-separator",
  severity: "hint",
  tag: "deprecated",
  summary: "An expansion uses the old separator `::`",
  why: "`::` is the old spelling of `.` in a path. Both mean the same, but one spelling is easier to read and to search for.",
  guards: ["D6"],
  message: ({ path }) => `\`::\` is the old spelling of \`.\`. Write \`${path}\`.`,
  examples: [
    {
      title: "D6: all of an expansion at once",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data«::»workflow::hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const { node, from } = at as StringPart;
    const expansion = model.expansions.find(
      ({ node: other, syntax }) => other === node && syntax.start <= from && from < syntax.end,
    );
    const edits = (expansion?.syntax.path ?? []).flatMap(({ legacySeparator: old }) =>
      old === undefined ? [] : [replaceInString(document, node, old.start, old.end, ".")],
    );
    return [{ title: "Change each `::` to `.`", safe: true, edits }];
  },
});

const literalDollar = defineRule<{ opener: string; root: string }>({
  id: "expansion/literal-dollar",
  severity: "hint",
  summary: "A dollar sign before an expansion",
  why: "`$${` writes a literal `${`, unless a root follows: then it is a dollar sign and an expansion, as in a price. Check which of the two you mean.",
  guards: ["D6"],
  message: ({ opener, root }) =>
    `This writes a \`$\` and then the value. Before a root such as \`${root}\`, \`$${opener}\` isn't an escape.`,
  examples: [
    {
      title: "D6: a price",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"Total: «$»${piped_content.0.email}"',
      good: '"Total: ${piped_content.0.email}"',
    },
    {
      title: "D6: the other opener",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"Total: «$»$<piped_content.0.email>"',
      good: '"Total: $${total} and $$<total>"',
    },
  ],
});

const module: RuleModule = {
  rules: [legacySeparator, literalDollar],
  checks: {
    expansion({ node, syntax: { path } }, report) {
      const old = path.find(({ legacySeparator }) => legacySeparator !== undefined)?.legacySeparator;
      if (old === undefined) return;
      const at = { node, from: old.start, to: old.end };
      report(legacySeparator, at, { path: path.map(({ text }) => text).join(".") });
    },
    template({ node, template: { doubledDollars, expansions } }, report) {
      for (const { start, end, literal } of doubledDollars) {
        if (literal) continue;
        const root = expansions.find((expansion) => expansion.start === end)?.path[0]?.text ?? "";
        const opener = node.value.slice(end, end + 2);
        report(literalDollar, { node, from: start, to: end }, { opener, root });
      }
    },
  },
};
export default module;
