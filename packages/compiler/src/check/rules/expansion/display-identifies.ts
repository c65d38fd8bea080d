import type { Expression } from "@configc/jq";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isIdsName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, isHole, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, nounOf } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { kindOfField } from "../../../flow/record-kind.ts";
import { saysAround, saysOf } from "../../../flow/said/of-name.ts";
import { underlying } from "../../../flow/underlying.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { graphqlId } from "../http/graphql.ts";
import { renameFix } from "./edits.ts";
import { hasIds, keyOf, offersWords, showsAnother, showsNames } from "./shown-options.ts";
import { legalUsesIn, type RootUse, type UsedName } from "./uses.ts";

const displayIdentifies = defineRule<{ id: string; place: string }>({
  id: "expansion/display-identifies",
  severity: "hint",
  summary: "An option's `display` is used where its `value` identifies something",
  why: "Customers read `display`; the API knows `value`. With a label instead of the id, the request finds nothing, or something else, and a payload, which has the id, is routed to nobody.",
  guards: ["D12", "D18", "D31", "expansion.custom_data"],
  message: ({ id, place }) =>
    `${place}, but this is the label of the option. In \`${id}\` its \`value\` is different.`,
  because: ({ id }) => [
    `a customer chooses “Spring”, with the value 7, in \`${id}\``,
    "the API gets “Spring” instead of 7",
  ],
  help: ({ id }) => `Write \`custom_data.${id}.value\`.`,
  examples: [
    {
      title: "D18: in a path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/audiences/${custom_data.list.«display»}/subscribers"',
      good: '"/audiences/${custom_data.list.value}/subscribers"',
      fixed: '"/audiences/${custom_data.list.value}/subscribers"',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, "value"),
});

const displayForId = defineRule<{ id: string; place: string }>({
  id: "expansion/display-for-id",
  severity: "warning",
  summary: "An option's `display` goes where an id is wanted, and its `value` is an id",
  why: "The options say themselves which part is the id: their `value`. A label under the name of an id, or compared with one, is never what is meant: requests are refused, and deliveries find nobody.",
  guards: ["D12", "D31", "expansion.custom_data"],
  message: ({ id, place }) =>
    `${place}, but this is the label of the option. The service knows the \`value\` of \`${id}\`.`,
  because: ({ id }) => [
    `a customer chooses “Spring”, with the id 7, in \`${id}\``,
    "“Spring” goes where 7 is wanted",
  ],
  help: ({ id }) => `Write \`custom_data.${id}.value\`.`,
  examples: [
    {
      title: "D12: in a parameter that is named like the field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/subscribers", "params": {"list": "${custom_data.list.«display»}"}, "body": {"email": "${piped_content.0.email}"}}',
      good: '{"method": "POST", "path": "/subscribers", "params": {"list": "${custom_data.list.value}"}, "body": {"email": "${piped_content.0.email}"}}',
      fixed:
        '{"method": "POST", "path": "/subscribers", "params": {"list": "${custom_data.list.value}"}, "body": {"email": "${piped_content.0.email}"}}',
    },
    {
      title: "D12: under the name of an id",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, list_id: ${custom_data.list.«display»}}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, list_id: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, list_id: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/subscribers", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "D31: in what payloads are routed by",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/resource_id",
      bad: '{"!jq": ".custom_data.form.«display»"}',
      good: '{"!jq": ".custom_data.form.value"}',
      fixed: '{"!jq": ".custom_data.form.value"}',
    },
    {
      title: "D18: in a path that has the id elsewhere",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.«display»}/subscribers", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.1.list.key}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.1.list.key}"}}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.1.list.key}"}}}]}',
    },
    {
      title: "In a member that says more of the field's name",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .name, value: .code}]"}]}',
      },
      bad: '{"method": "POST", "path": "/moves", "body": {"email": "${piped_content.0.email}", "target_list": "${custom_data.list.«display»}"}}',
      good: '{"method": "POST", "path": "/moves", "body": {"email": "${piped_content.0.email}", "target_list": "${custom_data.list.value}"}}',
      fixed:
        '{"method": "POST", "path": "/moves", "body": {"email": "${piped_content.0.email}", "target_list": "${custom_data.list.value}"}}',
    },
    {
      title: "A variable that the query declares as an id",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($l: ID!, $email: String!) { invite(list: $l, email: $email) { id } }", "variables": {"l": "${custom_data.list.«display»}", "email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($l: ID!, $email: String!) { invite(list: $l, email: $email) { id } }", "variables": {"l": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
      fixed:
        '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($l: ID!, $email: String!) { invite(list: $l, email: $email) { id } }", "variables": {"l": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
    {
      title: "D12: compared with an id",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .form_id == ${custom_data.form.«display»} then {email: .email} else null end"}',
      good: '{"!jq": "if .form_id == ${custom_data.form.value} then {email: .email} else null end"}',
      fixed: '{"!jq": "if .form_id == ${custom_data.form.value} then {email: .email} else null end"}',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, "value"),
});

const module: RuleModule = {
  rules: [displayIdentifies, displayForId],
  checks: {
    document(model, report) {
      for (const { use, fields, needs } of displayedUses(model)) {
        const [id, attribute] = use.names as [UsedName, UsedName];
        const header = use.expansion === undefined ? undefined : headerOf(use.expansion);
        const place =
          header !== undefined && isHeaderElsewhere(use.expansion!, header, model)
            ? `Elsewhere the header \`${header}\` has the value`
            : header !== undefined && !/name|label|title|agent/i.test(header)
              ? `The header \`${header}\` needs what the service knows`
              : (needs ?? sentAs(use, fields, model));
        if (place === undefined || isSaidShown(place, use, model)) continue;
        const isSaid =
          !place.startsWith("A ") ||
          hasValueElsewhere(use, model) ||
          fields.every((field) => isBelowItsList(use, field, model));
        const isCertain =
          isSaid &&
          (fields.every((field) => hasIds(field, model)) ||
            (place.startsWith("`") && fields.every(offersWords)) ||
            keyed(use, fields, model) !== undefined ||
            isSentElsewhere(use, model) ||
            isAskedFor(use.expansion));
        report(isCertain ? displayForId : displayIdentifies, attribute, { id: id.text, place });
      }
    },
  },
};
export default module;

interface DisplayedUse {
  readonly use: RootUse;
  readonly fields: readonly FieldSymbol[];
  /** What identifies something there, as the beginning of a sentence. */
  readonly needs: string | undefined;
}

/** Where the text is read that customers see, of fields whose options have another value. */
const displayedUses = derivedByPart((part, model) => {
  const found: DisplayedUse[] = [];
  for (const use of legalUsesIn(part, model, "custom_data")) {
    if (use.names[1]?.text !== "display" || use.meanings.length === 0) continue;
    const fields = use.meanings.flatMap(({ field, exact }) =>
      exact && field !== undefined && showsAnother(field, model) ? [field] : [],
    );
    if (fields.length === use.meanings.length)
      found.push({ use, fields, needs: identifying(use, model) ?? keyed(use, fields, model) });
  }
  return found;
}, "saved");

/** Whether a comment says that this takes what people read: `list takes the name of a list`, `lists are addressed by name`. */
function isSaidShown(place: string, { expansion }: RootUse, model: Model): boolean {
  const command = expansion?.command;
  if (command === undefined || !hasComments(model)) return false;
  const [, name] = /^`\.?(\w+)`/.exec(place) ?? [];
  return name === undefined
    ? expansion?.position === "path" && saysAround(byName, command, model)
    : saysOf(name, /\b(?:name|title|label)s?\b/i, command, model);
}

const byName =
  /\b(?:addressed|found|asked for|known|called|identified|goe?s?) by (?:the |its |their )?(?:name|title|label)s?\b/i;

/** Whether a parameter or member of that name gets the value of the same field elsewhere. */
function isSentElsewhere({ expansion }: RootUse, model: Model): boolean {
  const name = expansion === undefined ? undefined : paramNamed(expansion);
  return (
    name !== undefined &&
    model.expansions.some(
      (other) =>
        other.syntax.path[2]?.text === "value" &&
        other.syntax.path[1]?.text === expansion!.syntax.path[1]?.text &&
        paramNamed(other) === name,
    )
  );
}

/** Whether a request of an intake names what it wants by it: there nobody reads a label. */
const isAskedFor = (expansion: Expansion | undefined): boolean =>
  expansion?.command?.unit?.kind === "intake" &&
  (expansion.position === "value" || expansion.position === "parameter");

/** The name of the header that is all of this value. */
function headerOf({ position, syntax, node, command }: Expansion): string | undefined {
  const isWhole = position === "header" && syntax.start === 0 && syntax.end === node.value.length;
  const { argument } = command ?? {};
  const headers = isWhole && argument?.kind === "object" ? argument.get("headers") : undefined;
  return headers?.kind === "object" ? headers.members.find(({ value }) => value === node)?.name : undefined;
}

/** Whether another request has the value of the same field in the same header. */
function isHeaderElsewhere(expansion: Expansion, header: string, model: Model): boolean {
  return model.expansions.some(
    (other) =>
      other.syntax.path[2]?.text === "value" &&
      other.syntax.path[1]?.text === expansion.syntax.path[1]?.text &&
      headerOf(other)?.toLowerCase() === header.toLowerCase(),
  );
}

/** Whether the same path has the value of the same field at this place elsewhere. */
function hasValueElsewhere({ expansion }: RootUse, model: Model): boolean {
  if (expansion?.position !== "path") return false;
  const before = ({ node, syntax }: Expansion): string => node.value.slice(0, syntax.start);
  const own = before(expansion);
  return model.expansions.some(
    (other) =>
      other.position === "path" &&
      other.syntax.path[2]?.text === "value" &&
      other.syntax.path[1]?.text === expansion.syntax.path[1]?.text &&
      before(other) === own,
  );
}

/** Whether a path names a record by it, of those that the options are made of by their ids: `/lists/${…}`. */
function isBelowItsList({ expansion }: RootUse, field: FieldSymbol, model: Model): boolean {
  if (expansion?.position !== "path") return false;
  const { node, syntax } = expansion;
  const before = /(?:^|\/)([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
  const noun = before !== undefined && isPlural(before) ? nounOf(before) : undefined;
  return (
    noun !== undefined &&
    /^(?:[/?]|$)/.test(node.value.slice(syntax.end)) &&
    hasIds(field, model) &&
    showsNames(field, model) &&
    kindOfField(field, flowOf(model))?.nouns.has(noun) === true
  );
}

/** A member that is named after what the options have as their value: `reason_code`, where a reason is kept by its `code`. */
function keyed({ expansion }: RootUse, fields: readonly FieldSymbol[], model: Model): string | undefined {
  const name = expansion === undefined ? undefined : memberOf(expansion);
  const word = name === undefined || isShownName(name) ? undefined : wordsOf(name).at(-1);
  const isKept = fields.every((field) => {
    const key = keyOf(field, model);
    const noun = nounOf(field.id ?? "");
    return (
      key !== undefined &&
      key === word &&
      noun !== undefined &&
      (wordsOf(name!).length === 1 || wordsOf(name!).includes(noun))
    );
  });
  return isKept ? `\`${name}\` needs the \`${word}\` of what was chosen` : undefined;
}

/** The member or parameter that an expansion is all of, in a request or in a program. */
function memberOf(expansion: Expansion): string | undefined {
  const { command, position } = expansion;
  if (position === "parameter" || position === "value") return memberAt(expansion);
  const program = command?.program;
  const hole = program?.holes.indexOf(expansion) ?? -1;
  if (program === undefined || hole < 0) return undefined;
  const entry = nodesOfKind(program, "Entry").find(
    ({ value }) => value !== undefined && isHole(underlying(unjoined(value)), hole),
  );
  return entry === undefined ? undefined : nameOf(entry.key);
}

/** `VALUES` of `VALUES | join(",")`. */
function unjoined(given: Expression): Expression {
  const node = bare(given);
  const [first, last, ...others] = node.kind === "Pipeline" ? node.stages : [];
  const isJoined = last?.kind === "Call" && last.name.text === "join" && others.length === 0;
  return isJoined && first !== undefined && isExpression(first) ? first : node;
}

/** Where a value identifies something, as the beginning of a sentence. */
function identifying({ expansion, command }: RootUse, model: Model): string | undefined {
  const position = expansion?.position;
  if (expansion !== undefined && (position === "path" || position === "url"))
    return isSegment(expansion) ? "A path segment needs an id" : undefined;
  if (command?.place.name === "describe_selection.resource_id") return "`resource_id` needs an id";
  const variable = expansion === undefined ? undefined : graphqlId(expansion);
  if (variable !== undefined) return `\`$${variable}\` is an \`ID\` of the query`;
  const kept = expansion === undefined ? undefined : keptForPath(expansion, model);
  if (kept !== undefined) return `\`${kept}\` is saved for a path, which needs an id`;
  const param = expansion === undefined ? undefined : paramNamed(expansion);
  if (param !== undefined)
    return `\`${param}\` needs ${isIdName(param) || isIdsName(param) ? "an id" : "what the service knows"}`;
  const program = command?.program;
  if (expansion === undefined || program === undefined) return undefined;
  const hole = program.holes.indexOf(expansion);
  const named = namedAs(program, hole);
  if (named !== undefined) return `\`${named}\` names what was chosen`;
  const key = keyIn(program, hole);
  if (key !== undefined) return key;
  const other = comparedWith(program, hole);
  return other === undefined ? undefined : `\`${other}\` needs an id`;
}

/** The member that an intake saves a label as, where its own requests have what is saved as a segment: `/studios/${data.workflow.studio}/hooks`. */
function keptForPath(expansion: Expansion, model: Model): string | undefined {
  const { command } = expansion;
  if (command?.unit?.kind !== "intake" || command.program === undefined) return undefined;
  const name = memberOf(expansion);
  if (name === undefined || isShownName(name)) return undefined;
  const isRead = partOfUnit(command.unit, model).expansions.some(
    (each) =>
      each.root === "data" &&
      each.position === "path" &&
      each.syntax.path.length === 3 &&
      each.syntax.path[2]!.text === name &&
      isSegment(each),
  );
  return isRead ? name : undefined;
}

/** The name of a parameter or member of the body that is this value and nothing else. */
function memberAt({ command, node, position, syntax }: Expansion): string | undefined {
  const argument = command?.argument?.kind === "object" ? command.argument : undefined;
  if (position !== "parameter" && position !== "value") return undefined;
  const pending = ["params", "body"].flatMap((name) => argument?.member(name) ?? []);
  let name: string | undefined;
  for (let member = pending.pop(); member !== undefined && name === undefined; member = pending.pop()) {
    if (member.value === node) name = member.name;
    if (member.value?.kind === "object") pending.push(...member.value.members);
  }
  return syntax.start === 0 && syntax.end === node.value.length ? name : undefined;
}

/** The same where it is called as the field is, or as an id. */
function paramNamed(expansion: Expansion): string | undefined {
  const { command, syntax } = expansion;
  const name = memberAt(expansion);
  if (name === undefined) return undefined;
  // What an intake asks for is known to the service by its value, except for names that people read there.
  if (command?.unit?.kind === "intake" && !isShownName(name) && !/note|text|comment|info/i.test(name))
    return name;
  return isIdName(name) || isIdsName(name) || isSameName(name, syntax.path[1]?.text) ? name : undefined;
}

/** Whether a name is that of a field, or says more of it in front: `consignor_facility` of `facility`. */
function isSameName(a: string, b = ""): boolean {
  const [first, second] = [a, b].map((text) => text.replace(/[^a-z\d]/gi, "").toLowerCase());
  if (first === second) return true;
  const [own, field] = [wordsOf(a), wordsOf(b)];
  return field.length > 0 && own.slice(-field.length).join(" ") === field.join(" ");
}

/** Whether a name is the last word of a field's, which says more: `region` of `sales-region`. */
function isShorter(name: string, field = ""): boolean {
  const words = wordsOf(field);
  return words.length > 1 && words.at(-1) === wordsOf(name).join(" ") && !isShownName(name);
}

/** The member of what an outbound program makes that is called as the field is, where the options have ids. */
function sentAs(
  { expansion, command }: RootUse,
  fields: readonly FieldSymbol[],
  model: Model,
): string | undefined {
  const name =
    expansion !== undefined && command?.key === "!jq" && command.place.name === "data_pipeline.target"
      ? memberOf(expansion)
      : undefined;
  const isSent =
    name !== undefined &&
    command?.unit?.kind === "workflow" &&
    command.unit.direction === "outbound" &&
    (isSameName(name, expansion!.syntax.path[1]?.text) || isShorter(name, expansion!.syntax.path[1]?.text)) &&
    // A label that is made a number is told as that.
    !/^"?\s*\|\s*tonumber\b/.test(expansion!.node.value.slice(expansion!.syntax.end)) &&
    fields.every((field) => hasIds(field, model) || offersWords(field));
  return isSent ? `\`${name}\` needs what the service knows` : undefined;
}

function isSegment({ node: { value }, syntax: { start, end } }: Expansion): boolean {
  return isWholeKey(value.slice(0, start), value.slice(end));
}

/** Whether the texts around a value make it all of a segment, or the key of an OData record, `Clients(…)`. */
const isWholeKey = (before: string, after: string): boolean =>
  (before.endsWith("/") && /^(?:[/?#]|$)/.test(after)) || (isKeyBefore.test(before) && after.startsWith(")"));

const isKeyBefore = /(?:^|[/ ])[A-Z]\w{0,60}\($/;

/** The member with the value of a hole, where it is called an id: `plan_id` of `{plan_id: HOLE}`. */
function namedAs(program: JqProgram, hole: number): string | undefined {
  for (const node of nodesOfKind(program, "Object")) {
    for (const { key, value } of node.entries) {
      const name = nameOf(key);
      if (
        value !== undefined &&
        name !== undefined &&
        (isIdName(name) || isIdsName(name)) &&
        isHole(underlying(value), hole)
      )
        return name;
    }
  }
  return undefined;
}

/** Whether a hole is all of a segment of a URL, `"/lists/\(HOLE)/members"`, or the key of an OData record: `"Clients(\(HOLE))"`. */
function keyIn(program: JqProgram, hole: number): string | undefined {
  for (const { parts } of nodesOfKind(program, "String")) {
    const at = parts.findIndex((part) => part.kind !== "StringText" && isHole(part.expression, hole));
    const [before, after] = [parts[at - 1], parts[at + 1]];
    if (at < 0 || before?.kind !== "StringText" || (after !== undefined && after.kind !== "StringText"))
      continue;
    const behind = after?.value ?? "";
    if (isKeyBefore.test(before.value) && behind.startsWith(")"))
      return "Brackets behind a list hold the key of a record";
    if (/\/[\w-]+\/$/.test(before.value) && isWholeKey(before.value, behind))
      return "A segment of a URL names what is meant by its id";
  }
  return undefined;
}

/** The id that a hole is compared with. */
function comparedWith(program: JqProgram, hole: number): string | undefined {
  const { value } = program.node;
  for (const node of nodesOfKind(program, "Comparison")) {
    if (node.operator !== "==" && node.operator !== "!=") continue;
    const isIt = (side: Expression): boolean => isHole(underlying(resolved(side, program) ?? side), hole);
    const other = isIt(node.left) ? node.right : isIt(node.right) ? node.left : undefined;
    const name = other === undefined ? undefined : nameOfValue(other);
    const field = program.holes[hole]?.syntax.path[1]?.text;
    if (other !== undefined && name !== undefined && (isIdName(name) || isSameName(name, field)))
      return value.slice(other.start, other.end).trim();
  }
  return undefined;
}
