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
export function readsOf(model: Model, root: RootRead): readonly Read[] {
  return reads[root](model);
}

/** The roots of which all reads are asked for. */
type RootRead = "data" | "polling_state";

/** The same in one part of the document. */
export function readsIn(part: Part, model: Model, root: RootName): readonly Read[] {
  return [expansionReads, programReads].flatMap((compute) =>
    ofPart(part, model, compute, () => compute(part)).filter((read) => read.root === root),
  );
}

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

const below = (root: RootRead): ((model: Model) => readonly Read[]) => {
  const [inExpansions, inPrograms] = [expansionReads, programReads].map((compute) =>
    derivedByPart((part, model) =>
      ofPart(part, model, compute, () => compute(part)).filter((read) => read.root === root),
    ),
  ) as [(model: Model) => readonly Read[], (model: Model) => readonly Read[]];
  return derived((model) => [...inExpansions(model), ...inPrograms(model)]);
};

const reads: Readonly<Record<RootRead, (model: Model) => readonly Read[]>> = {
  data: below("data"),
  polling_state: below("polling_state"),
};
