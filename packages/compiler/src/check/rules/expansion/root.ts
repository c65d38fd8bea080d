import { nearest } from "@configc/jq";
import { segmentPart } from "../../../bind/resolve.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import { inputRoots } from "../../../language/expansion-names.ts";
import { roots } from "../../../language/index.ts";
import { ROOT_NAMES, type RootName } from "../../../parse/template.ts";
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
      const { expansions, programs } = model;
      const unknown = new Repeated<{ name: string; inUrl: boolean; suggestion: string | undefined }>();
      for (const { syntax, node, rootExact, command } of expansions) {
        const [first] = syntax.path;
        if (syntax.problem !== undefined || rootExact || first === undefined) continue;
        const { text: name } = first;
        const inUrl = command === undefined;
        const legal: readonly RootName[] = inUrl ? ["subdomain"] : ROOT_NAMES;
        unknown.add(`${inUrl} ${name}`, { node, from: first.start, to: first.end }, () => ({
          name,
          inUrl,
          suggestion: nearest(name, legal),
        }));
      }
      for (const program of programs) {
        if (program.diagnostics.length > 0) continue;
        for (const { segments, certain } of rootPaths(program)) {
          const [first] = segments;
          if (first === undefined || typeof first.key !== "string" || !certain) continue;
          const name = first.key;
          // The input has the roots and nothing else; only what is nearly one of them is certainly a mistake.
          const suggestion = (inputRoots as readonly string[]).includes(name)
            ? undefined
            : nearest(name, inputRoots);
          if (suggestion === undefined) continue;
          unknown.add(`jq ${name}`, segmentPart(program, first), () => ({ name, inUrl: false, suggestion }));
        }
      }
      unknown.report(report, unknownRoot);
    },
  },
};
export default module;
