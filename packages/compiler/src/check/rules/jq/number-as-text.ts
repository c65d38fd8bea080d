import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldChosen } from "../../../flow/chosen.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { recordOfMember } from "../../../flow/record-kind.ts";
import { unitOfName } from "../../../flow/unit.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { givenAt } from "./fails-on-null.ts";

const numberAsText = defineRule<{ name: string; text: string; reckoned: string; instead: string }>({
  id: "jq/number-as-text",
  severity: "warning",
  summary: "A number is compared with a text of digits",
  why: 'A number never equals a text, and comes before every text: `0 == "0"` is false. So the comparison has the same outcome for every record, and one branch never runs.',
  guards: ["D23", "command.!switch", "command.!jq"],
  message: ({ name, text }) => `\`${name}\` is a number, and \`${text}\` is a text: no number equals it.`,
  because: ({ name, text, reckoned }) => [
    `\`${reckoned}\` calculates with \`${name}\` elsewhere: it is a number`,
    `compared with \`${text}\`, each record has the same outcome`,
  ],
  help: ({ instead }) => `Compare it with \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/orders", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if .order.fee_cents == «\\"0\\"» then {note: \\"free\\"} else {note: \\"\\\\(.order.fee_cents / 100) euros\\"} end"}, {"!http": {"method": "POST", "path": "/notes", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/orders", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if .order.fee_cents == 0 then {note: \\"free\\"} else {note: \\"\\\\(.order.fee_cents / 100) euros\\"} end"}, {"!http": {"method": "POST", "path": "/notes", "body": "${piped_content.2}"}}]}',
      fixed:
        '{"!pipe": [{"!http": {"method": "POST", "path": "/orders", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if .order.fee_cents == 0 then {note: \\"free\\"} else {note: \\"\\\\(.order.fee_cents / 100) euros\\"} end"}, {"!http": {"method": "POST", "path": "/notes", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [numberAsText],
  checks: {
    document(model, report) {
      const compared = comparedWithDigits(model);
      if (compared.length === 0) return;
      const numbers = reckonedWith(model);
      for (const { program, value, digits, name } of compared) {
        const same = numbers.filter(
          (each) =>
            each.name === name &&
            (isSameMember(each, { program, value }) || isOfSameKind(each, { program, value }, model)),
        );
        const [other] = same;
        // Who compares it with the number, too, is ready for both.
        const isBoth = same.some(
          ({ reckoned }) =>
            reckoned.kind === "Comparison" &&
            [reckoned.left, reckoned.right].some(
              (side) => typeof constantOf(side) === "number" && `${constantOf(side)}` === constantOf(digits),
            ),
        );
        if (other === undefined || isBoth || !isAsItCame(trailsOf(flowOf(model), program, bare(value))))
          continue;
        if (isMapped(value, program, model)) continue;
        const at = { node: program.node, from: digits.start, to: digits.end };
        report(
          numberAsText,
          at,
          {
            name: textAt(bare(value), program),
            text: textAt(digits, program),
            reckoned: excerpt(textAt(other.reckoned, other.program)),
            instead:
              constantOf(digits) === undefined
                ? `(${textAt(digits, program)} | tonumber)`
                : `${constantOf(digits)}`,
          },
          [
            {
              message: "a number here",
              at: { node: other.program.node, from: other.reckoned.start, to: other.reckoned.end },
            },
          ],
        );
      }
    },
  },
};
export default module;

interface Read {
  readonly program: JqProgram;
  readonly value: Expression;
}

/** Members that are compared with a text of digits. */
const comparedWithDigits = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    const isWritten = /["'][-+]?\d/.test(program.node.value);
    if (!isWritten && !program.holes.some(({ root }) => root === "custom_data")) return [];
    return nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
      const [field, member] = [
        [left, right],
        [right, left],
      ].find(([each]) => offersDigits(each!, program)) ?? [undefined, undefined];
      if (field !== undefined && member !== undefined && /^[!=]=$/.test(operator)) {
        const name = nameOf(member, program);
        return name === undefined ? [] : [{ program, value: member, digits: field, name }];
      }
      if (!isWritten) return [];
      const [value, digits] = typeof constantOf(left) === "string" ? [right, left] : [left, right];
      const text = constantOf(digits);
      const name = nameOf(value, program);
      if (typeof text !== "string" || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) || name === undefined)
        return [];
      return [{ program, value, digits, name }];
    });
  }),
);

/** Members that something is subtracted from, or that are multiplied, divided or compared with a number, as they are. */
const reckonedWith = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    const found: { program: JqProgram; value: Expression; reckoned: Expression; name: string }[] = [];
    const add = (value: Expression, reckoned: Expression): void => {
      const name = nameOf(value, program);
      if (name !== undefined) found.push({ program, value, reckoned, name });
    };
    for (const node of nodesOfKind(program, "Arithmetic"))
      for (const [at, { operator, operand }] of node.rest.entries()) {
        // Texts are added, too; a number only to a number.
        if (operator === "+" && (at > 0 || typeof constantOf(operand) !== "number")) continue;
        if (at === 0) add(node.first, node);
        add(operand, node);
      }
    for (const node of nodesOfKind(program, "Comparison")) {
      if (typeof constantOf(node.right) === "number") add(node.left, node);
      if (typeof constantOf(node.left) === "number") add(node.right, node);
    }
    return found;
  }),
);

/** Whether a customer chooses it among texts of digits: `"2024"` and `"2025"`. */
function offersDigits(node: Expression, program: JqProgram): boolean {
  const field = fieldChosen(node, program);
  if (field?.type !== "dropdown") return false;
  const values = objectItems(field.node.get("options")).map((option) => option.get("value"));
  return (
    values.length > 1 &&
    values.every((value) => value?.kind === "string" && /^(?:0|[1-9]\d*)$/.test(value.value))
  );
}

/** The name of a member that is read by it. */
function nameOf(given: Expression, program: JqProgram): string | undefined {
  const node = bare(given);
  if (node.kind === "Hole") {
    const { root, syntax } = program.holes[node.hole] ?? {};
    return root === "piped_content" && syntax !== undefined && syntax.path.length > 2
      ? syntax.path.at(-1)!.text
      : undefined;
  }
  return node.kind === "Postfix" ? nameOfValue(node) : undefined;
}

/** Whether two members of one name are the same: the name says what it counts, or both are of what is called the same. */
function isSameMember(one: Read & { readonly name: string }, other: Read): boolean {
  if (unitOfName(one.name) !== undefined || isOfSameRecord(one, other)) return true;
  const [owner, otherOwner] = [ownerOf(one), ownerOf(other)];
  return owner !== undefined && owner === otherOwner;
}

/** Whether both are of one kind of record, by what they are read from: `GET /policies` and `GET /policies/1`. */
function isOfSameKind(one: Read, other: Read, model: Model): boolean {
  const [kind, otherKind] = [one, other].map(({ program, value }) =>
    recordOfMember(trailsOf(flowOf(model), program, bare(value))),
  );
  return kind !== undefined && kind === otherKind;
}

/** Whether one program reads both from the same place: `$h.state == 40` and `$h.state == "20"`. */
function isOfSameRecord(one: Read, other: Read): boolean {
  if (one.program !== other.program) return false;
  const [place, otherPlace] = [one, other].map(({ program, value }) => givenAt(value, program));
  return (
    place !== undefined &&
    otherPlace !== undefined &&
    place.hole === otherPlace.hole &&
    place.path.join("\n") === otherPlace.path.join("\n")
  );
}

/** `application` of `.application.fee`; within one program, `$a` of `$a.fee`. */
function ownerOf({ program, value }: Read): string | undefined {
  const text = textAt(bare(value), program);
  return /([A-Za-z_]\w{2,})\.\w+$/.exec(text)?.[1];
}

/** Whether it is what customers map, which may be a text. */
function isMapped(value: Expression, program: JqProgram, model: Model): boolean {
  return trailsOf(flowOf(model), program, bare(value)).some(
    ({ origin }) => origin.kind === "place" && origin.command.place.input === "transformed",
  );
}
