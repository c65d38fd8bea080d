import { builtins, type HostUse, hostUses, type Program } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

type Subject = "input" | "log" | "environment" | "halt" | "modules";

const subjects: ReadonlyMap<string, Subject> = new Map([
  ["input", "input"],
  ["inputs", "input"],
  ["input_filename", "input"],
  ["debug", "log"],
  ["stderr", "log"],
  ["env", "environment"],
  ["$ENV", "environment"],
  ["halt", "halt"],
  ["halt_error", "halt"],
]);

const reasons: Readonly<Record<Subject, string>> = {
  input: "a program gets one input and has no files to read more from",
  log: "a program has no log",
  environment: "a program can't see the platform's environment",
  halt: "a program can't end the platform's process",
  modules: "a config has no other files",
};

const advice: Readonly<Record<Subject, string>> = {
  input: "`.` is the whole input. `${piped_content.N}` is the output of an earlier step.",
  log: "Write a log entry with a `!print_c` step.",
  environment:
    "Read the customer's input with `${custom_data.FIELD.value}` and saved values with `${data.SCOPE.KEY}`.",
  halt: "To fail, use `error(…)`, or a `!error` in a `!switch`. To give nothing, use `null`.",
  modules: "Write the definitions into the program.",
};

/** What does the same without the host; only for calls without arguments. */
const replacements: ReadonlyMap<string, string> = new Map([
  ["debug", "."],
  ["stderr", "."],
  ["halt_error", "error"],
]);

const hostFunction = defineRule<{ name: string; replacement: string | undefined }>({
  id: "jq/host-function",
  severity: "error",
  summary: "A config can't use a jq function that reaches outside the program",
  why: "A config runs on the platform's machines, for all customers together. A program sees its input and nothing of the host: no other inputs, files, environment or log. The platform refuses such programs.",
  guards: ["command.!jq", "command.!switch", "D23"],
  message: ({ name }) => `A config can't use \`${name}\`: ${reasons[subjectOf(name)]}.`,
  help: ({ name }) => advice[subjectOf(name)],
  examples: [
    {
      title: "D23: log",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ".contact | «debug» | {email: .email}"}',
      good: '{"!pipe": [{"!print_c": "${piped_content.0.contact}"}, {"!jq": ".contact | {email: .email}"}]}',
      fixed: '{"!jq": ".contact | . | {email: .email}"}',
    },
    {
      title: "D23: environment",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, host: «$ENV».HOST}"}',
      good: '{"!jq": "{email: .email, form: \\"${custom_data.form.value}\\"}"}',
    },
    {
      title: "D23: further inputs",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "[«inputs»] | {emails: .}"}',
      good: '{"!jq": "{emails: .}"}',
    },
    {
      title: "D23: end of the process",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .email then {email: .email} else \\"no email\\" | «halt_error» end"}',
      good: '{"!jq": "if .email then {email: .email} else \\"no email\\" | error end"}',
      fixed: '{"!jq": "if .email then {email: .email} else \\"no email\\" | error end"}',
    },
  ],
  fixes: ({ at, args: { replacement } }, { document }) => {
    if (replacement === undefined) return [];
    return [changeInString(document, at as StringPart, replacement, false)];
  },
});

const module: RuleModule = {
  rules: [hostFunction],
  checks: {
    program({ node, tree }, report) {
      if (!candidates.test(node.value)) return;
      for (const { name, start, end } of usesOf(tree)) {
        const called = node.value.charAt(end) === "(";
        const replacement = called ? undefined : replacements.get(name);
        report(hostFunction, { node, from: start, to: end }, { name, replacement });
      }
    },
  },
};
export default module;

/** Resolving names costs more than a look at the text, which nearly always tells that there is nothing to find. */
const candidates = new RegExp(
  `\\b(?:ENV|${builtins
    .filter(({ forbiddenInHost }) => forbiddenInHost)
    .map(({ name }) => name)
    .join("|")})\\b`,
);

/** Modules have a finding of their own, `jq/module-directive`. */
function usesOf(tree: Program): readonly HostUse[] {
  return hostUses(tree).filter(({ name }) => name !== "import" && name !== "include");
}

function subjectOf(name: string): Subject {
  return subjects.get(name) ?? "modules";
}
