import { memoize } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import { derivedOf } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { serviceOf } from "./counted.ts";
import { commentLinesAround, hasComments, intakesAround } from "./documented-words.ts";
import { readRecords, type ShownValue } from "./shown-record.ts";

/** What a comment shows of a member: `phones: [{number, label}]`. */
export interface DocumentedValue extends ShownValue {
  readonly comment: StringNode;
}

/** Values by their names: a name has several where several comments show it, or records of several kinds have it. */
export type DocumentedValues = ReadonlyMap<string, readonly DocumentedValue[]>;

/** What the comments around a command show, on the intakes that its workflow has, and on the service. */
export const documentedAt: (command: Command, model: Model) => DocumentedValues = derivedOf(
  (command, model) =>
    hasComments(model)
      ? documentedValues(command.node, [...intakesAround(command.unit), ...serviceOf(model)])
      : new Map(),
);

/**
 * What the comments around a place show of each member, as they write records: `{job: {id, number}}` (E261).
 *
 * @param also objects whose own comments count too
 */
export function documentedValues(place: SyntaxNode, also: readonly ObjectNode[] = []): DocumentedValues {
  const found = new Map<string, DocumentedValue[]>();
  for (const lines of commentLinesAround(place, also)) {
    const [comment] = lines;
    if (comment === undefined) continue;
    for (const value of valuesIn(lines.map((line) => line.value).join("\n"))) {
      const known = found.get(value.name);
      if (known === undefined) found.set(value.name, [{ ...value, comment }]);
      else known.push({ ...value, comment });
    }
  }
  return found;
}

/** What all comments show alike of a member; undefined where they show nothing of its kind, or two kinds. */
export function documentedKind(name: string, values: DocumentedValues): DocumentedValue | undefined {
  const shown = (values.get(name) ?? []).filter(({ kind }) => kind !== undefined);
  return shown.every(({ kind }) => kind === shown[0]!.kind) ? shown[0] : undefined;
}

/** An edit leaves most comments as they are. */
const valuesIn: (text: string) => readonly ShownValue[] = memoize((text) => readRecords(text), 300);
