import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nounOf, nounOfId } from "../../../flow/nouns.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { RuleModule } from "../../checks.ts";
import { memberWith } from "./other-role.ts";

const roleBeside = defineRule<{ member: string; read: string; given: string; instead: string }>({
  id: "value/role-beside",
  severity: "warning",
  summary: "A member gets the id of one role, though the same output has the one that it is named after",
  why: "An answer or a step often has several people in different roles: who pays, who takes part, who ordered. Where a member is named after one and gets another's id, invoices and messages go to the wrong person.",
  guards: ["command.!http", "expansion.piped_content", "D14"],
  message: ({ member, read, given, instead }) =>
    `\`${member}\` gets \`${read}\`, the id of \`${given}\`. The same output has \`${instead}\`.`,
  because: ({ member, read, instead }) => [
    `\`${instead}\` is what \`${member}\` is named after`,
    `\`${read}\` is sent instead`,
  ],
  help: ({ instead }) => `Write \`\${${instead}}\`.`,
  examples: [
    {
      title: "Two records in one answer",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/pupils", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if ${custom_data.list.value} == 1 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/bills", "body": {"plan": "once", "payer_id": "${piped_content.1.payer.id}"}}}, {"!http": {"method": "POST", "path": "/bills", "body": {"plan": "monthly", "payer_id": "«${piped_content.1.pupil.id}»"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/pupils", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if ${custom_data.list.value} == 1 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/bills", "body": {"plan": "once", "payer_id": "${piped_content.1.payer.id}"}}}, {"!http": {"method": "POST", "path": "/bills", "body": {"plan": "monthly", "payer_id": "${piped_content.1.payer.id}"}}}]}}]}',
    },
    {
      title: "Two ids that a step makes",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/pupils", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{pupil_id: .pupils[0].id, payer_id: (.pupils[0].payer_id // .pupils[0].id)}"}, {"!http": {"method": "POST", "path": "/bills", "body": {"pupil_id": "${piped_content.2.pupil_id}", "payer_id": "«${piped_content.2.pupil_id}»"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/pupils", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{pupil_id: .pupils[0].id, payer_id: (.pupils[0].payer_id // .pupils[0].id)}"}, {"!http": {"method": "POST", "path": "/bills", "body": {"pupil_id": "${piped_content.2.pupil_id}", "payer_id": "${piped_content.2.payer_id}"}}}]}',
      also: ["unused/made-member"],
    },
  ],
});

const module: RuleModule = {
  rules: [roleBeside],
  checks: {
    part(part, report) {
      for (const expansion of part.expansions) {
        const own = idRead(expansion);
        const member = own === undefined ? undefined : memberWith(expansion);
        const wanted = member === undefined ? undefined : nounOfId(member);
        if (own === undefined || wanted === undefined || isAlike(own.noun, wanted)) continue;
        const instead = besideIt(expansion, own, wanted, part);
        if (instead === undefined) continue;
        const { node, syntax } = expansion;
        const at = { node, from: syntax.start, to: syntax.end };
        report(roleBeside, at, { member: member!, read: own.path.join("."), given: own.noun, instead });
      }
    },
  },
};
export default module;

interface IdRead {
  readonly noun: string;
  /** `piped_content`, the step, and the members. */
  readonly path: readonly string[];
  /** What is before the names that say of what it is an id. */
  readonly base: readonly string[];
}

/** What an id in the output of a step is of: `payer` of `piped_content.2.payer.id` and of `piped_content.5.payer_id`. */
function idRead({ root, rootExact, syntax }: Expansion): IdRead | undefined {
  if (root !== "piped_content" || !rootExact || syntax.filters.length > 0 || syntax.problem !== undefined)
    return undefined;
  const path = syntax.path.map(({ text }) => text);
  const last = path.at(-1) ?? "";
  if (path.length < 3 || !isIdName(last)) return undefined;
  const noun = nounOfId(last);
  if (noun !== undefined) return { noun, path, base: path.slice(0, -1) };
  const owner = path.length > 3 && last === "id" ? nounOf(path.at(-2)!) : undefined;
  return owner === undefined ? undefined : { noun: owner, path, base: path.slice(0, -2) };
}

const isAlike = (a: string, b: string): boolean => a.includes(b) || b.includes(a);

/** The id of the wanted kind in the same output, as it is read under this name elsewhere, or made by the step for nobody. */
function besideIt(
  expansion: Expansion,
  { base }: IdRead,
  wanted: string,
  { expansions }: Part,
): string | undefined {
  const { command } = expansion;
  const others = expansions.flatMap((other) => {
    const read = other !== expansion && other.command?.pipe === command?.pipe ? idRead(other) : undefined;
    return read?.noun === wanted && read.base.join() === base.join() ? [{ other, read }] : [];
  });
  // A request that has both exchanges them on purpose, or is told as that.
  if (others.some(({ other }) => other.command === command)) return undefined;
  const named = others.find(({ other }) => {
    const member = memberWith(other);
    return member !== undefined && nounOfId(member) === wanted;
  });
  if (named !== undefined) return named.read.path.join(".");
  return others.length === 0 && base.length === 2 ? madeFor(command, Number(base[1]), wanted) : undefined;
}

/** The id that each way of a step makes. */
function madeFor(command: Command | undefined, index: number, wanted: string): string | undefined {
  const step = command?.pipe?.children[index - 1];
  const ways = step === undefined ? undefined : madeBy(step);
  const [first, ...rest] = (ways ?? []).map((way) => way.find(({ name }) => nounOfId(name) === wanted)?.name);
  const isMade = first !== undefined && rest.every((name) => name === first);
  return isMade ? `piped_content.${index}.${first}` : undefined;
}
