import { printType, type Type, types } from "@configc/jq";
import type { Command, Expansion } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { resourcesOf } from "../../bind/resource.ts";
import { flowOf } from "../../flow/flow.ts";
import { expansionTrails } from "../../flow/origin.ts";
import { choicesOf, commandSpec, comment, isCommandKey, type Member, roots } from "../../language/index.ts";
import { dialectOf } from "../../options/settings.ts";
import { spanOf } from "../../parse/document.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import { cursorAt, type NameCursor, type TextCursor } from "../cursor.ts";
import { type LanguagePlace, memberOf } from "../language-at.ts";
import { declaredSymbolAt, type NamedSymbol } from "../named-symbols.ts";
import { addressHover, nameHover } from "../openapi/hover.ts";
import { provenanceLines } from "../provenance.ts";
import type { Hover } from "./hover.ts";
import { jqHover } from "./jq.ts";

/**
 * What the language table, the types and the declarations say of the thing at an offset; undefined where there is nothing to
 * say.
 */
export function hoverAt(model: Model, offset: number): Hover | undefined {
  const cursor = cursorAt(model, offset);
  if (cursor === undefined) return undefined;
  if (cursor.kind === "name") {
    const described = nameHover(model, cursor);
    if (described !== undefined) return { span: cursor.replace, markdown: described };
    return ofName(model, cursor) ?? ofNamed(model, offset);
  }
  if (cursor.kind === "value") {
    const { node, place } = cursor;
    const markdown = node === undefined || place === undefined ? undefined : describePlace(place, model);
    return markdown === undefined ? undefined : { span: cursor.replace, markdown };
  }
  if (cursor.expansion !== undefined) return ofExpansion(model, cursor, cursor.expansion.expansion);
  const named = ofNamed(model, offset);
  if (named !== undefined) return named;
  if (cursor.program !== undefined) return jqHover(model, cursor);
  if (cursor.place === undefined) return undefined;
  const markdown =
    addressHover(model, cursor) ?? describeResource(model, cursor) ?? describePlace(cursor.place, model);
  return markdown === undefined ? undefined : { span: cursor.replace, markdown };
}

/** What has a name of its own: declarations and what leads to them. */
function ofNamed(model: Model, offset: number): Hover | undefined {
  const named = declaredSymbolAt(model, offset);
  return named && { span: spanOf(model.document, named.at), markdown: describeNamed(named.thing) };
}

function ofName(model: Model, { member, object, place, replace }: NameCursor): Hover | undefined {
  if (member === undefined || place === undefined) return undefined;
  const { name } = member;
  if (isCommandKey(name) && place.value.kind !== "data") {
    const command = model.commands.find((each) => each.member === member);
    const { doc, input, output, tier } = commandSpec(name)!;
    const lines = [`**\`${name}\`**${tier === "ext" ? " (extended)" : ""}`, doc, `${input} → ${output}`];
    return { span: replace, markdown: [...lines, ...typesOf(model, command)].join("\n\n") };
  }
  if (name === "_comment" && place.value.kind !== "data")
    return { span: replace, markdown: describeMember(name, comment, "any object of the config") };
  const inner = memberOf(place, object, name);
  const markdown = inner === undefined ? undefined : describePlace(inner, model);
  return markdown === undefined ? undefined : { span: replace, markdown };
}

/** What is known of a command's input and output. */
function typesOf(model: Model, command: Command | undefined): string[] {
  if (command === undefined) return [];
  const flow = flowOf(model);
  const [input, output] = [flow.input(command), flow.output(command)];
  if (input === types.unknown && output === types.unknown) return [];
  return [fenced(`input:  ${shown(input)}\noutput: ${shown(output)}`)];
}

/** `PlatformContact`, or the fields of it (D25). */
function describeResource(model: Model, { node, place }: TextCursor): string | undefined {
  const values = place?.value.kind === "either" ? place.value.of : place === undefined ? [] : [place.value];
  if (!values.some((value) => value.kind === "text" && value.format === "resource")) return undefined;
  const [name = "", part] = node.value.split(".");
  const resource = resourcesOf(model.settings).get(name);
  if (resource === undefined) return undefined;
  const doc = resource.spec?.doc;
  const fields = part === "fields" ? ["Its fields, as options of a map: `{id, title, required}`."] : [];
  return [
    `**\`${node.value}\`** – resource of the platform`,
    ...fields,
    ...(doc === undefined ? [] : [doc]),
  ].join("\n\n");
}

function describePlace({ member, value }: LanguagePlace, model: Model): string | undefined {
  if (member === undefined) return undefined;
  const { name, spec, section } = member;
  const oneOf =
    value.kind === "text" && value.oneOf !== undefined
      ? [
          `One of ${(choicesOf(value, dialectOf(model.settings)) ?? []).map((each) => `\`${each}\``).join(", ")}.`,
        ]
      : [];
  return describeMember(name, spec, inSentence(section.title), oneOf);
}

function describeMember(
  name: string,
  { required, default: otherwise, tier, doc, example }: Member,
  owner: string,
  more: readonly string[] = [],
): string {
  const facts = [
    describeRequired(required),
    ...(otherwise === undefined ? [] : [`default \`${JSON.stringify(otherwise)}\``]),
    ...(tier === "ext" ? ["extended"] : []),
  ];
  return [
    `**\`${name}\`** of ${owner} (${facts.join(", ")})`,
    doc,
    ...more,
    fenced(JSON.stringify({ [name]: example }, undefined, 2)),
  ].join("\n\n");
}

/** "A workflow" as it reads within a sentence. */
function inSentence(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function describeRequired(required: Member["required"]): string {
  if (required === true) return "required";
  if (required === undefined || required === false) return "optional";
  if ("direction" in required) return `required in ${required.direction} workflows`;
  return `required where \`${required.sibling}\` is ${required.is.map((each) => `\`${each}\``).join(" or ")}`;
}

function ofExpansion(model: Model, { node, offset }: TextCursor, expansion: Expansion): Hover | undefined {
  const { syntax, root, rootExact, fields } = expansion;
  if (root === undefined || !rootExact) return undefined;
  const { filters, path } = syntax;
  const filter = filters.find(({ start, end }) => start <= offset && offset <= end);
  if (filter !== undefined) {
    return {
      span: spanOf(model.document, { node, from: filter.start, to: filter.end }),
      markdown:
        "**`default`**: the empty string, or the text after the colon, if the value is missing or the field was skipped. A `null` isn't missing and stays.",
    };
  }
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const spec = roots[root];
  const field = fields[0];
  const about =
    root === "custom_data" && field !== undefined && path.length > 1
      ? [
          `Form field \`${field.id}\` (${field.type ?? "no type"}, ${field.required ? "required" : "optional"})${labelOf(field)}`,
        ]
      : [];
  const flow = flowOf(model);
  const type = flow.expansion(expansion);
  const known = [
    ...(type === types.unknown ? [] : [shown(type)]),
    ...provenanceLines(model, expansionTrails(flow, expansion)),
  ];
  const isInPath = first.start <= offset && offset <= last.end;
  const { start: from, end: to } = isInPath ? { start: first.start, end: last.end } : syntax;
  return {
    span: spanOf(model.document, { node, from, to }),
    markdown: [
      `**\`\${${spec.form}}\`**`,
      spec.doc,
      ...about,
      ...(known.length === 0 ? [] : [fenced(known.join("\n"))]),
    ].join("\n\n"),
  };
}

function labelOf({ node }: Expansion["fields"][number]): string {
  const label = node.get("label");
  return label?.kind === "string" ? `: ${label.value}` : "";
}

const kinds: Readonly<Record<NamedSymbol["kind"], string>> = {
  auth: "auth entry",
  intake: "data intake",
  workflow: "workflow",
  field: "form field",
  "saved-key": "saved value",
  "polling-key": "key of the polling state",
  member: "member",
  "jq-variable": "variable",
  "jq-function": "function",
};

function describeNamed({ kind, name, references }: NamedSymbol): string {
  const uses = references.length === 1 ? "1 use" : `${references.length} uses`;
  return `**\`${name}\`** – ${kinds[kind]}, ${uses}`;
}

function shown(type: Type): string {
  return printType(withoutHiddenBody(type));
}

function fenced(text: string): string {
  return `\`\`\`\n${text.slice(0, 1_000)}\n\`\`\``;
}
