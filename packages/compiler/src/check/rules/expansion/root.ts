import { nearest } from "@configc/jq";
import { segmentPart } from "../../../bind/resolve.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import { inputRoots } from "../../../language/expansion-names.ts";
import { roots } from "../../../language/index.ts";
import { ROOT_NAMES, type RootName } from "../../../parse/template.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { didYouMean, oneOfNames } from "../../words.ts";
import { renameFix } from "./edits.ts";
import { Repeated } from "./repeated.ts";

const unknownRoot = defineRule<{
  name: string;
  inUrl: boolean;
  suggestion: string | undefined;
}>({
  id: "expansion/unknown-root",
  severity: "error",
  summary: "An expansion reads something that doesn't exist",
  why: "The first name of an expansion says where the value comes from. There are six such roots, and the platform can't evaluate an expansion with another one: the command fails.",
  guards: ["D6", "D11"],
  message: ({ name, suggestion, inUrl }) => {
    const accepted = inUrl ? "Only `subdomain` can be read here." : `It can be ${oneOfNames(ROOT_NAMES)}.`;
    return `No expansion begins with \`${name}\`.${suggestion === undefined ? ` ${accepted}` : didYouMean(suggestion)}`;
  },
  help: ({ suggestion, inUrl }) => {
    if (suggestion !== undefined) return undefined;
    const literal = "For a literal `${` write `$${`.";
    if (inUrl) return literal;
    const list = Object.values(roots).map(({ form, legalIn }) => `\`${form}\`: ${legalIn}`);
    return `${list.join("; ")}. ${literal}`;
  },
  examples: [
    {
      title: "D11: misspelled",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«dta».workflow.hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: `${` always opens an expansion",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«hookId»}"',
      good: '"/hooks/$<hookId>"',
    },
    {
      title: "D11: in a URL of `api`",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https://${«shop»}.example.com"',
      good: '"https://shop.example.com"',
    },
    {
      title: "D16: in a jq program that reads the roots",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display",
      bad: '{"!jq": ".«custom_dta».form.display"}',
      good: '{"!jq": ".custom_data.form.display"}',
      fixed: '{"!jq": ".custom_data.form.display"}',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, finding.args.suggestion),
});

const module: RuleModule = {
  rules: [unknownRoot],
  checks: {
    document(model, report) {
      const unknown = new Repeated<{ name: string; inUrl: boolean; suggestion: string | undefined }>();
      for (const { syntax, node, command } of misspelled(model)) {
        const first = syntax.path[0]!;
        const { text: name } = first;
        const inUrl = command === undefined;
        const legal: readonly RootName[] = inUrl ? ["subdomain"] : ROOT_NAMES;
        unknown.add(`${inUrl} ${name}`, { node, from: first.start, to: first.end }, () => ({
          name,
          inUrl,
          suggestion: nearest(name, legal),
        }));
      }
      for (const { name, at, suggestion } of misspelledInJq(model))
        unknown.add(`jq ${name}`, at, () => ({ name, inUrl: false, suggestion }));
      unknown.report(report, unknownRoot);
    },
  },
};
export default module;

const misspelled = derivedByPart(({ expansions }) =>
  expansions.filter(
    ({ syntax, rootExact }) => syntax.problem === undefined && !rootExact && syntax.path.length > 0,
  ),
);

const misspelledInJq = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0) return [];
    return rootPaths(program).flatMap(({ segments: [first], certain }) => {
      if (first === undefined || typeof first.key !== "string" || !certain) return [];
      const name = first.key;
      if ((inputRoots as readonly string[]).includes(name)) return [];
      // The input has the roots and nothing else; only what is nearly one of them is certainly a mistake.
      const suggestion = nearest(name, inputRoots);
      return suggestion === undefined ? [] : { name, at: segmentPart(program, first), suggestion };
    });
  }),
);
