import type { Expression, Node } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { readPath } from "../../../flow/emptiness.ts";
import { givesOn } from "../../../flow/gives-on.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { isBarren } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { indexMade, stepAt, stepBefore } from "../../../flow/producers.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { type Added, addedBy } from "../../../flow/step-members.ts";
import { respells } from "../../../flow/underlying.ts";
import { type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { isLookup } from "./raw-member.ts";
import { bySwitch, type SentBody, sentBodies } from "./unbuilt-body.ts";

const supersededBody = defineRule<{ read: string; later: string; step: number; isUnread?: true }>({
  id: "pipeline/superseded-body",
  severity: "warning",
  summary: "A request sends an object as it was before a step completed it or cleaned it",
  why: "A step adds what the customer chose to a record, or writes its members as the service wants them. A request that takes the record from before leaves all that out, without an error.",
  guards: ["expansion.piped_content", "data_pipeline.target", "D14"],
  message: ({ read, later, step, isUnread }) =>
    `\`${read}\` lacks what step ${step} ${isUnread ? "changes in it, and nothing else sends" : "adds to it. Another request of this pipe sends"} \`${later}\`.`,
  because: ({ read, later, step }) => [
    `step ${step} makes \`${later}\` of \`${read}\``,
    `this request sends \`${read}\`: what step ${step} adds is left out`,
  ],
  help: ({ later }) => `Send \`\${${later}}\`.`,
  fixes: ({ at, args: { later } }, { document }) => rewriteTo({ at, args: { instead: later } }, document),
  examples: [
    {
      title: "Nothing sends what the step has cleaned",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": ". + {email: (.email // \\"\\" | ascii_downcase)}"}, {"!switch": {"jq": "if .email == \\"\\" then 0 else 1 end", "cases": [{"!error": "No email."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/people", "body": {"person": "${«piped_content.0»}", "list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!jq": ". + {email: (.email // \\"\\" | ascii_downcase)}"}, {"!switch": {"jq": "if .email == \\"\\" then 0 else 1 end", "cases": [{"!error": "No email."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/people", "body": {"person": "${piped_content.1}", "list": "${custom_data.list.value}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": ". + {email: (.email // \\"\\" | ascii_downcase)}"}, {"!switch": {"jq": "if .email == \\"\\" then 0 else 1 end", "cases": [{"!error": "No email."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/people", "body": {"person": "${piped_content.1}", "list": "${custom_data.list.value}"}}}]}',
    },
    {
      title: "Another request sends it",
      in: "outbound",
      also: ["pipeline/made-without-choice"],
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${«piped_content.1»}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${piped_content.3}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${piped_content.3}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [supersededBody],
  checks: {
    part(part, report, model) {
      const { expansions, programs } = part;
      const sent = expansions.filter((each) => isSentWhole(each) || isWholeInProgram(each));
      if (sent.length > 0)
        for (const refined of programs.filter(isUnreadRefinement(expansions))) {
          const { pipe, stepsRun } = refined.command;
          for (const each of sent) {
            if (pipe === undefined || each.command?.pipe !== pipe || each.command.stepsRun <= stepsRun)
              continue;
            if (
              indexMade(pipe, stepRead(each)) !== indexMade(pipe, stepsRun) ||
              (isWholeInProgram(each) && !filters(refined))
            )
              continue;
            const [first, last] = [each.syntax.path[0]!, each.syntax.path.at(-1)!];
            const [read, later] = [stepRead(each), stepsRun + 1].map((step) => `piped_content.${step}`);
            report(
              supersededBody,
              { node: each.node, from: first.start, to: last.end },
              { read: read!, later: later!, step: stepsRun + 1, isUnread: true },
            );
          }
        }
      for (const { read: each, step } of madeAsItCame(part, model)) {
        const { node, syntax } = each;
        const at = { node, from: syntax.start + 2, to: syntax.end - 1 };
        report(supersededBody, at, {
          read: `piped_content.${stepRead(each)}`,
          later: `piped_content.${step}`,
          step,
          isUnread: true,
        });
      }
      for (const { body, later, step } of incomplete(sentBodies(part, model))) {
        const { node, syntax } = body;
        const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
        const read = node.value.slice(first.start, last.end);
        report(supersededBody, { node, from: first.start, to: last.end }, { read, later, step });
      }
      const bodies = expansions.filter(isSentWhole);
      if (bodies.length < 2) return;
      for (const body of bodies) {
        const read = stepRead(body);
        const pipe = body.command?.pipe;
        if (pipe === undefined || !(read >= 0)) continue;
        const later = pipe?.children.findIndex(
          (step, at) =>
            at + 1 > read &&
            at < body.command!.stepsRun &&
            step?.program !== undefined &&
            // What comes in is told as the value that isn't converted.
            ((completes(step.program, read) && (read > 0 || isOnlyOne(body, at + 1, bodies))) ||
              (cleansOf(step, read) && isInOneChoice(body))),
        );
        if (pipe === undefined || later === undefined || later < 0) continue;
        const step = later + 1;
        if (!bodies.some((other) => other.command?.pipe === pipe && stepRead(other) === step)) continue;
        const [first, last] = [body.syntax.path[0]!, body.syntax.path.at(-1)!];
        const at = { node: body.node, from: first.start, to: last.end };
        report(supersededBody, at, { read: `piped_content.${read}`, later: `piped_content.${step}`, step });
      }
    },
  },
};
export default module;

/** A member of a step's object that one case sends, and another one with what a step has added to that. */
function* incomplete(
  sent: readonly SentBody[],
): Generator<{ readonly body: Expansion; readonly later: string; readonly step: number }> {
  for (const [, all] of bySwitch(sent))
    for (const { expansion: other, slot, step: own, asked } of all) {
      const made = definitionInStep(other);
      const sum = made === undefined ? undefined : bare(made.node);
      if (made === undefined || own === undefined || sum?.kind !== "Arithmetic") continue;
      if (sum.rest.some(({ operator, operand }) => operator !== "+" || bare(operand).kind !== "Object"))
        continue;
      const path = readPath(sum.first, made.program);
      if (path === undefined || path.length < 2) continue;
      // What is a constant may be for new records only, or for those that are there.
      const addsData = sum.rest.some(({ operand }) =>
        nodesIn(operand).some(({ kind }) => kind === "Postfix"),
      );
      const step = Number(other.syntax.path[1]?.text);
      for (const one of all) {
        if (one.slot !== slot || one.asked !== asked || one.expansion.command === other.command) continue;
        if (!addsData && !one.isNew) continue;
        const [root, index, ...below] = path;
        const isInput = root === ".";
        const from = isInput ? stepBefore(own) : stepAt(own, Number(index));
        const names = isInput ? path.slice(1) : below;
        if (!isInput && root !== "piped_content") continue;
        if (one.step !== from || one.below.join("\n") !== names.join("\n") || names.length === 0) continue;
        yield { body: one.expansion, later: other.syntax.path.map(({ text }) => text).join("."), step };
      }
    }
}

/** A whole object as a request's body, or as a member of it. */
function isSentWhole({ root, command, node, syntax }: Expansion): boolean {
  if (root !== "piped_content" || command?.key !== "!http" || syntax.path.length !== 2) return false;
  if (syntax.start !== 0 || syntax.end !== node.value.length) return false;
  for (let at: SyntaxNode | undefined = node; at !== undefined && at !== command.argument; at = at.parent)
    if (at.kind === "member" && at.name === "body") return true;
  return false;
}

/**
 * Whether a program changes members of the object it gets, which nothing takes: no request, and no program but those that ask whether to go
 * on.
 */
const isUnreadRefinement =
  (expansions: readonly Expansion[]) =>
  (program: JqProgram): boolean => {
    const { command, diagnostics } = program;
    const { pipe, stepsRun, parent } = command;
    if (command.key !== "!jq" || pipe === undefined || parent !== pipe || diagnostics.length > 0)
      return false;
    const isFilter = filters(program);
    if (!isFilter && !refines(program)) return false;
    const same = new Set([stepsRun + 1]);
    for (const step of pipe.children.slice(stepsRun + 1)) {
      if (step === undefined) return false;
      if (!givesOn(step)) {
        if (step.key !== "!http" && !(isFilter && asksOnly(step))) return false;
        break;
      }
      same.add(step.stepsRun + 1);
    }
    return !expansions.some(
      (each) =>
        (each.root === undefined || each.root === "piped_content") &&
        each.command?.pipe === pipe &&
        !(each.command!.key === "!switch" && givesOn(each.command!)) &&
        // A member is the same there as before, or left out.
        !(isFilter && each.syntax.path.length > 2) &&
        !(each.syntax.path.length > 1 && !same.has(stepRead(each))),
    );
  };

/**
 * A record that is sent as it came, or made of that, `${piped_content.0} + {…}`, although a step has cleaned a member in it, by which only
 * a lookup asks for it: what is made isn't found by that the next time. Or the step has added what the
 * customer chose, which nothing takes.
 */
function* madeAsItCame(
  part: Part,
  model: Model,
): Generator<{ readonly read: Expansion; readonly step: number }> {
  const { expansions, programs } = part;
  const made = expansions.filter((each) =>
    isWholeInProgram(each) ? isCompletedInto(each) : isSentWhole(each),
  );
  if (made.length === 0) return;
  for (const program of programs) {
    const { command, diagnostics } = program;
    const { key, pipe, parent, stepsRun } = command;
    if (key !== "!jq" || pipe === undefined || parent !== pipe || diagnostics.length > 0) continue;
    const added = addedBy(program) ?? [];
    if (added.length === 0) continue;
    const read = made.find(
      (each) =>
        each.command?.pipe === pipe &&
        each.command.stepsRun > stepsRun &&
        indexMade(pipe, stepRead(each)) === indexMade(pipe, stepsRun),
    );
    if (read === undefined) continue;
    const { members, whole } = valueReadersOf(part, model).of(command);
    if (whole || members.size === 0) continue;
    // What the customer chose is added to the record, and sent by nobody.
    if (isSentWhole(read) && added.every((each) => !members.has(each.name) && hasChoice(each, program))) {
      yield { read, step: stepsRun + 1 };
      continue;
    }
    const refined = refinedIn(program, true);
    // Who takes others of it, too, may take all that was meant.
    if ([...members].some((name) => !refined.includes(name))) continue;
    const reads = expansions.filter(
      (each) =>
        each.command?.pipe === pipe && each.root === "piped_content" && stepRead(each) === stepsRun + 1,
    );
    if (reads.length > 0 && reads.every(isLookup)) yield { read, step: stepsRun + 1 };
  }
}

const hasChoice = ({ node }: Added, program: JqProgram): boolean =>
  nodesIn(node).some((each) => each.kind === "Hole" && program.holes[each.hole]?.root === "custom_data");

/** Whether an expansion is what a sum begins with, that adds members: `${piped_content.0} + {…}`. */
function isCompletedInto({ command, syntax }: Expansion): boolean {
  const { program } = command ?? {};
  if (program === undefined || program.diagnostics.length > 0) return false;
  return nodesOfKind(program, "Arithmetic").some(({ first, rest }) => {
    const start = bare(first);
    return (
      start.kind === "Hole" &&
      program.holes[start.hole]?.syntax === syntax &&
      rest.every(({ operator, operand }) => operator === "+" && bare(operand).kind === "Object")
    );
  });
}

/** Whether a `!switch` takes what comes in for its condition alone: its cases are requests and refusals. */
const asksOnly = ({ key, children }: Command): boolean =>
  key === "!switch" && children.every((way) => way?.key === "!http" || way?.key === "!error");

/** `with_entries(select(.value != null))`, also where a stage behind it may refuse what is left, and else gives it on. */
function filters(program: JqProgram): boolean {
  const body = bare(plainBody(program));
  const [first, ...others] = body.kind === "Pipeline" ? stagesOf(body) : [body];
  return first !== undefined && isFilter(bare(first)) && others.every(refusesOnly);
}

/** The same in the one case that doesn't refuse. */
function isFilter(node: Expression): boolean {
  if (node.kind === "Call") return node.name.text === "with_entries";
  if (node.kind !== "If" || node.otherwise === undefined) return false;
  const [only, ...others] = [...node.branches.map(({ body }) => body), node.otherwise].filter(
    (way) => !isBarren(way),
  );
  return only !== undefined && others.length === 0 && isFilter(bare(only));
}

/** `if .email == null then error("…") else . end` */
function refusesOnly(stage: Node): boolean {
  if (stage.kind === "Group") return refusesOnly(stage.body);
  if (stage.kind !== "If") return false;
  const ends = [...stage.branches.map(({ body }) => body), ...(stage.otherwise ? [stage.otherwise] : [])];
  return ends
    .map(bare)
    .every((end) => end.kind === "Identity" || (end.kind === "Call" && end.name.text === "error"));
}

/** `${piped_content.0} | del(.email)`, in a program whose output is sent. */
const isWholeInProgram = ({ root, command, syntax }: Expansion): boolean =>
  root === "piped_content" && command?.key === "!jq" && syntax.path.length === 2;

/** `. + {email: (.email | ascii_downcase)}`, `.phone |= …`: a member is made of what it was. */
const refines = (program: JqProgram): boolean => refinedIn(program).length > 0;

/**
 * The members that a program makes of what they were, in the object that it gives on.
 *
 * @param isForm whether only those count that get another form: a search in small letters may find any
 */
function refinedIn(program: JqProgram, isForm = false): readonly string[] {
  if (!/\.\s*\w/.test(program.node.value)) return [];
  return (addedBy(program) ?? []).flatMap(({ name, node }) => {
    const isRefined =
      (node.kind === "Assignment" && node.operator === "|=") ||
      madeOf(node, program).some(
        (each) =>
          each.kind === "Postfix" &&
          each.head.kind === "Identity" &&
          nameOfValue(each) === name &&
          !(node.kind === "Assignment" && each === bare(node.target)) &&
          !isCopy(node, each),
      );
    return isRefined && !(isForm && isLettersOnly(node, program)) ? [name] : [];
  });
}

const isLettersOnly = (node: Added["node"], program: JqProgram): boolean =>
  madeOf(node, program).every(
    (each) => each.kind !== "Call" || respells.has(each.name.text) || each.name.text === "error",
  );

/** What a member is made of; `$phone` is what it was bound to. */
function madeOf(node: Added["node"], program: JqProgram): readonly Node[] {
  const value =
    node.kind === "Entry"
      ? (node.value ?? (node.key.kind === "Variable" ? node.key : undefined))
      : node.kind === "Assignment"
        ? node.value
        : undefined;
  const bound = value === undefined ? undefined : resolved(value, program);
  return nodesIn(
    bound !== undefined && bound !== value ? bound : node.kind === "Entry" ? (value ?? node) : node,
  );
}

/** `{email: .email}` */
const isCopy = (node: Node, value: Expression): boolean =>
  (node.kind === "Entry" && node.value !== undefined && bare(node.value) === value) ||
  (node.kind === "Assignment" && bare(node.value) === value);

/** Whether a step leaves out what is empty of what a step before gave. */
const cleansOf = ({ key, program, pipe, stepsRun, parent }: Command, read: number): boolean =>
  key === "!jq" &&
  parent === pipe &&
  pipe !== undefined &&
  program?.diagnostics.length === 0 &&
  filters(program) &&
  indexMade(pipe, read) === indexMade(pipe, stepsRun);

/** Whether a request that writes is a case of a choice: the other case takes the same record. */
const isInOneChoice = ({ command }: Expansion): boolean =>
  command?.parent?.key === "!switch" &&
  /^(?:POST|PUT|PATCH)$/i.test(textOf(command.argument, "method") ?? "") &&
  !commentsBelow(command.parent.node).some(({ value }) => empties.test(value));

/** Whether two or more other cases of the same choice send what a step has made of it. */
const isOnlyOne = (body: Expansion, step: number, bodies: readonly Expansion[]): boolean =>
  body.command?.parent?.key === "!switch" &&
  bodies.filter(
    (other) => other.command?.parent === body.command?.parent && other !== body && stepRead(other) === step,
  ).length > 1;

/** What a comment says of a null that is sent on purpose. */
const empties =
  /\b(?:null|empt(?:y|ies)|clear(?:s|ed)?|remov(?:es?|ed)|delet(?:es?|ed)|as (?:it|they) (?:is|are))\b/i;

const stepRead = ({ syntax }: Pick<Expansion, "syntax">): number => Number(syntax.path[1]?.text);

/** `${piped_content.1} + {…}`, and `. + {…}` where step 1 comes just before. */
function completes(program: JqProgram, step: number): boolean {
  const body = plainBody(program);
  if (body.kind !== "Arithmetic" || body.rest.some(({ operator }) => operator !== "+")) return false;
  const first = bare(body.first);
  if (!body.rest.every(({ operand }) => bare(operand).kind === "Object")) return false;
  if (first.kind === "Identity") return program.command.stepsRun === step;
  const hole = first.kind === "Hole" ? program.holes[first.hole] : undefined;
  return (
    hole?.root === "piped_content" && hole.syntax.path.length === 2 && stepRead(hole as Expansion) === step
  );
}
