import type { Postfix } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import { derivedByPart } from "../../by-part.ts";

/** Members that services put the members of a record into: JSON:API, GraphQL and others. */
const wrappers: ReadonlySet<string> = new Set(["attributes", "properties", "fields", "node"]);

/** A member that is read of a record, below what wraps the record's members, or beside it. */
export interface RecordRead {
  readonly program: JqProgram;
  readonly node: Postfix;
  /** What the record is, or is one of: `data`, `results`. */
  readonly list: string;
  readonly member: string;
  /** `attributes` */
  readonly wrapper: string | undefined;
}

/** What the document's programs read of records with wrapped members, by what the records are in. */
export const recordReads = (model: Model): ReadonlyMap<string, readonly RecordRead[]> =>
  wrapping(model).length === 0 ? new Map() : groupBy(readsOfRecords(model), ({ list }) => group(list));

/** Programs that may read what is wrapped. */
const wrapping = derivedByPart(({ programs }) =>
  programs.filter(
    ({ diagnostics, node }) =>
      diagnostics.length === 0 && /\.(?:attributes|properties|fields|node)\b/.test(node.value),
  ),
);

const readsOfRecords = derivedByPart(({ programs }) => programs.flatMap(readsIn));

function readsIn(program: JqProgram): readonly RecordRead[] {
  if (program.diagnostics.length > 0) return [];
  return nodesOfKind(program, "Postfix").flatMap((node) => {
    const path = pathOf(program, node);
    if (path === undefined) return [];
    const at = path.findIndex((name) => wrappers.has(name));
    const isWrapped = at > 0 && at + 1 < path.length;
    const list = isWrapped ? path[at - 1] : path.at(-2);
    const member = isWrapped ? path[at + 1] : path.at(-1);
    if (list === undefined || member === undefined || (!isWrapped && at >= 0)) return [];
    return [{ program, node, list, member, wrapper: isWrapped ? path[at] : undefined }];
  });
}

/** Documents of JSON:API have records in both. */
const group = (list: string): string => (list === "included" ? "data" : list);

/** The names on the way from an answer or payload to what is read; undefined where there are several ways. */
function pathOf(program: JqProgram, node: Postfix): readonly string[] | undefined {
  const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
  if (last?.kind !== "Field" && last?.kind !== "Index") return undefined;
  const [source, ...others] = sourcesOf(program, node, []);
  if (source === undefined || source.kind === "made" || others.length > 0) return undefined;
  const hole = source.kind === "hole" ? program.holes[source.hole] : undefined;
  if (hole !== undefined && hole.root !== "piped_content") return undefined;
  const before = hole?.syntax.path.slice(2).map(({ text }) => text) ?? [];
  return [...before, ...source.path].filter((name) => name !== "[]" && !/^\d+$/.test(name));
}
