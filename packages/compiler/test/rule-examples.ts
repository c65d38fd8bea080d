import { readFileSync } from "node:fs";
import {
  breakingChanges,
  compile,
  type Diagnostic,
  type Model,
  type ObjectNode,
  type RuleExample,
} from "@configc/compiler";
import { parseDocument } from "@configc/compiler/internal";
import { baseFile, baseWorld } from "./support/bases.ts";

/** Builds the documents of a rule's examples (see `RuleExample`): fragments set into the `configc init` templates, or into a base of their own. */

export interface ExampleDocument {
  readonly text: string;
  readonly uri: string;
  /** What `«…»` marks, in offsets of the text; the marks are taken out. */
  readonly mark: { readonly start: number; readonly end: number } | undefined;
}

export function exampleDocument(example: RuleExample, fragment: string): ExampleDocument {
  if (example.in === "document") return unmarked(fragment, example.name ?? "example.app.json");
  const template = readFileSync(baseFile(example.in), "utf8");
  let text = template;
  for (const [pointer, json] of Object.entries(example.with ?? {})) text = setAt(text, pointer, json);
  return unmarked(setAt(text, example.at, fragment), "example.app.json");
}

export interface Diagnosed extends ExampleDocument {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the compiler says of an example's case, of a rule about two versions what it says of the new one. */
export function diagnose(example: RuleExample, fragment: string): Diagnosed {
  const document = exampleDocument(example, fragment);
  const { settings = {} } = example;
  const samples = { world: baseWorld, ...example.samples };
  const compiled = (text: string) => compile(text, { uri: document.uri, settings, samples });
  const { model, diagnostics } = compiled(document.text);
  if (example.published === undefined) return { ...document, model, diagnostics };
  const published = compiled(exampleDocument(example, example.published).text);
  return { ...document, model, diagnostics: breakingChanges(published.model, model) };
}

function unmarked(marked: string, uri: string): ExampleDocument {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const mark = start < 0 ? undefined : { start, end };
  return { text: marked.replace("«", "").replace("»", ""), uri, mark };
}

/** Replaces the value at a JSON Pointer by text, or adds the member, or (undefined) removes it; keeps all else as it is. */
export function setAt(text: string, pointer: string, json: string | undefined): string {
  const segments = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const root = parseDocument(text, "example.app.json").root;
  let node = root;
  for (const [depth, segment] of segments.entries()) {
    if (node?.kind === "array") {
      const item: typeof node = node.items[Number(segment)] as never;
      if (item === undefined && depth === segments.length - 1) {
        const last = node.items.at(-1);
        const at = last?.end ?? node.start + 1;
        return `${text.slice(0, at)}${last === undefined ? "" : ", "}${json}${text.slice(at)}`;
      }
      node = item;
    } else if (node?.kind === "object") {
      const member: ReturnType<ObjectNode["member"]> = node.member(segment);
      if (member === undefined) {
        if (depth < segments.length - 1) throw new Error(`${pointer}: there is no ${segment}`);
        if (json === undefined) return text;
        const last = node.members.at(-1);
        const at = last?.end ?? node.start + 1;
        return `${text.slice(0, at)}${last === undefined ? "" : ", "}${JSON.stringify(segment)}: ${json}${text.slice(at)}`;
      }
      if (json === undefined && depth === segments.length - 1) {
        const index = node.members.indexOf(member);
        const next = node.members[index + 1];
        const [from, to] =
          next === undefined
            ? [node.members[index - 1]?.end ?? member.start, member.end]
            : [member.start, next.start];
        return text.slice(0, from) + text.slice(to);
      }
      node = member.value;
    } else throw new Error(`${pointer}: nothing there`);
  }
  if (node === undefined) throw new Error(`${pointer}: nothing there`);
  return text.slice(0, node.start) + json + text.slice(node.end);
}
