import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { commentedBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, isExpression, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { expansionTrails, outputTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { decisionOf } from "./decision.ts";
import { accepts } from "./reversed-check.ts";

const respond = (read: string): string =>
  `{"!switch": {"jq": "if .method == \\"GET\\" then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": "${read}"}}, {"!respond": {"process_payload": true}}]}}`;

const hashed = (value: string, read: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: (${value})}"}, {"!sha": {"algorithm": "sha256", "secret": "<SECRET>"}}, {"!switch": {"jq": "if ${"${piped_content.0.method}"} == \\"GET\\" then 0 elif .hash == ${"${piped_content.0.headers.x-acme-hash | default}"} then 1 else 2 end", "cases": [{"!respond": {"process_payload": false, "code": 200, "body": {"answer": "$\{${read}}"}}}, {"!respond": {"process_payload": true, "code": 200}}, {"!respond": {"process_payload": false, "code": 401}}]}}]}`;

const bodyOfGet = defineRule<{ read: string; hashed: string | undefined }>({
  id: "intake/body-of-get",
  severity: "warning",
  summary: "The answer to a GET gives back its body, which it doesn't have",
  why: "A service that checks the URL with a GET sends its challenge in the address. A GET has no body, so the answer is empty, the URL is never confirmed, and no delivery comes.",
  guards: ["command.!respond", "D31"],
  message: ({ read, hashed }) =>
    hashed === undefined
      ? `A GET has no body: \`${read}\` is empty. What it sends is in \`query\`.`
      : `A GET has no body: \`${read}\` is the hash of an empty \`${hashed}\`. What it sends is in \`query\`.`,
  because: ({ read, hashed }) => [
    "the service asks with a GET",
    hashed === undefined
      ? `\`${read}\` is empty, so the check fails`
      : `\`${read}\` is the same for each challenge, so the check fails`,
  ],
  help: ({ hashed }) =>
    hashed === undefined ? "Read it from `query`." : "Hash what is in `query` for a GET.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: `{"!pipe": [${respond("${«piped_content.0.raw_body»}")}]}`,
      good: `{"!pipe": [${respond("${piped_content.0.query.challenge}")}]}`,
    },
    {
      title: "Its hash",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: hashed(".raw_body", "«piped_content.2.hash»"),
      good: hashed(
        'if .method == \\"GET\\" then .query.challenge else .raw_body end',
        "piped_content.2.hash",
      ),
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
      for (const { program } of all)
        for (const read of program === undefined ? [] : readsForGet(program))
          report(bodyOfGet, partAt(program!, read), { read: textAt(read, program!), hashed: undefined });
      const reads = readsAnswered(intake, all, model);
      const inBody = reads.filter(({ member }) => member === "raw_body" || member === "body");
      const hashes = hashesAnswered(intake, all, model);
      if (inBody.length === 0 && hashes.length === 0) return;
      const ofGet = all.flatMap((command) => caseOfGet(command) ?? []).flatMap((each) => allIn(each) ?? []);
      const isSaid =
        hasComments(model) && ofGet.length === 0 && reads.length === inBody.length && isGetDocumented(root);
      for (const { expansion } of inBody) {
        const { command, node, syntax } = expansion;
        if (command === undefined || !(ofGet.includes(command) || isSaid)) continue;
        const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
        const read = syntax.path.map(({ text }) => text).join(".");
        report(bodyOfGet, { node, from: first.start, to: last.end }, { read, hashed: undefined });
      }
      for (const { expansion, hashed } of hashes) {
        const { command, node, syntax } = expansion;
        if (command === undefined || !ofGet.includes(command)) continue;
        const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
        const read = syntax.path.map(({ text }) => text).join(".");
        report(bodyOfGet, { node, from: first.start, to: last.end }, { read, hashed });
      }
    },
  },
};
export default module;

/**
 * What a program reads of the body where a request is a GET, beside the test or behind it: `.method == "GET" and .body.mode == "confirm"`, `if .method == "GET"
 * then .body.token else … end`.
 */
function readsForGet(program: JqProgram): readonly Expression[] {
  const { value } = program.node;
  if (program.diagnostics.length > 0 || !value.includes('"GET"') || !/\.body\b/.test(value)) return [];
  return nodesOfKind(program, "If").flatMap(({ branches }) =>
    branches.flatMap(({ condition, body }) => {
      const parts = isGet(condition, program) ? [condition, body] : [];
      // What may stand in either place is looked for in both.
      if (parts.some((part) => /\bquery(?:_params)?\b/.test(textAt(part, program)))) return [];
      const [read] = parts.flatMap((part) =>
        nodesIn(part).filter((node) => node.kind === "Postfix" && isBodyRead(node, program)),
      );
      return read === undefined ? [] : [read as Expression];
    }),
  );
}

const isBodyRead = (node: Expression, program: JqProgram): boolean =>
  /^(?:\$[{<]piped_content\.0[}>])?\.body\b/.test(textAt(node, program)) && rootOfRequest(node, program);

/** Whether a program reads the request itself: that of the first step, or one that names it. */
function rootOfRequest(node: Expression, program: JqProgram): boolean {
  const isNamed = node.kind === "Postfix" && node.head.kind === "Hole";
  return (
    isNamed ||
    stepBefore(program.command) === undefined ||
    /\$[{<]piped_content\.0[}>]\s*\|/.test(program.node.value)
  );
}

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

/** The hashes of the body, and of nothing else, that such answers give back. */
function hashesAnswered(
  intake: IntakeSymbol,
  all: readonly Command[],
  model: Model,
): readonly { readonly expansion: Expansion; readonly hashed: string }[] {
  // Most verifications answer with nothing of a hash.
  if (!all.some(({ key }) => key === "!sha")) return [];
  return partOfUnit(intake, model).expansions.flatMap((expansion) => {
    const { command, root, rootExact, syntax } = expansion;
    if (command?.key !== "!respond" || root !== "piped_content" || !rootExact || !all.includes(command))
      return [];
    const step = command.pipe?.children[Number(syntax.path[1]?.text) - 1];
    const before = step?.key === "!sha" && !accepts(command) ? stepBefore(step) : undefined;
    const trails = before === undefined ? [] : outputTrails(flowOf(model), before, ["value_to_encrypt"]);
    const [first] = trails;
    const isBody = trails.every(
      ({ origin }) =>
        origin.kind === "place" && origin.path.length === 1 && /^(?:raw_)?body$/.test(origin.path[0]!),
    );
    return isBody && first?.origin.kind === "place" ? [{ expansion, hashed: first.origin.path[0]! }] : [];
  });
}

/** The case of a `!switch` that runs for a GET. */
function caseOfGet(command: Command): Command | undefined {
  const { key, program, children } = command;
  if (key !== "!switch" || program === undefined || program.diagnostics.length > 0) return undefined;
  const decision = decisionOf(command);
  const at = decision?.conditions.findIndex((each) => isGet(each, decision.program)) ?? -1;
  if (at >= 0) return decision?.cases[at];
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

export const isGet = (given: Expression, program: JqProgram): boolean => isMethod(given, /^GET$/, program);

/** Whether a condition holds for requests of such a method alone, also by a name for it in capitals: `(.method | ascii_upcase) as $m`. */
export function isMethod(given: Expression, methods: RegExp, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.some((operand) => isMethod(operand, methods, program));
  if (node.kind !== "Comparison" || node.operator !== "==") return false;
  const method = constantOf(node.right);
  return typeof method === "string" && methods.test(method) && readsMethod(node.left, program);
}

function readsMethod(given: Expression, program: JqProgram): boolean {
  const node = valueBehind(given, program);
  const [first, last, ...others] = node.kind === "Pipeline" ? node.stages.filter(isExpression) : [node];
  const isCased = last === undefined || (last.kind === "Call" && last.name.text === "ascii_upcase");
  return first !== undefined && isCased && others.length === 0 && nameRead(first, program) === "method";
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
