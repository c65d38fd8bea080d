import { type Type, types } from "@configc/jq";
import type { Expansion } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import {
  type JsonNode,
  type MemberNode,
  type ObjectNode,
  type StringNode,
  textOf,
} from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember } from "../../edits.ts";
import { allNames } from "../../message-text.ts";

export const FORM = "application/x-www-form-urlencoded";
const isJson = /^application\/(?:[\w.-]+\+)?json\b/;

const objectFormField = defineRule<{ name: string }>({
  id: "http/object-form-field",
  severity: "error",
  summary: "A form-encoded body has an object as a value",
  why: "A form-encoded body has names and strings only. With an object as a value, the request is refused before it is sent, for every record.",
  guards: ["http.body", "http.headers", "D17", "D19"],
  message: ({ name }) => `The form-encoded field \`${name}\` can't have an object as its value.`,
  because: ({ name }) => [`\`${name}\` would be an object`, "the request is refused before it is sent"],
  help: ({ name }) =>
    `Send each member as its own field, often named \`${name}[member]\`, or send the body as JSON.`,
  examples: [
    {
      title: "D19",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"customer": «{"email": "${piped_content.0.email}"}»}}',
      good: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"customer[email]": "${piped_content.0.email}"}}',
    },
    {
      title: "D8: a whole value",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"email": «"${piped_content.0}"»}}',
      good: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"email": "${piped_content.0.email}"}}',
    },
    {
      title: "What a step makes",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, person: {email: .email}}"}, {"!http": {"method": "POST", "path": "/entries", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": «"${piped_content.1}"»}}]}',
      good: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, \\"person[email]\\": .email}"}, {"!http": {"method": "POST", "path": "/entries", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": "${piped_content.1}"}}]}',
    },
  ],
});

const bracketedKeys = defineRule<{ keys: readonly string[]; isNamed: boolean }>({
  id: "http/bracketed-keys",
  severity: "hint",
  summary: "A body that is sent as JSON has keys with brackets",
  why: "`customer[email]` is how a form writes a member of an object. In JSON it is just a name with brackets, which APIs don't know: the request succeeds, and the value is dropped. Most likely the header that makes the body a form is missing or wrong.",
  guards: ["http.body", "http.headers", "D19"],
  message: ({ keys, isNamed }) =>
    `${isNamed ? "This" : "Without a `content-type` header the"} body is sent as JSON, where ${allNames(keys)} ${keys.length === 1 ? "is just a name" : "are just names"} with brackets.`,
  because: ({ keys }) => [
    `the API gets \`{"${keys[0]}": …}\``,
    "the API doesn't know that name and ignores it",
  ],
  help: () => `Send \`"content-type": "${FORM}"\` in \`headers\`, or nest the members in objects.`,
  examples: [
    {
      title: "D19",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {«"customer[email]"»: "${piped_content.0.email}"}}',
      good: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"customer[email]": "${piped_content.0.email}"}}',
      fixed:
        '{"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"customer[email]": "${piped_content.0.email}"}, "headers": {"content-type":"application/x-www-form-urlencoded"}}',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const argument = model.commands.find(({ argument }) =>
      bodyOf(argument)?.members.some(({ key }) => key === at),
    )?.argument;
    if (argument?.kind !== "object" || argument.member("headers") !== undefined) return [];
    const edits = [addMember(document, argument, "headers", { "content-type": FORM })];
    return [{ title: "Send it as form fields", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [objectFormField, bracketedKeys],
  checks: {
    command: {
      "!http"({ argument }, report, model) {
        if (argument?.kind !== "object") return;
        const type = contentType(argument);
        const whole = argument.get("body");
        if (whole?.kind === "string" && type?.startsWith(FORM)) {
          const [name] = objectsIn(whole, model);
          if (name !== undefined) report(objectFormField, whole, { name });
        }
        const body = bodyOf(argument);
        if (body === undefined) return;
        const method = textOf(argument, "method")?.toUpperCase() ?? "GET";
        if (type?.startsWith(FORM)) {
          for (const member of body.members)
            if (isObject(member.value, model)) report(objectFormField, member.value!, { name: member.name });
        } else if ((type === undefined || isJson.test(type)) && /^(?:POST|PUT|PATCH)$/.test(method)) {
          const bracketed = body.members.filter(({ name }) => /^[\w-]+(?:\[[\w-]*\])+$/.test(name));
          const [first] = bracketed;
          if (first !== undefined)
            report(bracketedKeys, first.key, {
              keys: bracketed.map(({ name }: MemberNode) => name),
              isNamed: type !== undefined,
            });
        }
      },
    },
  },
};
export default module;

function bodyOf(argument: JsonNode | undefined): ObjectNode | undefined {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return body?.kind === "object" ? body : undefined;
}

/** In lower case; empty where it isn't known. */
export function contentType(argument: ObjectNode): string | undefined {
  const headers = argument.get("headers");
  if (headers === undefined) return undefined;
  if (headers.kind !== "object") return "";
  const given = headers.members.find(
    ({ name }) => name.toLowerCase() === "content-type" || name.includes("$"),
  );
  if (given === undefined) return undefined;
  return given.value?.kind === "string" ? given.value.value.trim().toLowerCase() : "";
}

function isObject(value: JsonNode | undefined, model: Model): boolean {
  if (value?.kind === "object") return true;
  const type = value?.kind === "string" ? wholeType(value, model) : undefined;
  return type !== undefined && isAlways(type, "object");
}

/** The members of what a step made for the body that are objects wherever they are there. */
function objectsIn(body: StringNode, model: Model): readonly string[] {
  const type = wholeType(body, model);
  const parts = type === undefined ? [] : types.partsOf(type);
  return parts.flatMap((part) =>
    part.kind === "object"
      ? [...part.members].flatMap(([name, { type }]) => (isAlways(type, "object") ? [name] : []))
      : [],
  );
}

const isAlways = (type: Type, kind: Type["kind"]): boolean => {
  const parts = types.partsOf(type);
  return parts.length > 0 && parts.every((part) => part.kind === kind);
};

/** The type of what is nothing but an expansion. */
export function wholeType(value: StringNode, model: Model): Type | undefined {
  const template = parseTemplate(value.value);
  if (template === undefined || !isWhole(template)) return undefined;
  const expansion = expansionAt(value, model);
  if (expansion === undefined || !expansion.rootExact || expansion.syntax.problem !== undefined)
    return undefined;
  return flowOf(model).expansion(expansion);
}

export const expansionAt = (node: JsonNode, model: Model): Expansion | undefined =>
  firstExpansions(model).get(node);

const firstExpansions = derived(({ expansions }): ReadonlyMap<JsonNode, Expansion> => {
  const found = new Map<JsonNode, Expansion>();
  for (const expansion of expansions) if (!found.has(expansion.node)) found.set(expansion.node, expansion);
  return found;
});
