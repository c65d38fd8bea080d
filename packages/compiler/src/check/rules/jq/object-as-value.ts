import type { Expression, ObjectEntry, Postfix } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Kind, kindOfName } from "../../../flow/exchange/name-kind.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stepsOf, type ValueSource } from "../../../flow/value-path.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const objectAsValue = defineRule<{ name: string; text: string; read: string }>({
  id: "jq/object-as-value",
  severity: "warning",
  summary: "A whole object goes where one value belongs",
  why: "A program that reads `.account.id` says that `.account` is an object. Under a name that wants a text or a number, customers see JSON, or the service refuses it.",
  guards: ["D23", "command.!jq"],
  message: ({ name, text, read }) =>
    `\`${name}\` gets the whole object \`${text}\`, of which this program also reads \`${read}\`.`,
  because: ({ name, text, read }) => [
    `\`${read}\` is read: \`${text}\` is an object`,
    `\`${name}\` wants one value`,
  ],
  help: ({ name }) => `Read the member of it that \`${name}\` means.`,
  examples: [
    {
      title: "A part of what comes in",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: (.account.id | tostring), description: «.account»}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: (.account.id | tostring), description: .account.name}"}]}',
    },
    {
      title: "All of it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .person.email, first_name: «.», last_name: .person.family_name}"}',
      good: '{"!jq": "{email: .person.email, first_name: .person.given_name, last_name: .person.family_name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [objectAsValue],
  checks: {
    program(program, report) {
      const { node, command } = program;
      // What options may be is told there.
      if (command.place.name.endsWith(".options")) return;
      // Values of several types are told apart there.
      if (/\btype\b|\b(?:objects|scalars|strings)\b/.test(node.value)) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const name = nameOf(key);
          if (name === undefined || value === undefined) continue;
          const path = plain(value);
          if (!isWhole(path)) continue;
          const text = textAt(path, program);
          // Of most paths nothing is read.
          if (path.kind !== "Identity" && !node.value.includes(`${text}.`)) continue;
          const isOne =
            wantsOneValue(name, entries) ||
            isContactField(name, path, entries, program) ||
            (command.unit?.kind === "intake" && isPlaceName.test(name));
          if (!isOne || isMapped(name, path, program)) continue;
          // That an object is no description, its type says already.
          if (path.kind === "Identity" && name === "description") continue;
          // What is handed on under its own name may be anything there.
          if (text.endsWith(`.${name}`)) continue;
          const read =
            path.kind === "Identity" ? readBeside(entries, program) : readBelow(text, path, program);
          if (read !== undefined)
            report(objectAsValue, { node, from: path.start, to: path.end }, { name, text, read });
        }
    },
  },
};
export default module;

/** `.`, `$person`, `.account`, `.phones[0]` */
function isWhole(value: Expression): boolean {
  if (value.kind === "Identity" || value.kind === "Variable") return true;
  if (value.kind !== "Postfix" || value.suffixes.at(-1)?.kind === "Slice") return false;
  const isRead = value.head.kind === "Identity" || value.head.kind === "Variable";
  return isRead && value.suffixes.every(({ kind }) => kind === "Field" || kind === "Index");
}

/** What a poll goes on from, and sends: `after`, `start_after`. */
const isPlaceName = /^(?:(?:start(?:ing)?|search|page)_?)?(?:after|before|from|since)$/i;

/** A value without what makes a text of it. */
function plain(value: Expression): Expression {
  const inner = bare(value);
  if (inner.kind !== "Pipeline") return inner;
  const [first, last, ...others] = inner.stages as readonly Expression[];
  const isText = last?.kind === "Call" && last.name.text === "tostring" && others.length === 0;
  return first !== undefined && isText ? bare(first) : inner;
}

const scalars: ReadonlySet<Kind> = new Set([
  "email",
  "phone",
  "url",
  "time",
  "name",
  "number",
  "page",
  "size",
  "cursor",
]);

/** Whether a name is that of one value, and of no record. Of ids, `jq/object-as-id` tells. */
function wantsOneValue(name: string, entries: readonly ObjectEntry[]): boolean {
  if (isIdName(name)) return false;
  if (name === "display" || name === "value")
    return entries.some(({ key }) => nameOf(key) === (name === "value" ? "display" : "value"));
  if (name === "description" || isSecretName(name)) return true;
  const kind = kindOfName(name);
  return kind !== undefined && scalars.has(kind);
}

/** Whether a variable is given for a field of a contact, which has one value whatever it is called. */
function isContactField(
  name: string,
  { kind }: Expression,
  entries: readonly ObjectEntry[],
  { command }: JqProgram,
): boolean {
  const { unit, place, parent, pipe } = command;
  if (kind !== "Variable" || unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return false;
  // What a step before the last one makes isn't mapped yet.
  const isLast =
    parent === undefined ||
    (parent === pipe && pipe.parent === undefined && pipe.children.at(-1) === command);
  return isLast && !name.startsWith("_") && entries.some(({ key }) => nameOf(key) === "email");
}

/** Whether it is a field that customers map, of whose paths `mapping/object-as-field` tells. */
function isMapped(name: string, { kind }: Expression, { command: { unit, place } }: JqProgram): boolean {
  if (kind === "Identity" || unit?.kind !== "workflow" || place.name !== "data_pipeline.source") return false;
  const [map, ...others] = unit.maps;
  const side = map?.node.get("describe_source");
  const options = side?.kind === "object" ? side.get("options") : undefined;
  return (
    others.length === 0 &&
    options?.kind === "array" &&
    objectItems(options).some((option) => textOf(option, "id") === name)
  );
}

/** A member of the same input that another entry reads. */
function readBeside(entries: readonly ObjectEntry[], program: JqProgram): string | undefined {
  for (const { value } of entries) {
    const read = value === undefined ? undefined : firstRead(plain(value));
    if (read !== undefined) return textAt(read, program);
  }
  return undefined;
}

/** The member of its input that an expression reads first, if it certainly does. */
function firstRead(value: Expression): Expression | undefined {
  switch (value.kind) {
    case "Group":
      return firstRead(value.body);
    case "Postfix":
      return value.head.kind === "Identity" && value.suffixes[0]?.kind === "Field" ? value : undefined;
    case "Pipeline": {
      const [first] = value.stages;
      const isStage = first !== undefined && first.kind !== "Definition" && first.kind !== "Label";
      return isStage && first.kind !== "Binding" ? firstRead(first) : undefined;
    }
    case "Alternative":
      return firstRead(value.operands[0]!);
    case "Arithmetic":
      return [value.first, ...value.rest.map(({ operand }) => operand)]
        .map(firstRead)
        .find((read) => read !== undefined);
    case "String":
      return value.parts
        .map((part) => (part.kind === "Interpolation" ? firstRead(part.expression) : undefined))
        .find((read) => read !== undefined);
    default:
      return undefined;
  }
}

/** A member that is read of a path, wherever the program does: `.account.id` of `.account`. */
function readBelow(text: string, path: Expression, program: JqProgram): string | undefined {
  const other = nodesOfKind(program, "Postfix").find((each) => {
    if (each.start === path.start) return false;
    const whole = textAt(each, program);
    return whole.startsWith(`${text}.`) && !whole.startsWith(`${text}.[`) && readsSame(path, each, program);
  });
  return other === undefined ? undefined : textAt(other, program);
}

/**
 * Whether what is written alike may be the same value: `.owner` of a deal isn't `.owner` of a ticket. `.[0]` says nothing of what it
 * is a part of: that must be known.
 */
function readsSame(path: Expression, { head, suffixes }: Postfix, program: JqProgram): boolean {
  const own = path.kind === "Postfix" ? path.suffixes : [];
  const steps = stepsOf(suffixes.slice(0, own.length));
  if (head.kind !== "Identity" || steps === undefined) return true;
  const first = new Set(sourcesOf(program, path, []).map(keyOf));
  const second = sourcesOf(program, head, steps).map(keyOf);
  if (own[0]?.kind !== "Index" && (first.size === 0 || second.length === 0)) return true;
  return second.some((key) => first.has(key));
}

const keyOf = (source: ValueSource): unknown =>
  source.kind === "made" ? source.node : JSON.stringify(source);
