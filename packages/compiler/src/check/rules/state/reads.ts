import { groupBy } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import type { RootName } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";

/** A read of a value below a root, by an expansion or by a jq program whose input are the roots (D16). */
export interface Read {
  readonly root: string | number;
  readonly command: Command;
  /** Whether an expansion reads it: there a name is written as it is. */
  readonly expanded: boolean;
  /** The names below the root, as written. */
  readonly path: readonly { readonly text: string; readonly at: StringPart }[];
}

/** Every read below a root, in document order; broken expansions and misspelled roots are left out. */
export function readsOf(model: Model, root: RootName): readonly Read[] {
  return readsByRoot(model).get(root) ?? [];
}

/** The same in one part of the document. */
export function readsIn(part: Part, model: Model, root: RootName): readonly Read[] {
  return [expansionReads, programReads].flatMap((compute) =>
    ofPart(part, model, compute, () => compute(part)).filter((read) => read.root === root),
  );
}

const readsByRoot = derived(
  (model): ReadonlyMap<string | number, readonly Read[]> =>
    groupBy([...readsInExpansions(model), ...readsInPrograms(model)], ({ root }) => root),
);

function expansionReads({ expansions }: Part): readonly Read[] {
  const reads: Read[] = [];
  for (const { root, rootExact, syntax, node, command } of expansions) {
    if (root === undefined || !rootExact || syntax.problem !== undefined || command === undefined) continue;
    const path = syntax.path
      .slice(1)
      .map(({ text, start, end }) => ({ text, at: { node, from: start, to: end } }));
    reads.push({ root, command, expanded: true, path });
  }
  return reads;
}

function programReads({ programs }: Part): readonly Read[] {
  const reads: Read[] = [];
  for (const program of programs) {
    if (program.diagnostics.length > 0) continue;
    for (const { segments } of rootPaths(program)) {
      const root = segments[0]?.key;
      if (root === undefined) continue;
      const path = segments.slice(1).map(({ key, start, end }) => {
        const name = program.node.value.slice(start, end);
        // A key may be written `.name`, `."name"` or `["name"]`: the finding is about the name.
        const offset = Math.max(0, name.indexOf(`${key}`));
        return {
          text: `${key}`,
          at: { node: program.node, from: start + offset, to: start + offset + `${key}`.length },
        };
      });
      reads.push({ root, command: program.command, expanded: false, path });
    }
  }
  return reads;
}

const readsInExpansions = derivedByPart(expansionReads);
const readsInPrograms = derivedByPart(programReads);
