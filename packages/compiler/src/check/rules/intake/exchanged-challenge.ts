import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { readPath } from "../../../flow/emptiness.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Way, waysOf } from "../jq/branch-ways.ts";
import { allIn } from "../workflow/commands.ts";
import { verificationOf } from "./commands-of.ts";
import { processedPing } from "./pings.ts";

const made =
  '{"!pipe": [{"!jq": "{challenge: .query.challenge}"}, {"!respond": {"process_payload": false, "code": 200, "body": "${piped_content.1.challenge}"}}]}, {"!respond": {"process_payload": true, "code": 200}}';
const cases = [
  '{"!respond": {"process_payload": false, "body": {"challenge": "${piped_content.0.query.challenge}"}}}',
  '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
].join(", ");
const token = (method: string): string =>
  `{"!pipe": [{"!switch": {"jq": "(if ${method} then .query.token else .headers[\\"x-token\\"] end) as $token | if $token != \${data.workflow.hook_id} then 2 elif .method == \\"GET\\" then 0 else 1 end", "cases": [{"!respond": {"body": "\${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true}}, {"!respond": {"code": 403}}]}}]}`;

const exchangedChallenge = defineRule<{ condition: string; isRead: boolean }>({
  id: "intake/exchanged-challenge",
  severity: "warning",
  summary: "Deliveries are answered like a check of the URL, and the check like a delivery",
  why: "A service that checks a URL wants its challenge back, and you want its deliveries. The wrong way round, the URL is never confirmed. Once it was confirmed, every event is answered and dropped.",
  guards: ["webhook.verification", "command.!respond", "command.!switch", "D26", "D31"],
  message: ({ condition, isRead }) =>
    isRead
      ? `\`${condition}\`: the check of the URL has its values in the query, and a delivery in its headers or body; here they are exchanged.`
      : `\`${condition}\` sends the check of the URL to the case for deliveries, and deliveries to the case that gives the challenge back.`,
  because: ({ isRead }) => [
    `a check of the URL: ${isRead ? "what is read isn't there" : "it doesn't get its challenge back"}`,
    `a delivery: ${isRead ? "what is read isn't there" : "it is answered, and dropped"}`,
  ],
  help: ({ isRead }) => (isRead ? "Exchange the two branches." : "Exchange the two cases, or their numbers."),
  examples: [
    {
      title: "D31: by its method",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: `{"!pipe": [{"!switch": {"jq": "if «.method == \\"GET\\"» then 1 else 0 end", "cases": [${cases}]}}]}`,
      good: `{"!pipe": [{"!switch": {"jq": "if .method == \\"GET\\" then 0 else 1 end", "cases": [${cases}]}}]}`,
    },
    {
      title: "D31: where a step makes the answer",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: `{"!switch": {"jq": "if «.method == \\"POST\\"» then 0 else 1 end", "cases": [${made}]}}`,
      good: `{"!switch": {"jq": "if .method == \\"GET\\" then 0 else 1 end", "cases": [${made}]}}`,
    },
    {
      title: "D31: where its token is",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: token('«.method != \\"GET\\"»'),
      good: token('.method == \\"GET\\"'),
    },
  ],
});

const module: RuleModule = {
  rules: [exchangedChallenge],
  checks: {
    intake(intake, report, model) {
      for (const { condition, isRead, program } of exchangedChallenges(intake, model)) {
        const text = excerpt(textAt(condition, program), 60);
        report(exchangedChallenge, partAt(program, condition), { condition: text, isRead });
      }
    },
  },
};
export default module;

interface Exchanged {
  readonly condition: Expression;
  /** Whether it is the values read that are exchanged, and not the answers. */
  readonly isRead: boolean;
  readonly program: JqProgram;
}

export function exchangedChallenges(intake: IntakeSymbol, model: Model): readonly Exchanged[] {
  return (verificationOf(intake, model)?.all ?? []).flatMap(({ key, program }) => {
    if (program === undefined || (key !== "!switch" && key !== "!jq")) return [];
    if (processedPing(program.command) !== undefined) return [];
    return nodesOfKind(program, "If").flatMap((node) => {
      const found = exchangedIn(node, program, intake, model);
      return found === undefined ? [] : [{ ...found, program }];
    });
  });
}

function exchangedIn(node: If, program: JqProgram, intake: IntakeSymbol, model: Model) {
  const ways = waysOf(node, program);
  for (const [index, { condition }] of node.branches.entries()) {
    const asked = asksForCheck(condition, program);
    const [own, ...others] = ways.slice(index);
    const [other] = others;
    // What isn't the check may be told further apart; what isn't a delivery is only the check.
    if (asked === undefined || own === undefined || other === undefined || (!asked && others.length > 1))
      continue;
    const [check, deliveries] = asked ? [own, others] : [other, [own]];
    if (
      readsElsewhere(check.body, program, inDelivery) &&
      deliveries.every(({ body }) => readsElsewhere(body, program, inQuery))
    )
      return { condition, isRead: true };
    const answered = deliveries.filter((way) => givesBack(way, intake, model));
    if (answered.length === 0 || givesBack(check, intake, model)) continue;
    const name = nameOfChallenge(condition, program);
    if (
      mayAccept(check) ||
      (name !== undefined && isRefusal(check) && answered.some((way) => hasInBody(way, name)))
    )
      return { condition, isRead: false };
  }
  return undefined;
}

/** Whether a condition holds for a check of the URL alone, or for all but that. */
function asksForCheck(condition: Expression, program: JqProgram): boolean | undefined {
  const node = bare(condition);
  if (node.kind === "Pipeline" && node.stages.length === 2) {
    const [first, last] = node.stages as readonly Expression[];
    const said =
      last?.kind === "Call" && last.name.text === "not" ? asksForCheck(first!, program) : undefined;
    return said === undefined ? undefined : !said;
  }
  // Both have to hold, so it is a check where one says so: `.method == "GET" and .query.challenge != null`.
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.some((operand) => asksForCheck(operand, program) === true) || undefined;
  if (node.kind !== "Comparison" || !/^[!=]=$/.test(node.operator)) return challengeAsked(node, program);
  if (isNothing(constantOf(node.right))) {
    const said = challengeAsked(bare(node.left), program);
    return said === undefined ? undefined : said === (node.operator === "!=");
  }
  const [value, word] =
    constantOf(node.right) === undefined
      ? [node.right, constantOf(node.left)]
      : [node.left, constantOf(node.right)];
  if (typeof word !== "string") return undefined;
  const name = readPath(value, program)?.at(-1) ?? "";
  const isCheck = name === "method" ? word === "GET" : checkWord.test(word);
  const isOther = name === "method" && word === "POST";
  return isCheck || isOther ? (node.operator === "==") === isCheck : undefined;
}

/** Whether something is a challenge in the URL: `.query.challenge`, also with `// ""` behind it. */
function challengeAsked(given: Expression, program: JqProgram): true | undefined {
  const node = bare(given);
  if (node.kind === "Alternative")
    return isNothing(constantOf(node.operands.at(-1)!))
      ? challengeAsked(node.operands[0]!, program)
      : undefined;
  const path = readPath(node, program)?.filter((name) => name !== "") ?? [];
  return inQuery.test(path.at(-2) ?? "") && challengeName.test(path.at(-1)!) ? true : undefined;
}

/** `validation_token` of a condition that is nothing but that it is there. */
function nameOfChallenge(condition: Expression, program: JqProgram): string | undefined {
  const node = bare(condition);
  const read = node.kind === "Comparison" ? bare(node.left) : node;
  if (asksForCheck(node, program) !== true || challengeAsked(read, program) === undefined) return undefined;
  const value = read.kind === "Alternative" ? read.operands[0]! : read;
  return readPath(value, program)
    ?.filter((each) => each !== "")
    .at(-1);
}

/** A case that is one answer with an error. */
function isRefusal({ taken }: Way): boolean {
  const code =
    taken?.key === "!respond" && taken.argument?.kind === "object" ? taken.argument.get("code") : undefined;
  return code?.kind === "number" && code.value >= 400;
}

/** Whether an answer gives back this member of the request. */
function hasInBody({ taken }: Way, name: string): boolean {
  const body = taken?.argument?.kind === "object" ? taken.argument.get("body") : undefined;
  const texts = body?.kind === "object" ? body.members.map(({ value }) => value) : [body];
  return texts.some((text) => text?.kind === "string" && text.value.includes(`.${name}`));
}

const isNothing = (constant: unknown): boolean => constant === null || constant === "";
const challengeName = /^(?:hub[._])?(?:challenge|crc(?:_?token)?|validation_?token|verification_?token)$/i;

const checkWord =
  /(?:^|[._:/-])(?:ping|challenge|handshake|(?:url|endpoint|address|webhook|hook)[._-]?(?:check|test|verif\w+|validat\w+)|verification|validation)$/i;

const inQuery = /^query(?:_params)?$/;
const inDelivery = /^(?:headers|body|raw_body)$/;

/** Whether an expression is nothing but a value from a part of the request: `.query.token`. */
function readsElsewhere(given: Expression, program: JqProgram, where: RegExp): boolean {
  const path = readPath(given, program)?.filter((name) => name !== "") ?? [];
  const names = path[0] === "piped_content" ? path.slice(2) : path.slice(1);
  return names.length > 1 && where.test(names[0]!);
}

/** Whether a case gives back something of the request, also what a step has made of it, and accepts nothing. */
function givesBack(way: Way, intake: IntakeSymbol, model: Model): boolean {
  const { taken } = way;
  const answer = taken?.key === "!pipe" ? taken.children.at(-1) : taken;
  if (answer?.key !== "!respond" || mayAccept(way)) return false;
  const body = answer.argument?.kind === "object" ? answer.argument.get("body") : undefined;
  if (body === undefined) return false;
  return partOfUnit(intake, model).expansions.some((expansion) => {
    const { node, root, syntax } = expansion;
    if (root !== "piped_content" || node.start < body.start || body.end < node.end) return false;
    const index = syntax.path[1]?.text;
    if (index === "0" || index === undefined) return ofRequest.test(syntax.path[2]?.text ?? "");
    const [trail, ...others] = expansionTrails(flowOf(model), expansion);
    return (
      trail?.origin.kind === "place" && others.length === 0 && ofRequest.test(trail.origin.path[0] ?? "")
    );
  });
}

const ofRequest = /^(?:query|query_params|body)$/;

const mayAccept = ({ taken }: Way): boolean => taken !== undefined && (allIn(taken) ?? []).some(mayAcceptIn);

/** `process_payload: true` */
function mayAcceptIn({ key, argument }: Command): boolean {
  const given =
    key === "!respond" && argument?.kind === "object" ? argument.get("process_payload") : undefined;
  return given !== undefined && !(given.kind === "boolean" && !given.value);
}
