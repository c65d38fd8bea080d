import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { type Made, madeBy } from "../../../flow/step-members.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { unreadMembers } from "../unused/step-member.ts";

const passedOver = defineRule<{ name: string; step: number; member: string; read: string; isWhole?: true }>({
  id: "pipeline/passed-over",
  severity: "warning",
  summary: "A step makes a value that nothing reads, and where it belongs another one is sent",
  why: "A step makes a value under the name of what a later request sends. If the request takes something else, such as what an earlier step had, the value that was made for it is lost: the id of a record that was just created, a challenge that must go back.",
  guards: ["command.!pipe", "command.!jq", "expansion.piped_content", "D14"],
  message: ({ name, step, member, read }) =>
    `\`${member}\` gets \`${read}\`. Step ${step} makes \`${name}\`, which nothing reads.`,
  because: ({ name, step, member, read }) => [
    `step ${step} makes \`${name}\``,
    `\`${member}\` is sent as \`${read}\`, and \`${name}\` is thrown away`,
  ],
  help: ({ name, step, isWhole }) =>
    `Did you mean \`\${piped_content.${step}${isWhole ? "" : `.${name}`}}\`?`,
  examples: [
    {
      title: "What an earlier step had",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["unused/step-member"],
      bad: '{"!pipe": [{"!http": {"path": "/prices"}}, {"!jq": "{price: .prices[0].amount, unit: .unit}"}, {"!http": {"method": "POST", "path": "/quotes", "body": "${piped_content.2}"}}, {"!jq": "{quote_id: .id, due: (now | todate)}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"quote": "${«piped_content.2.price»}", "due": "${piped_content.4.due}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/prices"}}, {"!jq": "{price: .prices[0].amount, unit: .unit}"}, {"!http": {"method": "POST", "path": "/quotes", "body": "${piped_content.2}"}}, {"!jq": "{quote_id: .id, due: (now | todate)}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"quote": "${piped_content.4.quote_id}", "due": "${piped_content.4.due}"}}}]}',
    },
    {
      title: "The whole record as it came, although a step has built what the service takes",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["unused/made-member", "unused/step-member"],
      bad: '{"!pipe": [{"!jq": "{company: (.company // .email), person: {email: .email, name: .name}}"}, {"!http": {"path": "/exhibitors", "params": {"email": "${piped_content.1.person.email}"}}}, {"!switch": {"jq": "if .exhibitors == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/exhibitors", "body": "${«piped_content.0»}"}}, {"!jq": ".exhibitors[0]"}]}}, {"!http": {"method": "POST", "path": "/stands", "body": {"exhibitor_id": "${piped_content.3.id}"}}}]}',
      good: '{"!pipe": [{"!jq": "{company: (.company // .email), person: {email: .email, name: .name}}"}, {"!http": {"path": "/exhibitors", "params": {"email": "${piped_content.1.person.email}"}}}, {"!switch": {"jq": "if .exhibitors == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/exhibitors", "body": "${piped_content.1}"}}, {"!jq": ".exhibitors[0]"}]}}, {"!http": {"method": "POST", "path": "/stands", "body": {"exhibitor_id": "${piped_content.3.id}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [passedOver],
  checks: {
    part(part, report, model) {
      const told = new Set<Command>();
      for (const { step, made } of unreadMembers(part, model)) {
        for (const { member, read, at } of sentInstead(step, made, part))
          report(passedOver, at, { name: made.name, step: step.stepsRun + 1, member, read });
        if (told.has(step)) continue;
        told.add(step);
        for (const { member, read, at } of sentWhole(step, part))
          report(passedOver, at, { name: made.name, step: step.stepsRun + 1, member, read, isWhole: true });
      }
    },
  },
};
export default module;

interface Sent {
  readonly member: string;
  readonly read: string;
  readonly at: StringPart;
}

/** What later commands of a pipe send under the name of what a step made. */
function sentInstead(step: Command, { name }: Made, { expansions }: Part): readonly Sent[] {
  const wanted = subject(name);
  // `id` and `name` alone may be anybody's.
  if (wanted === "") return [];
  return expansions.flatMap((expansion): readonly Sent[] => {
    const { command, root, rootExact, syntax, node } = expansion;
    if (command === undefined || command.pipe !== step.pipe || command.stepsRun <= step.stepsRun) return [];
    // What comes in, and what is chosen, is told as the raw value.
    const index = Number(syntax.path[1]?.text);
    if (!rootExact || root !== "piped_content" || !(index > 0 && index <= step.stepsRun)) return [];
    const member = memberOf(expansion);
    if (member === undefined || (subject(member) || ownerOf(expansion)) !== wanted) return [];
    const path = syntax.path.map(({ text }) => text);
    // Under the same name it is told as the raw value of it.
    if (path.at(-1) === name) return [];
    const read = step.pipe?.children[index - 1];
    if (path.length < 3 || read === undefined) return [];
    // That an object has no such member is told as that.
    if (madeBy(read)?.some((way) => !way.some((each) => each.name === path[2]))) return [];
    const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
    return [{ member, read: path.join("."), at: { node, from: first.start, to: last.end } }];
  });
}

/** What requests send whole that is what a step has built its object of: the step before has it. */
function sentWhole(step: Command, { expansions }: Part): readonly Sent[] {
  const { pipe, stepsRun } = step;
  return expansions.flatMap((expansion): readonly Sent[] => {
    const { command, root, rootExact, syntax, node } = expansion;
    if (command?.key !== "!http" || command.pipe !== pipe || command.stepsRun <= stepsRun) return [];
    if (!rootExact || root !== "piped_content" || syntax.path.length !== 2 || syntax.filters.length > 0)
      return [];
    if (syntax.path[1]?.text !== `${stepsRun}` || memberOf(expansion) !== "body") return [];
    const method = textOf(command.argument, "method") ?? "";
    if (!/^(?:post|put|patch)$/i.test(method)) return [];
    const [first, last] = [syntax.path[0]!, syntax.path[1]!];
    return [
      { member: "body", read: `piped_content.${stepsRun}`, at: { node, from: first.start, to: last.end } },
    ];
  });
}

/** The member of what is sent that is nothing but an expansion. */
function memberOf({ node, syntax }: Expansion): string | undefined {
  const isWhole = syntax.start === 0 && syntax.end === node.value.length;
  return isWhole && node.parent?.kind === "member" ? node.parent.name : undefined;
}

/** What an `id` alone is of: what stands beside it as its type, `{"type": "invitation", "id": …}`, or what the object is called. */
function ownerOf({ node }: Expansion): string | undefined {
  const member = node.parent;
  const object = member?.kind === "member" ? member.parent : undefined;
  if (object?.kind !== "object") return undefined;
  const type = textOf(object, "type") ?? textOf(object, "kind");
  if (type !== undefined) return /^[A-Za-z_-]+$/.test(type) ? wordsOf(type).join(" ") : undefined;
  return object.parent?.kind === "member" ? wordsOf(object.parent.name).join(" ") : undefined;
}

/** What a name is about, without an `id` behind it: `patient` of `patientId`. */
const subject = (name: string): string => {
  const words = wordsOf(name);
  return (words.at(-1) === "id" ? words.slice(0, -1) : words).join(" ");
};
