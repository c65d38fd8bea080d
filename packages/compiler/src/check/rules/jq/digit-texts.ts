import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isCountName } from "../../../flow/count-names.ts";
import { bare, isExpression, isLength, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { unitOfName } from "../../../flow/unit.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { type JsonNode, objectItems } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const digitTexts = defineRule<{ text: string; field: string; operator: string }>({
  id: "jq/digits-as-text",
  severity: "warning",
  summary: "A program reckons with an option, or orders by it, as if it were a number",
  why: 'What a customer chooses is a text, also where it looks like a number. Every number comes before every text, and texts are ordered sign by sign: "9" comes behind "10". And a text times a number is that text, repeated.',
  guards: ["D10", "D12", "D23"],
  message: ({ text, field, operator }) =>
    operator === "*"
      ? `\`${field}\` is a text, so \`${text}\` repeats its digits.`
      : `\`${field}\` is a text, so \`${text}\` doesn't compare numbers: every number comes before every text.`,
  because: ({ field, operator }) => [
    `each option of \`${field}\` is a text of digits`,
    operator === "*" ? '"5" * 3 is "555"' : '7 < "5" is true, and so is 100 < "5"',
  ],
  help: () => "Make a number of it with `tonumber`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "At least", "type": "dropdown", "options": [{"display": "Five", "value": "5"}, {"display": "Twenty", "value": "20"}]}',
      },
      bad: '{"!jq": "if «.amount < ${custom_data.form.value}» then null else {email: .email} end"}',
      good: '{"!jq": "if .amount < (${custom_data.form.value} | tonumber) then null else {email: .email} end"}',
    },
    {
      title: "Times a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "At least", "type": "dropdown", "options": [{"display": "Five", "value": "5"}, {"display": "Twenty", "value": "20"}]}',
      },
      bad: '{"!jq": "if .cents < («${custom_data.form.value} * 100» | tonumber) then null else {email: .email} end"}',
      good: '{"!jq": "if .cents < (${custom_data.form.value} | tonumber) * 100 then null else {email: .email} end"}',
    },
  ],
});

const ratings =
  '{"id": "stars", "label": "Stars", "type": "multiselect", "options": [{"display": "One star", "value": "1"}, {"display": "Five stars", "value": "5"}]}';

const numberAmongTexts = defineRule<{ text: string; field: string; value: string; number: string }>({
  id: "jq/number-among-texts",
  severity: "warning",
  summary: "A number is looked for among the values that a customer chose, which are texts",
  why: "What a customer chooses is a text, also where it looks like a number, and no number is equal to a text. So nothing is ever found: whoever chooses something gets no record at all, or all that they left out.",
  guards: ["D10", "D12", "D23"],
  message: ({ text, field, value, number }) =>
    `\`${text}\` finds nothing: \`${value}\` is a number, as \`${number}\` has it, and the values of \`${field}\` are texts.`,
  because: ({ value, field }) => [
    `a customer chooses in \`${field}\`: ["1", "5"]`,
    `\`${value}\` is 5: it isn't in there`,
  ],
  help: ({ value }) =>
    `Look for \`(${value} | tostring)\`, or make numbers of what was chosen: \`map(tonumber)\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1": ratings,
      },
      bad: '{"!jq": ". as $r | if («${custom_data.stars.value} | index($r.stars)») == null then null else {email: $r.email, happy: ($r.stars >= 4)} end"}',
      good: '{"!jq": ". as $r | if (${custom_data.stars.value} | index($r.stars | tostring)) == null then null else {email: $r.email, happy: ($r.stars >= 4)} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [digitTexts, numberAmongTexts],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || program.holes.length === 0) return;
      const tell = (node: Expression, operator: string, field: string): void => {
        const text = excerpt(textAt(node, program));
        report(digitTexts, { node: program.node, from: node.start, to: node.end }, { text, field, operator });
      };
      // A text that is subtracted or divided fails, which is told of the operands' types.
      const failing = new Set(
        nodesOfKind(program, "Arithmetic").flatMap(({ first, rest }) =>
          rest.every(({ operator }) => operator === "+" || operator === "*")
            ? []
            : [first, ...rest.map(({ operand }) => operand)].map(bare),
        ),
      );
      for (const node of nodesOfKind(program, "Arithmetic").filter((each) => !failing.has(each)))
        for (const [at, { operator, operand }] of node.rest.entries()) {
          const before = at === 0 ? node.first : undefined;
          const sides = [before, operand] as const;
          const field = sides.map((side) => (side === undefined ? undefined : digitsOf(side, program)));
          const other = field[0] === undefined ? before : operand;
          const known = field[0] ?? field[1];
          if (operator === "*" && known !== undefined && other !== undefined && isNumber(other))
            tell(node, operator, known.field);
        }
      for (const node of nodesOfKind(program, "Pipeline")) tellLookup(node, program, report);
      for (const node of nodesOfKind(program, "Comparison")) {
        const { left, right, operator } = node;
        if (operator === "==" || operator === "!=") continue;
        const known = digitsOf(left, program) ?? digitsOf(right, program);
        const other = digitsOf(left, program) === undefined ? left : right;
        if (known === undefined || digitsOf(other, program) !== undefined) continue;
        // Texts of one length, as of years, are ordered as their numbers are.
        if ((known.isOfOneLength && !isAmount(other, program)) || typeof constantOf(other) === "string")
          continue;
        tell(node, operator, known.field);
      }
    },
  },
};
export default module;

/** `LIST | index(X)`, where the one has texts and the other is a number. */
function tellLookup(
  { stages }: Extract<Expression, { kind: "Pipeline" }>,
  program: JqProgram,
  report: Report,
): void {
  for (const [at, call] of stages.entries()) {
    const [argument, ...others] = call.kind === "Call" && call.name.text === "index" ? call.arguments : [];
    const list = stages[at - 1];
    if (argument === undefined || others.length > 0 || list === undefined || !isExpression(list)) continue;
    const field = textsOf(list, program);
    const number = field === undefined ? undefined : numberAsked(argument, program);
    if (field === undefined || number === undefined) continue;
    report(
      numberAmongTexts,
      { node: program.node, from: list.start, to: call.end },
      {
        text: excerpt(program.node.value.slice(list.start, call.end).trim()),
        field,
        value: textAt(argument, program),
        number: textAt(number, program),
      },
      [{ message: "a number here", at: { node: program.node, from: number.start, to: number.end } }],
    );
  }
}

/** The field of which an expression is the list of values, all of them texts of digits. */
function textsOf(given: Expression, program: JqProgram): string | undefined {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : textsOf(source, program);
  }
  if (node.kind === "Array" && node.body !== undefined) {
    const body = bare(node.body);
    const [first, ...rest] = body.kind === "Pipeline" ? body.stages : [body];
    const isKept = rest.every(
      (stage) =>
        (stage.kind === "Call" && /^(?:arrays|strings)$/.test(stage.name.text)) ||
        (stage.kind === "Postfix" &&
          stage.head.kind === "Identity" &&
          stage.suffixes.every(({ kind }) => kind === "Iterate" || kind === "Optional")),
    );
    return first !== undefined && isExpression(first) && isKept ? textsOf(first, program) : undefined;
  }
  const hole = node.kind === "Postfix" ? node.head : node;
  if (
    node.kind === "Postfix" &&
    !node.suffixes.every(({ kind }) => kind === "Iterate" || kind === "Optional")
  )
    return undefined;
  const expansion = hole.kind === "Hole" ? program.holes[hole.hole] : undefined;
  const { root, rootExact, fields = [], syntax } = expansion ?? {};
  if (root !== "custom_data" || rootExact !== true || syntax?.path[2]?.text !== "value") return undefined;
  const areDigits = ({ node: field, type }: FieldSymbol): boolean => {
    const values = objectItems(field.get("options")).map((option) => option.get("value"));
    const isDigits = (value: JsonNode | undefined): boolean =>
      value?.kind === "string" && /^\d+(?:\.\d+)?$/.test(value.value);
    return type === "multiselect" && values.length > 0 && values.every(isDigits);
  };
  return fields.length > 0 && fields.every(areDigits) ? syntax.path[1]?.text : undefined;
}

/** Where a program reckons with the same value, or asks how great it is. */
function numberAsked(given: Expression, program: JqProgram): Expression | undefined {
  const path = bare(given);
  const isPath =
    path.kind === "Postfix" &&
    path.head.kind === "Variable" &&
    path.suffixes.every(({ kind }) => kind === "Field");
  if (!isPath) return undefined;
  const isSame = (node: Expression): boolean => textAt(bare(node), program) === textAt(path, program);
  return nodesOfKind(program, "Comparison").find(
    ({ operator, left, right }) =>
      operator !== "==" && operator !== "!=" && isSame(left) && typeof constantOf(right) === "number",
  );
}

/** Whether a value is a number by its name, or the program reckons with it: `.seats_left`. */
function isAmount(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (isLength(node)) return true;
  // Texts are added, too.
  if (node.kind === "Arithmetic") return node.rest.every(({ operator }) => operator !== "+");
  const name = nameRead(node, program)?.replace(/^\$/, "");
  if (name === undefined) return false;
  const unit = unitOfName(name);
  return isCountName(name) || isRest.test(name) || (unit !== undefined && !isTimeName(name));
}

/** `seats_left`, `freePlaces` */
const isRest =
  /^[a-z]+s(?:_(?:left|free|remaining|available|open)|(?:Left|Free|Remaining|Available|Open))$|^(?:free|remaining|available|open)(?:_[a-z]+s|[A-Z][a-z]*s)$/;

const isNumber = (node: Expression): boolean => typeof constantOf(bare(node)) === "number";

/** The field of which an expression is the value, if all its options are texts of digits. */
function digitsOf(
  node: Expression,
  { holes }: JqProgram,
): { readonly field: string; readonly isOfOneLength: boolean } | undefined {
  const inner = bare(node);
  const {
    root,
    rootExact,
    fields = [],
    syntax,
  } = (inner.kind === "Hole" ? holes[inner.hole] : undefined) ?? {};
  const isValue = syntax?.path.length === 3 && syntax.path[2]?.text === "value";
  if (root !== "custom_data" || rootExact !== true || !isValue || fields.length === 0) return undefined;
  const values = fields.flatMap(({ node: field, type }) =>
    type === "dropdown"
      ? objectItems(field.get("options")).map((option) => option.get("value"))
      : [undefined],
  );
  const digits = values.flatMap((value) =>
    value?.kind === "string" && /^\d+(?:\.\d+)?$/.test(value.value) ? [value.value.length] : [],
  );
  if (digits.length === 0 || digits.length < values.length) return undefined;
  return {
    field: syntax.path[1]?.text ?? "",
    isOfOneLength: new Set(digits).size === 1 && digits.length > 1,
  };
}
