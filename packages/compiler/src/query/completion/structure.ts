import type { Model } from "../../bind/model.ts";
import { resourcesOf } from "../../bind/resource.ts";
import {
  choicesOf,
  commandSpecs,
  document as documentSection,
  type Member,
  places,
  type Section,
  type Value,
} from "../../language/index.ts";
import { dialectOf } from "../../options/settings.ts";
import type { ObjectNode, Span, SyntaxNode } from "../../parse/syntax-tree.ts";
import type { NameCursor, TextCursor, ValueCursor } from "../cursor.ts";
import { type LanguagePlace, sectionOf } from "../language-at.ts";
import { skeletonOf } from "../skeleton.ts";
import { hasEffect, type WritingContext, writingContextAt } from "../writing-context.ts";
import { type Completion, jsonLiteral } from "./completion.ts";
import { separatorsAt } from "./separators.ts";
import { snippetOf } from "./shape.ts";

/** A config with all that it requires, where there is nothing yet. */
export function documentCompletions(model: Model, offset: number): Completion[] {
  if (!/^\uFEFF?\s*$/.test(model.document.text)) return [];
  const sketch = skeletonOf(
    { kind: "section", section: () => documentSection },
    [],
    writingContextAt(model, undefined),
  );
  return [
    {
      label: "{ }",
      kind: "snippet",
      detail: "a config with all required members",
      replace: { start: offset, end: offset },
      snippet: snippetOf(sketch),
    },
  ];
}

/** Names of members, or of commands, at a place where a name is being written. */
export function nameCompletions(model: Model, cursor: NameCursor): Completion[] {
  const { object, member, place, replace } = cursor;
  if (place === undefined) return [];
  const { text } = model.document;
  const hasColon = /^\s*:/.test(text.slice(replace.end, replace.end + 64));
  const around = writingContextAt(model, object, place.place);
  const { before, after } = separatorsAt(text, object.members, member, replace);
  const present = new Set(object.members.filter((each) => each !== member).map(({ name }) => name));
  /** What stands behind a colon is another's: then only the name is replaced. */
  const written = (name: string, value: () => string) =>
    hasColon
      ? { replace, snippet: jsonLiteral(name) }
      : { replace, snippet: `${jsonLiteral(name)}: ${value()}${after}`, before };
  const commands = commandsAt(place);
  if (commands !== undefined && [...present].every((name) => !name.startsWith("!"))) {
    return commands.map(({ key, doc, argument, input, output, example }) => ({
      label: key,
      kind: "command",
      detail: `${input} → ${output}`,
      documentation: doc,
      ...written(key, () => snippetOf(skeletonOf(argument, [argumentIn(example, key)], around))),
    }));
  }
  if (place.value.kind === "map" && !hasColon && member === undefined)
    return [...entries(place.value, around, (snippet) => ({ replace, snippet: snippet + after, before }))];
  const section = sectionOf(place.value, object);
  if (section === undefined) return [];
  return Object.entries(section.members)
    .filter(([name, spec]) => !present.has(name) && mayStand(name, spec, section, object, present))
    .filter(([, spec]) => hasEffect(spec, around))
    .map(([name, spec]) => ({
      label: name,
      kind: "member",
      detail: spec.required === true ? "required" : spec.tier === "ext" ? "extended" : "",
      documentation: `${spec.doc}\n\n\`\`\`json\n${JSON.stringify({ [name]: spec.example }, undefined, 2).slice(0, 400)}\n\`\`\``,
      ...written(name, () => snippetOf(skeletonOf(spec.value, [spec.example], around))),
      rank: spec.required === true ? 0 : 1,
    }));
}

/** What a program is about depends on the place. */
function argumentIn(example: unknown, key: string): unknown {
  if (key === "!jq") return ".";
  return (example as Readonly<Record<string, unknown>>)[key];
}

/** Whether the members that are there leave room for another one. */
function mayStand(
  name: string,
  { where }: Member,
  { groups = [] }: Section,
  object: ObjectNode,
  present: ReadonlySet<string>,
): boolean {
  const taken = groups.some(
    ({ kind, members }) =>
      kind !== "atLeastOne" && members.includes(name) && members.some((each) => present.has(each)),
  );
  if (taken) return false;
  const sibling = where === undefined ? undefined : object.member(where.sibling)?.value;
  return sibling?.kind !== "string" || where?.is.includes(sibling.value) === true;
}

/** New entries of a map, by the kinds that there are. */
function* entries(
  { of }: Extract<Value, { kind: "map" }>,
  around: WritingContext,
  written: (snippet: string) => Pick<Completion, "replace" | "snippet" | "before">,
): Generator<Completion> {
  if (of.kind !== "variant") return;
  for (const [name, section] of Object.entries(of.variants)) {
    const entry: Value = { kind: "map", of: only(of, name) };
    const snippet = snippetOf(skeletonOf(entry, [], around));
    // Without the braces of the map around it.
    const inner = snippet
      .slice(snippet.indexOf("{") + 1, snippet.lastIndexOf("}"))
      .trim()
      .replaceAll("\n\t", "\n");
    yield { label: name, kind: "snippet", detail: section().title, ...written(inner) };
  }
}

function only(value: Extract<Value, { kind: "variant" }>, name: string): Value {
  const section = value.variants[name]!;
  return { ...value, variants: { [name]: section }, otherwise: section };
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
  const parent: SyntaxNode | undefined = cursor.kind === "text" ? cursor.node.parent : cursor.parent;
  const around = writingContextAt(model, parent, place.place);
  const found = [...ofValue(model, place, replace, cursor.kind === "text", around)];
  if (cursor.kind === "text" || cursor.node !== undefined || parent?.kind !== "array") return found;
  const { before, after } = separatorsAt(model.document.text, parent.items, undefined, replace);
  return found.map((each) => ({ ...each, snippet: each.snippet + after, before }));
}

function* ofValue(
  model: Model,
  at: LanguagePlace,
  replace: Span,
  inString: boolean,
  around: WritingContext,
): Generator<Completion> {
  const { value } = at;
  const text = (label: string, more: Partial<Completion> = {}): Completion => ({
    label,
    kind: "value",
    replace,
    snippet: jsonLiteral(label),
    ...more,
  });
  switch (value.kind) {
    case "text":
      for (const each of choicesOf(value, dialectOf(model.settings)) ?? []) yield text(each);
      if (value.refersTo === "auth")
        for (const name of around.auths) yield text(name, { kind: "name", detail: "auth" });
      if (value.refersTo === "intake") {
        for (const { name, type } of around.intakes)
          if (value.intakeType === undefined || value.intakeType === type)
            yield text(name, { kind: "name", detail: `${type ?? ""} intake`.trim() });
      }
      if (value.format === "resource") yield* resources(model, at, text);
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
      for (const each of value.of) yield* ofValue(model, { ...at, value: each }, replace, inString, around);
      return;
    case "variant":
      if (inString) return;
      for (const [name, section] of Object.entries(value.variants)) {
        const snippet = snippetOf(skeletonOf(only(value, name), [], around));
        yield { label: `{ ${name} }`, kind: "snippet", detail: section().title, replace, snippet };
      }
      return;
    case "command":
      if (inString) return;
      for (const { key, doc, example } of commandsAt(at) ?? []) {
        const snippet = snippetOf(skeletonOf(value, [key === "!jq" ? { [key]: "." } : example], around));
        yield { label: `{ ${key} }`, kind: "command", documentation: doc, replace, snippet };
      }
      return;
    case "section":
    case "map":
    case "list":
      if (!inString) {
        const label = value.kind === "list" ? "[ ]" : "{ }";
        const snippet = snippetOf(skeletonOf(value, [at.member?.spec.example], around));
        yield { label, kind: "snippet", replace, snippet };
      }
  }
}

/** Lists of fields where a mapping wants them, else what can be read or written (D25). */
function* resources(
  model: Model,
  { place }: LanguagePlace,
  text: (label: string, more: Partial<Completion>) => Completion,
): Generator<Completion> {
  const wantsFields = place !== undefined && places[place].contract === "map-options";
  const wantsData = place === "data_pipeline.source" || place === "data_pipeline.target";
  for (const { name, parts, readable, spec } of resourcesOf(model.settings).values()) {
    const documentation = spec?.doc === undefined ? {} : { documentation: spec.doc };
    if (readable && !wantsFields) yield text(name, { kind: "name", detail: "resource", ...documentation });
    if (parts.includes("fields") && !wantsData)
      yield text(`${name}.fields`, { kind: "name", detail: "its fields" });
  }
}
