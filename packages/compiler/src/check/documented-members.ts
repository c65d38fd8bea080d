import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { derivedByPart } from "./by-part.ts";

/** How a time is written by a sample of it in a comment. */
export type TimeForm =
  | "milliseconds"
  | "seconds"
  | "a day"
  | "a time with an offset"
  | "a time with fractions"
  | "a time";

/** What comments of a document show of a member, as authors write it there: `changed_at: 1740851990123`, `dogs: [{id, name}]`. */
export interface Documented {
  readonly name: string;
  readonly shows: TimeForm | "objects";
  /** The sample, as it is written. */
  readonly sample: string;
}

const time =
  /\b([A-Za-z_]\w*)"?(?:\s*[:=]| is| like|,? e\.g\.)\s*"?(\d{4}-\d\d-\d\d(?:T\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?|1\d{9}(?:\d{3})?)(?![\w.-])/g;
const objects = /\b([A-Za-z_]\w*)"?\s*:\s*(\[\s*\{)/g;

/** By name; members of which comments show two forms are left out. */
export const documentedMembers: (model: Model) => ReadonlyMap<string, Documented> = derived((model) => {
  const found = new Map<string, Documented | undefined>();
  for (const each of [...around(model), ...inParts(model)]) {
    const known = found.get(each.name);
    found.set(each.name, !found.has(each.name) || known?.shows === each.shows ? each : undefined);
  }
  return new Map([...found].flatMap(([name, each]) => (each === undefined ? [] : [[name, each] as const])));
});

const inParts = derivedByPart(({ item }) =>
  item === undefined ? [] : commentsIn(item.node).flatMap(shownIn),
);

/** What stands outside of the items: in `api` and at the top. */
const around = ({ document }: Model): readonly Documented[] => {
  const { root } = document;
  if (root?.kind !== "object") return [];
  return [root.get("_comment"), ...["api", "auth"].flatMap((name) => root.get(name))]
    .flatMap((node, index) => (node === undefined ? [] : index === 0 ? textsIn(node) : commentsIn(node)))
    .flatMap(shownIn);
};

function commentsIn(node: JsonNode): readonly string[] {
  const found: string[] = [];
  const pending: JsonNode[] = [node];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === "array") pending.push(...at.items.flatMap((item) => item ?? []));
    if (at.kind !== "object") continue;
    for (const { name, value } of at.members) {
      if (value === undefined) continue;
      if (name === "_comment") found.push(...textsIn(value));
      else pending.push(value);
    }
  }
  return found;
}

function textsIn(node: JsonNode): readonly string[] {
  if (node.kind === "string") return [node.value];
  return node.kind === "array"
    ? node.items.flatMap((item) => (item?.kind === "string" ? [item.value] : []))
    : [];
}

function shownIn(text: string): readonly Documented[] {
  return [
    ...[...text.matchAll(time)].map(([, name = "", sample = ""]) => ({
      name,
      shows: formOf(sample),
      sample,
    })),
    ...[...text.matchAll(objects)].map(([, name = "", sample = ""]) => ({
      name,
      shows: "objects" as const,
      sample,
    })),
  ];
}

function formOf(sample: string): TimeForm {
  if (/^\d+$/.test(sample)) return sample.length === 13 ? "milliseconds" : "seconds";
  if (!sample.includes("T")) return "a day";
  if (/\.\d/.test(sample)) return "a time with fractions";
  return /[+-]\d\d:?\d\d$/.test(sample.slice(11)) ? "a time with an offset" : "a time";
}
