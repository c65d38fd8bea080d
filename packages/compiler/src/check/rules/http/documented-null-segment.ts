import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";
import { asksOfOptional, isLoose } from "../jq/null-conditions.ts";

const documentedNullSegment = defineRule<{ expansion: string; name: string }>({
  id: "http/documented-null-segment",
  severity: "warning",
  summary: "A path segment is null for records of which a comment says so",
  why: "A request with a path segment that is null is refused, so the step fails. A comment says that some records have no such value, and nothing before the request keeps them away.",
  guards: ["command.!http", "http.path", "D18"],
  message: ({ expansion, name }) =>
    `A comment says that \`${name}\` may be null. \`${expansion}\` is a whole path segment then, and nothing before asks for it.`,
  because: ({ name }) => [
    `a record has no \`${name}\``,
    "the path has an empty segment, the request is refused, and the record is lost",
  ],
  help: ({ name }) => `Choose the request with a \`!switch\` that looks at \`.${name}\`.`,
  examples: [
    {
      title: "Another id is asked for",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"guest_id is null for walk-ins."' },
      bad: '{"!switch": {"jq": "if .visit.id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/guests/«${piped_content.0.visit.guest_id}»"}}, {"!jq": "{email: .email, name: .name}"}]}]}}',
      good: '{"!switch": {"jq": "if .visit.guest_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/guests/${piped_content.0.visit.guest_id}"}}, {"!jq": "{email: .email, name: .name}"}]}]}}',
    },
    {
      title: "The whole record and the event are asked for",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A visit without an appointment may have guest_id null."' },
      bad: '{"!switch": {"jq": "if .visit == null or .event != \\"visit.booked\\" then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/guests/«${piped_content.0.visit.guest_id}»"}}, {"!jq": "{email: .email, name: .name}"}]}]}}',
      good: '{"!switch": {"jq": "if .visit.guest_id == null or .event != \\"visit.booked\\" then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/guests/${piped_content.0.visit.guest_id}"}}, {"!jq": "{email: .email, name: .name}"}]}]}}',
    },
    {
      title: "Nothing is asked",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Entries of the owner have tenant_id null."' },
      bad: '{"!pipe": [{"!http": {"path": "/tenants/«${piped_content.0.tenant_id}»"}}, {"!jq": "{email: .email, name: .name}"}]}',
      good: '{"!switch": {"jq": "if .tenant_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/tenants/${piped_content.0.tenant_id}"}}, {"!jq": "{email: .email, name: .name}"}]}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedNullSegment],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, syntax, node, command } = expansion;
      const name = syntax.path.at(-1)?.text;
      if (root !== "piped_content" || syntax.path.length < 3 || syntax.filters.length > 0) return;
      if (command?.key !== "!http" || name === undefined || !hasComments(model)) return;
      if (!isSegment(expansion)) return;
      const comment = documentedNulls(node, intakesAround(command.unit)).get(name);
      if (comment === undefined || !isAsItCame(expansionTrails(flowOf(model), expansion))) return;
      const whole = syntax.path.at(-2)?.text ?? "";
      if (neverComes(comment.value, whole)) return;
      if (mayBeKeptAway(command, { name, whole, comment: comment.value })) return;
      const { start, end } = syntax;
      report(
        documentedNullSegment,
        { node, from: start, to: end },
        { expansion: node.value.slice(start, end), name },
        [{ message: "the comment", at: comment }],
      );
    },
  },
};
export default module;

/** Whether a comment says that such records don't come here: `no event is sent for them`, `visits always have one`. */
const neverComes = (comment: string, whole: string): boolean =>
  /\b(?:no|none|never|not|nothing)\b[^.;]{0,40}\b(?:events?|hooks?|deliver(?:ed|y|ies)|notif\w+|calls?|come|comes|arrives?)\b/i.test(
    comment,
  ) ||
  (whole !== "" &&
    new RegExp(`\\b${escapedPattern(whole)}s? always (?:has|have|carry|carries|comes? with)\\b`, "i").test(
      comment,
    ));

/** Whether an expansion is all that stands between two slashes of a path. */
function isSegment({ node, syntax: { start, end } }: Expansion): boolean {
  const isPath = node.parent?.kind === "member" && node.parent.name === "path";
  return isPath && node.value[start - 1] === "/" && /^(?:$|[/?#])/.test(node.value.slice(end));
}

interface Asked {
  readonly name: string;
  /** What it is a member of. */
  readonly whole: string;
  readonly comment: string;
}

/** Whether something that runs before, or chooses, asks for the member, or for anything else of the record. */
function mayBeKeptAway(command: Command, asked: Asked): boolean {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent) {
    const before = at.pipe?.children.slice(0, at.stepsRun) ?? [];
    if (before.some((each) => each !== undefined && mayKeepAway(each, asked.name))) return true;
    const chooser = at.parent?.key === "!switch" ? at.parent.program : undefined;
    if (chooser === undefined) continue;
    const index = at.parent?.children.indexOf(at) ?? -1;
    if (chooser.node.value.includes(asked.name) || asksOfRecord(chooser, asked, index)) return true;
  }
  return false;
}

/** Whether a step before a request may end the run for some records, or give something for them to choose by. */
function mayKeepAway({ key, program }: Command, name: string): boolean {
  if (key === "!switch") return true;
  if (program === undefined) return false;
  return (
    program.node.value.includes(name) ||
    nodesOfKind(program, "Comparison").some(({ left, right }) =>
      // What is left out of an object or a list is no record.
      [left, right].every((side) => !isEntryValue(side)),
    )
  );
}

/** `.value` of `select(.value != null)`, as it stands behind `to_entries`. */
const isEntryValue = (node: Expression): boolean => {
  const read = bare(node);
  const [suffix, ...others] = read.kind === "Postfix" && read.head.kind === "Identity" ? read.suffixes : [];
  const isMember = suffix?.kind === "Field" && suffix.key.kind === "Name" && others.length === 0;
  return isMember && suffix.key.text === "value";
};

/** Whether a choice goes by something of the record, and not only by what the customer chose in the setup. */
function asksOfRecord(chooser: JqProgram, asked: Asked, index: number): boolean {
  // `if ($chosen | length) > 0 and … then OTHER`: whoever chose nothing gets all records.
  const loose = nodesOfKind(chooser, "If")
    .flatMap(({ branches }) => branches)
    .filter(({ condition, body }) => {
      const other = constantOf(body);
      const isOther = typeof other === "number" && other !== index;
      return isOther && isLoose(condition, (part) => asksOfOptional(part, chooser));
    });
  return nodesOfKind(chooser, "Comparison").some(
    ({ left, right, start, end }) =>
      !loose.some(({ condition }) => condition.start <= start && end <= condition.end) &&
      !isTypeAsked(left, right) &&
      !isOwnIdAsked(left, right) &&
      !isWholeAsked(left, right, asked) &&
      !isEventAsked(left, right, asked) &&
      [left, right].some((side) => !isOfSetup(side, chooser)),
  );
}

/** `type == "array"`: of what was chosen, which may be one text. */
const isTypeAsked = (asked: Expression, constant: Expression): boolean => {
  const node = bare(asked);
  return (
    node.kind === "Call" && node.name.text === "type" && /^(?:array|string)$/.test(`${constantOf(constant)}`)
  );
};

/** `.visit.id == null`: each record has an id of its own, and whether it is there says nothing of another one's. */
function isOwnIdAsked(asked: Expression, constant: Expression): boolean {
  const node = bare(asked);
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  const isId = last?.kind === "Field" && last.key.kind === "Name" && last.key.text === "id";
  return isId && constantOf(constant) === null;
}

/** `.booking == null`: a booking without a guest is one, too. */
const isWholeAsked = (asked: Expression, constant: Expression, { whole }: Asked): boolean =>
  constantOf(constant) === null && memberOf(asked) === whole;

/** `.event == "booking.moved"`: what has happened says nothing of whether a record has the member, unless the comment says so. */
function isEventAsked(asked: Expression, constant: Expression, { comment }: Asked): boolean {
  const event = constantOf(constant);
  if (
    typeof event !== "string" ||
    !/^(?:event|topic|event_?(?:type|name)|trigger)$/i.test(memberOf(asked) ?? "")
  )
    return false;
  const words = event.toLowerCase().split(/[^a-z]+/);
  return !comment.toLowerCase().includes(words.at(-1)!);
}

function memberOf(asked: Expression): string | undefined {
  const node = bare(asked);
  return node.kind === "Postfix" ? nameOfValue(node) : undefined;
}

/** A constant, or a form field. */
function isOfSetup(node: Expression, program: JqProgram): boolean {
  if (constantOf(node) !== undefined) return true;
  const inner = bare(node);
  return inner.kind === "Hole" && program.holes[inner.hole]?.root === "custom_data";
}
