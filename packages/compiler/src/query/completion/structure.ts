import type { Model } from "../../bind/model.ts";
import { resourcesOf } from "../../bind/resource.ts";
import { commandSpecs, type Value } from "../../language/index.ts";
import type { Span } from "../../parse/syntax-tree.ts";
import type { NameCursor, TextCursor, ValueCursor } from "../cursor.ts";
import { type LanguagePlace, sectionOf } from "../language-at.ts";
import { type Completion, jsonLiteral } from "./completion.ts";
import { commandSnippet, memberSnippet, valueSnippet } from "./shape.ts";

/** Names of members, or of commands, at a place where a name is being written. */
export function nameCompletions(model: Model, cursor: NameCursor): Completion[] {
  const { object, member, place, replace } = cursor;
  if (place === undefined) return [];
  const { text } = model.document;
  const hasColon = /^\s*:/.test(text.slice(replace.end, replace.end + 64));
  // A name that follows without a comma would be the next mistake.
  const separator = /^\s*"/.test(text.slice(replace.end, replace.end + 512)) && !hasColon ? "," : "";
  const present = new Set(object.members.filter((each) => each !== member).map(({ name }) => name));
  const commands = commandsAt(place);
  if (commands !== undefined && [...present].every((name) => !name.startsWith("!"))) {
    return commands.map(({ key, doc, argument, input, output }) => ({
      label: key,
      kind: "command",
      detail: `${input} → ${output}`,
      documentation: doc,
      replace,
      snippet: hasColon ? jsonLiteral(key) : commandSnippet(key, argument) + separator,
    }));
  }
  const section = sectionOf(place.value, object);
  if (section === undefined) return [];
  return Object.entries(section.members)
    .filter(([name]) => !present.has(name))
    .map(([name, spec]) => ({
      label: name,
      kind: "member",
      detail: spec.required === true ? "required" : spec.tier === "ext" ? "extended" : "",
      documentation: `${spec.doc}\n\n\`\`\`json\n${JSON.stringify({ [name]: spec.example }, undefined, 2).slice(0, 400)}\n\`\`\``,
      replace,
      snippet: hasColon ? jsonLiteral(name) : memberSnippet(name, spec) + separator,
      rank: spec.required === true ? 0 : 1,
    }));
}

/** The commands that may stand at a place; undefined where none does. */
function commandsAt({ value, place }: LanguagePlace) {
  const command =
    value.kind === "command"
      ? value
      : value.kind === "either"
        ? value.of.find(({ kind }) => kind === "command")
        : undefined;
  if (command?.kind !== "command") return undefined;
  const here = command.place === "here" ? place : command.place;
  return commandSpecs.filter(
    ({ places }) => places === undefined || (here !== undefined && places.includes(here)),
  );
}

/** Whole values: those that the table lists, names that are declared, shapes of objects and lists. */
export function valueCompletions(model: Model, cursor: ValueCursor | TextCursor): Completion[] {
  const { place, replace } = cursor;
  if (place === undefined) return [];
  return [...ofValue(model, place.value, replace, cursor.kind === "text")];
}

function* ofValue(model: Model, value: Value, replace: Span, inString: boolean): Generator<Completion> {
  const text = (label: string, more: Partial<Completion> = {}): Completion => ({
    label,
    kind: "value",
    replace,
    snippet: jsonLiteral(label),
    ...more,
  });
  switch (value.kind) {
    case "text":
      for (const each of value.oneOf ?? []) yield text(each);
      if (value.refersTo === "auth")
        for (const { name } of model.auths) yield text(name, { kind: "name", detail: "auth" });
      if (value.refersTo === "intake") {
        for (const { name, type } of model.intakes)
          if (name !== undefined) yield text(name, { kind: "name", detail: `${type ?? ""} intake`.trim() });
      }
      if (value.format === "resource") {
        for (const { name, parts, readable, spec } of resourcesOf(model.settings).values()) {
          const documentation = spec?.doc === undefined ? {} : { documentation: spec.doc };
          if (readable) yield text(name, { kind: "name", detail: "resource", ...documentation });
          if (parts.includes("fields")) yield text(`${name}.fields`, { kind: "name", detail: "its fields" });
        }
      }
      return;
    case "boolean":
      if (!inString)
        for (const each of ["true", "false"]) yield { label: each, kind: "value", replace, snippet: each };
      return;
    case "integer":
      if (!inString && value.only !== undefined)
        yield { label: `${value.only}`, kind: "value", replace, snippet: `${value.only}` };
      return;
    case "either":
      for (const each of value.of) yield* ofValue(model, each, replace, inString);
      return;
    case "variant":
      if (inString) return;
      for (const [name, section] of Object.entries(value.variants)) {
        const only: Value = {
          kind: "variant",
          by: value.by,
          variants: { [name]: section },
          otherwise: section,
        };
        yield {
          label: `{ ${name} }`,
          kind: "snippet",
          detail: section().title,
          replace,
          snippet: valueSnippet(only),
        };
      }
      return;
    case "command":
      if (inString) return;
      for (const { key, doc, argument } of commandSpecs) {
        if (commandSnippet(key, argument) === "") continue;
        const snippet = `{ ${commandSnippet(key, argument)} }`;
        yield { label: `{ ${key} }`, kind: "command", documentation: doc, replace, snippet };
      }
      return;
    case "section":
    case "map":
    case "list":
      if (!inString) {
        const label = value.kind === "list" ? "[ ]" : "{ }";
        yield { label, kind: "snippet", replace, snippet: valueSnippet(value) };
      }
  }
}
