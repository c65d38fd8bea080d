import { type Type, types } from "@configc/jq";
import type { Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { firstValues } from "../../../flow/machine/first-values.ts";
import { nodesIn, partAt } from "../../../flow/nodes.ts";
import { areUnlike, isCutToDay, type KindWritten, kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import type { StringPart } from "../../../parse/document.ts";
import { graphqlQuery, graphqlVariable, readOperation } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const unusedVariable = defineRule<{ name: string }>({
  id: "http/graphql-unused-variable",
  severity: "warning",
  summary: "A GraphQL query never uses a variable that it declares",
  why: "A variable that the query declares but never uses has no effect: an unused cursor gives the first page forever, an unused filter gives everything. Most servers refuse such a query.",
  guards: ["command.!http", "http.body"],
  message: ({ name }) => `The query declares \`$${name}\` but never uses it.`,
  because: ({ name }) => [
    `the request sends another \`$${name}\``,
    "the server gives the same answer as before",
  ],
  help: ({ name }) => `Pass it to the field that it is for: \`field(argument: $${name})\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query(«$list: ID!», $email: String!) { invite(email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
  ],
});

const unknownVariable = defineRule<{
  names: readonly string[];
  declared: readonly string[];
  missing: boolean;
}>({
  id: "http/graphql-variables",
  severity: "warning",
  summary: "The variables of a GraphQL request don't match those that its query declares",
  why: "A server takes variables by name. One that the query doesn't declare has no effect. If a required one is missing, the server refuses the query, often with status 200.",
  guards: ["command.!http", "http.body"],
  message: ({ names, missing }) =>
    missing
      ? `The query needs ${allNames(names)}, but \`variables\` doesn't have ${names.length === 1 ? "it" : "them"}.`
      : `The query doesn't declare ${allNames(names)}.`,
  because: ({ missing }) => [
    missing
      ? "the query is refused: a variable has no value"
      : "the server ignores variables that it doesn't know",
  ],
  help: ({ declared }) => (declared.length === 0 ? undefined : `It declares ${allNames(declared)}.`),
  examples: [
    {
      title: "One that isn't declared",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {«"lists"»: "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
    {
      title: "One that has to be there",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", «"variables"»: {"email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
  ],
});

const urlAsId = defineRule<{ name: string; isMember?: true }>({
  id: "http/graphql-url-as-id",
  severity: "warning",
  summary: "The id of a registration, or a GraphQL variable of type `ID`, gets the webhook's URL",
  why: "The query says that it takes an id. A URL is none: the server finds no such record, and says so with status 200. A registration that should be changed or removed stays as it was.",
  guards: ["command.!http", "http.body", "expansion.webhook", "D32"],
  message: ({ name, isMember }) =>
    isMember
      ? `\`${name}\` gets the webhook's URL, though \`create\` saves an id.`
      : `The query declares \`$${name}\` as an \`ID\`, but it gets the webhook's URL.`,
  because: ({ name, isMember }) => [
    `\`${isMember ? "" : "$"}${name}\` is an id`,
    "a URL is the id of nothing",
  ],
  help: () => "Send the id that `create` saved.",
  examples: [
    {
      title: "A member",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      bad: '{"!http": {"method": "POST", "path": "/hooks/remove", "body": {"hook_id": "«${webhook.url}»"}}}',
      good: '{"!http": {"method": "POST", "path": "/hooks/remove", "body": {"hook_id": "${data.workflow.hook_id}"}}}',
    },
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
      },
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($hook: ID!) { hookDelete(id: $hook) { id } }", "variables": {"hook": "«${webhook.url}»"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($hook: ID!) { hookDelete(id: $hook) { id } }", "variables": {"hook": "${data.workflow.hook_id}"}}}',
    },
  ],
});

export const otherType = defineRule<{
  name: string;
  type: string;
  found: string;
  expansion: string;
  /** Whether it is never anything else. */
  isCertain?: boolean;
}>({
  id: "http/graphql-variable-type",
  severity: "warning",
  summary: "A GraphQL variable gets a value of another type than its query declares",
  why: "A server checks variables before it runs a query. A number for a `String` or a `DateTime`, or a string for an `Int`, is refused, often with status 200: nothing is read or written.",
  guards: ["command.!http", "http.body", "D8"],
  message: ({ name, type, found, expansion, isCertain }) =>
    `The query declares \`$${name}\` as \`${type}\`, but \`${expansion}\` ${isCertain ? "is" : "may be"} ${found}.`,
  because: ({ name, type, found }) => [
    `\`$${name}\` is sent as ${found}`,
    `the server takes no such value for a \`${type}\` and refuses the query`,
  ],
  help: ({ type, found, isCertain }) =>
    isCertain
      ? `Give it a value of the type \`${type}\`.`
      : found === "a number"
        ? `Write it as a \`${type}\`${isTimeType(type) ? ": `todate`" : ": `tostring`"}.`
        : `Convert it to a \`${type}\` in a step before.`,
  examples: [
    {
      title: "A number in quotation marks",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($list: ID!, $email: String!, $seats: Int!) { invite(list: $list, email: $email, seats: $seats) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}", "seats": «"2"»}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($list: ID!, $email: String!, $seats: Int!) { invite(list: $list, email: $email, seats: $seats) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}", "seats": 2}}}',
    },
    {
      title: "A time in seconds",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http":
          '{"method": "POST", "path": "/graphql", "body": {"query": "query($since: DateTime!) { people(changedSince: $since) { id email name address { city } } }", "variables": {"since": "${polling_state.since}"}}}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .data.people, iterate: false, polling_state: {since: ${polling_state.since}, page: 1}}"',
      },
      bad: '{"!jq": "{polling_state: {since: «(now - 86400 | floor)», page: 1}}"}',
      good: '{"!jq": "{polling_state: {since: (now - 86400 | floor | todate), page: 1}}"}',
      also: ["polling/standing-window"],
    },
  ],
});

/** Scalars of a server's own that are written as a text, by their names. */
const isTimeType = (type: string): boolean =>
  /^(?:ISO8601)?_?(?:Date|DateTime|Instant|OffsetDateTime|ZonedDateTime|LocalDate|LocalDateTime)$/i.test(
    type,
  );

/** Scalars that a day alone isn't. */
const wantsTimeOfDay = (type: string): boolean => /DateTime|Instant/i.test(type) && isTimeType(type);

/** Where a key of the state gets a time that is cut to its day. */
const cutToDay = (intake: IntakeSymbol, key: string, model: Model): KindWritten | undefined =>
  kindsWritten(intake, model).find(
    (written) => written.key === key && nodesIn(written.value).some(isCutToDay),
  );

/** The types of JSON values that a server takes for a scalar; undefined where it decides itself. */
export function takenFor(type: string): readonly Type["kind"][] | undefined {
  if (type === "String" || isTimeType(type)) return ["string"];
  if (type === "ID") return ["string", "number"];
  if (type === "Int" || type === "Float") return ["number"];
  return type === "Boolean" ? ["boolean"] : undefined;
}

/** What is certainly among the values of an expansion, and not taken for a type. */
export function otherKind(expansion: Expansion, type: string, flow: TypeFlow): string | undefined {
  const taken = takenFor(type);
  if (taken === undefined) return undefined;
  const { root, rootExact, syntax, unit } = expansion;
  const [, key, ...below] = syntax.path;
  if (isMixed(expansion, flow.model)) return undefined;
  // What the answer of a service gives isn't known, but how it begins is.
  if (
    root === "polling_state" &&
    rootExact &&
    key !== undefined &&
    below.length === 0 &&
    unit?.kind === "intake"
  ) {
    const begins = firstValues(unit, key.text).find(
      (value) => value !== null && !taken.includes(typeof value as Type["kind"]),
    );
    if (begins !== undefined) return kindNames[typeof begins as Type["kind"]];
    if (wantsTimeOfDay(type) && cutToDay(unit, key.text, flow.model) !== undefined)
      return "a day without a time";
  }
  const part = types
    .partsOf(flow.expansion(expansion))
    .find((each) => isScalar(each) && !taken.includes(each.kind));
  return part === undefined ? undefined : kindNames[part.kind];
}

/** Where a state begins with what is sent, if that is its only value there, or is cut to a day. */
function begunAt({ root, unit, syntax }: Expansion, type: string, model: Model): StringPart | undefined {
  if (root !== "polling_state" || unit?.kind !== "intake") return undefined;
  const cut = wantsTimeOfDay(type) ? cutToDay(unit, syntax.path[1]?.text ?? "", model) : undefined;
  if (cut !== undefined) return partAt(cut.program, cut.value);
  const [write, ...others] = writesIn(unit, "initial_setup", model) ?? [];
  const value = others.length > 0 ? undefined : write?.keys.get(syntax.path[1]?.text ?? "");
  return write === undefined || value === undefined ? undefined : partAt(write.program, value);
}

/** Whether a key of the state gets values of several kinds: it is told as that. */
function isMixed({ root, unit, syntax }: Expansion, model: Model): boolean {
  if (root !== "polling_state" || unit?.kind !== "intake") return false;
  const [first, ...others] = kindsWritten(unit, model).filter(({ key }) => key === syntax.path[1]?.text);
  return first !== undefined && others.some(({ kind }) => areUnlike(first.kind, kind));
}

/** What a value is called that a variable doesn't take. */
export const kindNames: Readonly<Partial<Record<Type["kind"], string>>> = {
  boolean: "true or false",
  number: "a number",
  string: "a string",
  array: "a list",
  object: "an object",
};

const isScalar = ({ kind }: Type): boolean => kind === "boolean" || kind === "number" || kind === "string";

const module: RuleModule = {
  rules: [unusedVariable, unknownVariable, urlAsId, otherType],
  checks: {
    expansion(expansion, report, model) {
      const variable = expansion.root === undefined ? undefined : graphqlVariable(expansion);
      const found = variable === undefined ? undefined : otherKind(expansion, variable.type, flowOf(model));
      if (variable !== undefined && found !== undefined) {
        const { node, syntax } = expansion;
        const text = excerpt(node.value.slice(syntax.start, syntax.end));
        const read = { node, from: syntax.start, to: syntax.end };
        const at = begunAt(expansion, variable.type, model) ?? read;
        report(otherType, at, { name: variable.name, type: variable.type, found, expansion: text });
      }
      if (expansion.root !== "webhook" || expansion.position !== "value") return;
      const name = graphqlId(expansion);
      const { node, syntax } = expansion;
      const at = { node, from: syntax.start, to: syntax.end };
      if (name !== undefined) return report(urlAsId, at, { name });
      const member = idMember(expansion);
      if (member !== undefined) report(urlAsId, at, { name: member, isMember: true });
    },
    command: {
      "!http"(command, report) {
        const query = graphqlQuery(command);
        const operation = query === undefined ? undefined : readOperation(query.value);
        if (query === undefined || operation === undefined) return;
        const { variables } = operation;
        for (const { name, start, end, isUsed } of variables)
          if (!isUsed) report(unusedVariable, { node: query, from: start, to: end }, { name });
        const { argument } = command;
        const body = argument?.kind === "object" ? argument.get("body") : undefined;
        const member = body?.kind === "object" ? body.member("variables") : undefined;
        if (member?.value?.kind !== "object") return;
        const sent = member.value.members;
        const declared = variables.map(({ name }) => name);
        const unknown = sent.filter(({ name }) => !declared.includes(name) && !name.includes("$"));
        for (const { name, key } of unknown)
          report(unknownVariable, key, { names: [name], declared, missing: false });
        if (unknown.length > 0 || sent.some(({ name }) => name.includes("$"))) return;
        const missing = variables.filter(
          ({ name, isRequired }) => isRequired && !sent.some((each) => each.name === name),
        );
        const names = missing.map(({ name }) => name);
        if (names.length > 0) report(unknownVariable, member.key, { names, declared, missing: true });
      },
    },
  },
};
export default module;

/** `"id": "${webhook.url}"` of an update or a deletion, where `create` saves an id that a service gave. */
function idMember({ node, syntax, command, unit, position }: Expansion): string | undefined {
  const name = node.parent?.kind === "member" ? node.parent.name : undefined;
  if (name === undefined || !/^(?:(?:web)?hook|subscription|registration)?_?id$/i.test(name))
    return undefined;
  if (position !== "value" || syntax.start > 0 || syntax.end < node.value.length) return undefined;
  const create = unit?.kind === "intake" ? unit.commands.get("create") : undefined;
  const root = command === undefined ? undefined : outermostCommand(command);
  if (create === undefined || root === undefined || root === create) return undefined;
  const steps = allIn(create) ?? [];
  const savesId = steps.some(
    ({ key, program }) =>
      key === "!jq" && program !== undefined && /(?:\b|_)id: ?\(*[.$]/.test(program.node.value),
  );
  return savesId && steps.some(({ key }) => key === "!save") ? name : undefined;
}

/** The variable of type `ID` that an expansion is all the value of. */
export function graphqlId(expansion: Expansion): string | undefined {
  const variable = graphqlVariable(expansion);
  return variable?.type === "ID" ? variable.name : undefined;
}
