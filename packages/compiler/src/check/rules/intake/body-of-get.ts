import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { commentedBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { accepts } from "./reversed-check.ts";

const respond = (read: string): string =>
  `{"!switch": {"jq": "if .method == \\"GET\\" then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": "${read}"}}, {"!respond": {"process_payload": true}}]}}`;

const bodyOfGet = defineRule<{ read: string }>({
  id: "intake/body-of-get",
  severity: "warning",
  summary: "The answer to a GET gives back its body, which it doesn't have",
  why: "A service that checks the URL with a GET sends its challenge in the address. A GET has no body, so the answer is empty, the URL is never confirmed, and no delivery comes.",
  guards: ["command.!respond", "D31"],
  message: ({ read }) => `A GET has no body: \`${read}\` is empty. What it sends is in \`query\`.`,
  because: ({ read }) => ["the service asks with a GET", `\`${read}\` is empty, so the check fails`],
  help: () => "Read it from `query`.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: `{"!pipe": [${respond("${«piped_content.0.raw_body»}")}]}`,
      good: `{"!pipe": [${respond("${piped_content.0.query.challenge}")}]}`,
    },
  ],
});

const module: RuleModule = {
  rules: [bodyOfGet],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      const root = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
      const all = root === undefined ? undefined : allIn(root);
      if (root === undefined || all === undefined) return;
      const reads = readsAnswered(intake, all, model);
      const inBody = reads.filter(({ member }) => member === "raw_body" || member === "body");
      if (inBody.length === 0) return;
      const ofGet = all.flatMap((command) => caseOfGet(command) ?? []).flatMap((each) => allIn(each) ?? []);
      const isSaid =
        hasComments(model) && ofGet.length === 0 && reads.length === inBody.length && isGetDocumented(root);
      for (const { expansion } of inBody) {
        const { command, node, syntax } = expansion;
        if (command === undefined || !(ofGet.includes(command) || isSaid)) continue;
        const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
        const read = syntax.path.map(({ text }) => text).join(".");
        report(bodyOfGet, { node, from: first.start, to: last.end }, { read });
      }
    },
  },
};
export default module;

export interface Read {
  readonly expansion: Expansion;
  /** The part of the request: `query`, `body`. */
  readonly member: string;
}

/** What answers that hand nothing on give back of a request. */
export function readsAnswered(intake: IntakeSymbol, all: readonly Command[], model: Model): readonly Read[] {
  return partOfUnit(intake, model).expansions.flatMap((expansion): readonly Read[] => {
    const { command, root } = expansion;
    if (command?.key !== "!respond" || root !== "piped_content" || !all.includes(command)) return [];
    if (accepts(command)) return [];
    const [trail, ...others] = expansionTrails(flowOf(model), expansion);
    if (trail?.origin.kind !== "place" || others.length > 0) return [];
    const [member] = trail.origin.path;
    return member === undefined ? [] : [{ expansion, member }];
  });
}

/** The case of a `!switch` that runs for a GET. */
function caseOfGet({ key, program, children }: Command): Command | undefined {
  if (key !== "!switch" || program === undefined || program.diagnostics.length > 0) return undefined;
  const direct = branchOfGet(program);
  if (typeof direct === "number") return children[direct];
  // A step before has a word for it: `{challenge: 0, genuine: 1}[.]`.
  const before = stepBefore(program.command)?.program;
  const word = before === undefined || before.diagnostics.length > 0 ? undefined : branchOfGet(before);
  const index = typeof word === "string" ? indexOf(word, program) : undefined;
  return index === undefined ? undefined : children[index];
}

/** What a program gives for a GET, if that is constant and asked for first. */
function branchOfGet(program: JqProgram): unknown {
  if (!program.node.value.includes('"GET"')) return undefined;
  const body = plainBody(program);
  const [branch] = body.kind === "If" ? body.branches : [];
  if (branch === undefined || !isGet(branch.condition, program)) return undefined;
  return constantOf(branch.body);
}

function isGet(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  return (
    node.kind === "Comparison" &&
    node.operator === "==" &&
    constantOf(node.right) === "GET" &&
    nameRead(node.left, program) === "method"
  );
}

function indexOf(word: string, program: JqProgram): number | undefined {
  for (const { entries } of nodesOfKind(program, "Object"))
    for (const { key, value } of entries) {
      const name = key.kind === "Name" ? key.text : key.kind === "String" ? constantOf(key) : undefined;
      const index = value === undefined ? undefined : constantOf(value);
      if (name === word && typeof index === "number") return index;
    }
  for (const { branches } of nodesOfKind(program, "If"))
    for (const { condition, body } of branches) {
      const asked = bare(condition);
      const index = constantOf(body);
      if (asked.kind === "Comparison" && asked.operator === "==" && constantOf(asked.right) === word)
        return typeof index === "number" ? index : undefined;
    }
  return undefined;
}

/** Whether a comment says that a GET checks the URL, and none that a POST does. */
function isGetDocumented({ node }: Command): boolean {
  const said = documentedClauses(node, [...commentedBelow(node)]).filter(({ text }) => checksUrl.test(text));
  return (
    said.some(({ text }) => /\bGET\b/.test(text)) && !said.some(({ text }) => /\bPOSTs?\b(?! \/)/.test(text))
  );
}

export const checksUrl = /\b(?:challenge|handshake|validation|verif\w+|nonce|echo)\b/i;
