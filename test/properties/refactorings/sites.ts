import { compile, type Edit, type Model, type Samples } from "@configc/compiler";
import { documentOffset, refactoringsIn, toJson } from "@configc/compiler/internal";
import { type Json, type Node, walk } from "@configc/jq";

/** A refactoring that is offered somewhere in a document, and what the document is after it. */
export interface Offer {
  readonly title: string;
  readonly kind: string;
  /** Of the place that it was asked for. */
  readonly at: number;
  readonly text: string;
}

/** Every refactoring that a document is offered: at each command, and at each expression of each program. */
export function* offersIn(text: string, uri: string, samples: Partial<Samples> = {}): Generator<Offer> {
  const { model } = compile(text, { uri, samples });
  const seen = new Set<string>();
  for (const [start, end] of placesOf(model)) {
    for (const { title, kind, edits } of refactoringsIn(model, { start, end })) {
      const key = JSON.stringify(edits);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { title, kind, at: start, text: edited(text, edits) };
    }
  }
}

function* placesOf(model: Model): Generator<readonly [number, number]> {
  const { text } = model.document;
  for (const { node, member, argument } of model.commands) {
    yield [member.key.start, member.key.start];
    if (argument?.kind !== "object") continue;
    // Each text of a request, at its middle.
    const strings = [...text.slice(argument.start, argument.end).matchAll(/[\w~-]+(?=["/&])/g)];
    for (const { index } of strings) yield [argument.start + index + 1, argument.start + index + 1];
    yield [node.start, node.start];
  }
  for (const { tree, node } of model.programs) {
    const nodes: Node[] = [];
    walk(tree.body, { enter: (each) => void nodes.push(each) });
    for (const { start, end } of nodes) {
      const [from, to] = [documentOffset(text, node, start), documentOffset(text, node, end)];
      yield [from, to];
      yield [from, from];
    }
  }
  for (const { fields } of model.workflows) for (const { node } of fields) yield [node.start, node.start];
}

/** Edits that meet would depend on their order. */
export function edited(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let at = 0;
  for (const { start, end, newText } of ordered) {
    if (start < at) throw new Error(`edits meet at ${start}`);
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}

/** The only choices of fields, as customers make them: those of a refactoring that asks for what was written. */
export function onlyChoices({ workflows }: Model): Record<string, Json> {
  const choices: Record<string, Json> = {};
  for (const { id, node } of workflows.flatMap(({ fields }) => fields)) {
    const options = node.get("options");
    if (id !== undefined && options?.kind === "array" && options.items.length === 1)
      choices[id] = toJson(options.items[0]!) as Json;
  }
  return choices;
}
