import {
  type Compilation,
  completionsAt,
  hoverAt,
  type Model,
  render,
  type SyntaxNode,
} from "@configc/compiler";
import { namedSymbolAt, type Occurrence, spanOf } from "@configc/compiler/internal";
import { expect } from "vitest";
import type { Chance } from "./edits.ts";

/** Everything about a compilation that someone can see, but what is asked at an offset. */
export function visible(compilation: Compilation): unknown {
  const { model, diagnostics, app } = compilation;
  return {
    diagnostics: diagnostics.map((each) => render(model, each, { fixes: true })),
    places: placesIn(model),
    counts: [model.commands.length, model.expansions.length, model.programs.length, model.structure.length],
    app,
  };
}

/** What an editor asks at some offsets. */
export function answers({ model }: Compilation, offsets: readonly number[]): unknown {
  return offsets.map((offset) => ({
    offset,
    hover: hoverAt(model, offset),
    named: namedAt(model, offset),
    completions: completionsAt(model, offset),
  }));
}

function namedAt(model: Model, offset: number): unknown {
  const found = namedSymbolAt(model, offset);
  if (found === undefined) return undefined;
  const { thing, at } = found;
  const spans = (places: readonly Occurrence[]) => places.map((place) => spanOf(model.document, place));
  const { kind, name, declarations, references } = thing;
  return { kind, name, at: spans([at]), declarations: spans(declarations), references: spans(references) };
}

export function someOffsets({ length }: string, chance: Chance): number[] {
  return Array.from({ length: 3 }, () => chance.below(length + 1));
}

export function expectEqual(found: Compilation, wanted: Compilation, offsets: readonly number[]): void {
  expect(visible(found)).toEqual(visible(wanted));
  expect(answers(found, offsets)).toEqual(answers(wanted, offsets));
}

/** Offsets and parents of all nodes, as one text. */
function placesIn({ document: { root } }: Model): string {
  const lines: string[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    lines.push(`${node.kind} ${node.start} ${node.end} ${node.parent === parent}`);
    if (node.kind === "object") for (const member of node.members) visit(member, node);
    if (node.kind === "array") for (const item of node.items) visit(item, node);
    if (node.kind === "member") {
      visit(node.key, node);
      if (node.value !== undefined) visit(node.value, node);
    }
  };
  if (root !== undefined) visit(root, undefined);
  return lines.join("\n");
}
