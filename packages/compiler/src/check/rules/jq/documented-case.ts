import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const documentedCase = defineRule<{ name: string }>({
  id: "jq/documented-case",
  severity: "warning",
  summary: "An address is hashed as it is, but a comment says that it is in lower case",
  why: "A hash of `Ann@Example.com` has nothing in common with that of `ann@example.com`. The record is looked for under a key that nobody has: it isn't found, or made a second time.",
  guards: ["command.!jq", "command.!sha", "D3", "D26"],
  message: ({ name }) =>
    `A comment says that the hash is of the address in lower case, but \`${name}\` is taken as it is written.`,
  because: ({ name }) => [
    `\`${name}\` is \`Ann@Example.com\``,
    "the hash is another one than that of `ann@example.com`",
  ],
  help: () => "Add `| ascii_downcase`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"The key of a person is the SHA-256 of the address in lower case."',
      },
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: «.email»}"}, {"!sha": {"algorithm": "sha256"}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.hash}", "body": {"email": "${piped_content.0.email}"}}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: (.email | ascii_downcase)}"}, {"!sha": {"algorithm": "sha256"}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.hash}", "body": {"email": "${piped_content.0.email}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedCase],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!program.node.value.includes("value_to_encrypt") || !hasComments(model)) return;
      if (program.diagnostics.length > 0 || isLowered(program.command)) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        if (nameOf(key) !== "value_to_encrypt" || value === undefined) continue;
        const name = addressIn(value, program);
        if (name === undefined) continue;
        const said = documentedClauses(program.node).find(({ text }) => saysLower.test(text));
        if (said !== undefined && !isLowerAlready.test(said.text))
          report(documentedCase, partAt(program, value), { name }, [
            { message: "the comment", at: said.comment },
          ]);
      }
    },
  },
};
export default module;

const hash = String.raw`\b(?:SHA-?\d*|MD5|BLAKE\w*|hash|digest)\b`;
const lower = String.raw`\b(?:lower[- ]?cased?|small letters)\b(?![^.;]{0,6}\bhex)`;
/** The address has small letters as it comes, or only an old version wanted them. */
const isLowerAlready =
  /\b(?:keeps?|comes?|come|sends?|stores?|writes?|already|anyway|as (?:they|it) (?:are|is|was|were)|as typed|not in|never|until|before|formerly|no longer|used to|the service (?:lowers|changes))\b/i;
const address = String.raw`\b(?:addresse?s?|e-?mails?)\b`;
const saysLower = new RegExp(
  `${hash}[^.;]{0,60}?(?:${lower}[- ][^.;]{0,15}${address}|${address}[^.;]{0,30}${lower})|(?:${address}[^.;]{0,30}${lower}|${lower} ${address})[^.;]{0,40}${hash}`,
  "i",
);

/** The address in a value, by the name of its member. */
function addressIn(value: Parameters<typeof nodesIn>[0], program: JqProgram): string | undefined {
  for (const node of nodesIn(value)) {
    if (node.kind === "Field" && node.key.kind === "Name" && roleOf(node.key.text) === "email")
      return `.${node.key.text}`;
    const last = node.kind === "Hole" ? program.holes[node.hole]?.syntax.path.at(-1)?.text : undefined;
    if (last !== undefined && roleOf(last) === "email") return last;
  }
  return undefined;
}

/** Whether this program, or a step before it, makes letters small. */
function isLowered({ pipe, stepsRun, program }: Command): boolean {
  const before =
    pipe?.children.slice(0, stepsRun).flatMap((step) => (step === undefined ? [] : (allIn(step) ?? []))) ??
    [];
  return [program, ...before.map((each) => each.program)].some(
    (each) => each !== undefined && /ascii_downcase|implode|ascii\b/.test(each.node.value),
  );
}
