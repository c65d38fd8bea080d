import { escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { isPlural, nounOf } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const payloadMember = defineRule<{ names: readonly string[]; record: string; list: string }>({
  id: "response/payload-member",
  severity: "warning",
  summary: "A member of the payload is read from the answer about another record",
  why: "Behind a request, `.` is its answer. Where the answer has the record that was asked for in a member of its own, what the payload has isn't beside it: the members are null, for every record, or the program fails.",
  guards: ["command.!jq", "expansion.piped_content", "D9", "D14"],
  message: ({ names, record, list }) =>
    `${allNames(names)} ${names.length === 1 ? "is" : "are"} read from the answer of \`/${list}/…\`, which has \`${record}\`. ${names.length === 1 ? "It is" : "They are"} of the payload.`,
  because: ({ names, record, list }) => [
    `the payload has ${allNames(names)}, which this pipe reads there`,
    `the answer of \`/${list}/…\` is \`{${record}: …}\``,
  ],
  help: () => "Read it of `${piped_content.0}`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/donors/${piped_content.0.gift.donor_id}"}}, {"!jq": "«.gift» as $gift | {email: .donor.email, amount: $gift.amount}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/donors/${piped_content.0.gift.donor_id}"}}, {"!jq": "${piped_content.0.gift} as $gift | {email: .donor.email, amount: $gift.amount}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [payloadMember],
  checks: {
    reach: "saved",
    part(part, report) {
      for (const command of part.commands)
        if (command.key === "!pipe" && command.parent === undefined && isSource(command))
          tellIn(command, part, report);
    },
  },
};
export default module;

const isSource = ({ place, children }: Command): boolean =>
  place.name === "data_pipeline.source" && children.length > 1;

function tellIn(pipe: Command, part: Part, report: Report): void {
  const steps = pipe.children;
  let delivered: ReadonlySet<string> | undefined;
  for (const [index, step] of steps.entries()) {
    const { program } = step ?? {};
    const request = index > 0 ? requestIn(steps[index - 1]) : undefined;
    if (step?.key !== "!jq" || program === undefined || program.diagnostics.length > 0) continue;
    if (request === undefined) continue;
    const list = part.expansions.flatMap((each) =>
      each.command === request && each.position === "path" ? (lastList(each) ?? []) : [],
    )[0];
    const noun = list !== undefined && isPlural(list) ? nounOf(list) : undefined;
    if (list === undefined || noun === undefined) continue;
    const reads = readsOf(program);
    const record = [...reads.keys()].find((name) => nounOf(name) === noun);
    if (record === undefined || reads.size < 2) continue;
    delivered ??= deliveredIn(pipe, part);
    const said = commentsBelow(request.node).map(({ value }) => value);
    const names = [...reads.keys()].filter(
      (name) =>
        name !== record &&
        delivered!.has(name) &&
        !ofAnyAnswer.test(name) &&
        !said.some((text) => new RegExp(`\\b${escapedPattern(name)}\\b`).test(text)),
    );
    const [first] = names;
    if (first !== undefined) report(payloadMember, reads.get(first)!, { names, record, list });
  }
}

/** What answers have beside a record, and what many records have. */
const ofAnyAnswer =
  /^(?:id|meta|links|errors?|status|state|message|ok|success|data|total|count|results?|items?|version|type|kind|event|included)$/i;

/** The one request whose answer a step gives, where it gives anything: a case may give null, or refuse. */
function requestIn(step: Command | undefined): Command | undefined {
  const ways = step === undefined ? [] : resultsOf(step);
  const [request, ...others] = ways.filter(({ key }) => key === "!http");
  const rest = ways.filter(({ key }) => key !== "!http");
  const isAll = rest.every(
    ({ key, program }) => key === "!error" || (key === "!jq" && program?.node.value.trim() === "null"),
  );
  return others.length === 0 && isAll ? request : undefined;
}

/** The list of which a path asks for one record by its id: `/people/${…}` and nothing behind it. */
const lastList = (expansion: Part["expansions"][number]): string | undefined =>
  /^(?:\?|$)/.test(expansion.node.value.slice(expansion.syntax.end)) ? listBefore(expansion) : undefined;

/** The members that a program reads of its input, with the first place of each. */
function readsOf(program: JqProgram): ReadonlyMap<string, StringPart> {
  const found = new Map<string, StringPart>();
  for (const node of nodesOfKind(program, "Postfix")) {
    const [first] = node.suffixes;
    if (node.head.kind !== "Identity" || first?.kind !== "Field" || first.key.kind !== "Name") continue;
    const [source, ...others] = sourcesOf(program, node, []);
    const [name] = source?.kind === "input" && others.length === 0 ? source.path : [];
    // Behind a pipe, `.` may be a part of it.
    if (name !== first.key.text || found.has(name)) continue;
    found.set(name, partAt(program, { start: node.start, end: first.end }));
  }
  return found;
}

/** The members that a pipe reads of what comes in, in another place. */
function deliveredIn(pipe: Command, { expansions, programs }: Part): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { root, syntax, command } of expansions) {
    const [, index, member] = syntax.path;
    if (root === "piped_content" && index?.text === "0" && command?.pipe === pipe && member !== undefined)
      found.add(member.text);
  }
  for (const program of programs)
    if (isFirstOf(pipe, program) && program.diagnostics.length === 0)
      for (const name of inputReads(program).members) found.add(name);
  return found;
}

const isFirstOf = (pipe: Command, { command }: JqProgram): boolean =>
  outermostCommand(command) === pipe && stepBefore(command) === undefined;
