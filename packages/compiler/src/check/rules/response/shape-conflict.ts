import { groupBy } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { isPlural } from "../../../flow/nouns.ts";
import type { ShapeRead, ShapeSubject, ShapeUse } from "../../../flow/shape-reads.ts";
import { subjectId, subjectsOf } from "../../../flow/shape-subjects.ts";
import type { ValuePath } from "../../../flow/value-path.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { graphqlQuery, graphqlSelection, type Selection } from "../../../samples/graphql.ts";

export type Shape =
  | "a list"
  | "an object"
  | "a text"
  | "a number"
  | "one value"
  | "a list of objects"
  | "a list of texts";

/** Two ways in which one value is read, of which one is wrong. */
export interface ShapeConflict {
  readonly at: StringPart;
  readonly here: Shape;
  readonly there: Shape;
  /** How the other place reads it. */
  readonly how: string;
  readonly related: StringPart;
  readonly of: string;
}

/** How members of one name are read, wherever they are. */
export interface UsesOfName {
  readonly name: string;
  readonly uses: ReadonlySet<ShapeUse>;
}

export function usesByName(reads: readonly ShapeRead[]): readonly UsesOfName[] {
  const names = groupBy(reads, ({ name }) => name);
  return [...names].map(([name, all]) => ({ name, uses: new Set(all.map(({ use }) => use)) }));
}

/** One of each name. */
export function mergeUses(all: readonly UsesOfName[]): readonly UsesOfName[] {
  const merged = new Map<string, ReadonlySet<ShapeUse>>();
  for (const { name, uses } of all) {
    const known = merged.get(name);
    if (known === undefined) merged.set(name, uses);
    else if (![...uses].every((use) => known.has(use))) merged.set(name, new Set([...known, ...uses]));
  }
  return [...merged].map(([name, uses]) => ({ name, uses }));
}

/** Whether the ways in which members of one name are read could be of two shapes, were they one member. */
export function mayDiffer({ name, uses }: UsesOfName, asksGraphql: boolean): boolean {
  const isOfGraphql = asksGraphql && (uses.has("listed") || ofConnection.test(name));
  if (isOfGraphql) return true;
  const isScalar = uses.has("text") || uses.has("number") || uses.has("pasted") || uses.has("joined");
  if (asksGraphql && (isScalar || uses.has("counted"))) return true;
  const isList = uses.has("listed") || uses.has("iterated");
  const isCompound = isList || uses.has("member") || uses.has("counted");
  return (isScalar && isCompound) || ((isList || uses.has("counted")) && uses.has("member"));
}

interface Placed {
  readonly read: ShapeRead;
  readonly subject: ShapeSubject;
}

/** The contradictions between reads of members of one name. */
export function conflictsOf(reads: readonly ShapeRead[], model: Model): readonly ShapeConflict[] {
  const placed: Placed[] = [];
  for (const read of reads) for (const subject of subjectsOf(read, model)) placed.push({ read, subject });
  const groups = groupBy(placed, ({ subject }) => subject.id);
  const found: ShapeConflict[] = [];
  for (const group of groups.values()) {
    const { key, path } = group[0].subject;
    if (path.length === 0 || path.at(-1) === "[]" || group.some(({ read }) => read.use === "asked")) continue;
    const items = groups.get(subjectId(key, [...path, "[]"])) ?? [];
    if (!areReadInTwoWays(group, items)) continue;
    const conflict = conflictIn(group, items);
    if (conflict !== undefined) found.push(conflict);
  }
  return found;
}

/** A look that spares most groups the comparing. What a query selects decides by itself. */
function areReadInTwoWays(group: readonly Placed[], items: readonly Placed[]): boolean {
  const { read, subject } = group[0]!;
  if (subject.request !== undefined && graphqlQuery(subject.request) !== undefined) return true;
  if (group.some((other) => other.read.use !== read.use)) return true;
  return items.length > 0 && (read.use === "member" || read.use === "joined");
}

/**
 * Where an answer is read as a bare list, which stands under `body` (D20), and elsewhere as an object with a list in it.
 *
 * @param bodies reads of members that are called `body`
 */
export function bareConflicts(
  bodies: readonly ShapeRead[],
  all: readonly ShapeRead[],
  model: Model,
): readonly ShapeConflict[] {
  const lists = (reads: readonly ShapeRead[]): readonly Placed[] =>
    reads
      .filter(({ use }) => use === "listed" || use === "iterated" || use === "counted")
      .flatMap((read) => subjectsOf(read, model).map((subject) => ({ read, subject })));
  const bare = lists(bodies).filter(({ subject: { request, path } }) => request && path.length === 0);
  if (bare.length === 0) return [];
  const keys = groupBy(bare, ({ subject: { key } }) => key);
  const members = lists(all.filter(({ name }) => name !== "body")).filter(
    ({ subject: { key, path } }) => keys.has(key) && path.length === 1 && path[0] !== "[]",
  );
  return [...groupBy(members, ({ subject: { key } }) => key)].flatMap(
    ([key, read]) => between(keys.get(key)!, read, "a list", "an object") ?? [],
  );
}

const saidBare = /\b(?:bare|plain|top-level) (?:JSON )?(?:array|list)\b/i;

/** Members with a list of an answer that is a list itself, as a comment says: `GET /players?email= gives a bare array`. */
export function documentedBare(
  all: readonly ShapeRead[],
  model: Model,
): readonly { readonly at: StringPart; readonly of: string; readonly related: StringPart["node"] }[] {
  if (!saidBare.test(model.document.text)) return [];
  const told = new Set<unknown>();
  return all.flatMap((read) => {
    if (read.name === "body" || (read.use !== "listed" && read.use !== "iterated")) return [];
    const [subject, ...others] = subjectsOf(read, model);
    const request = subject?.path.length === 1 && others.length === 0 ? subject.request : undefined;
    const path = (textOf(request?.argument, "path") ?? "").replace(/[?$].*$/, "").replace(/\/$/, "");
    if (request === undefined || path.length < 2 || told.has(request)) return [];
    const said = documentedClauses(request.node).find(
      ({ text }) =>
        saidBare.test(text) && text.match(/GET ([^\s?]+)/)?.[1] === path && !/\bnot\b|n't\b/.test(text),
    );
    if (said === undefined) return [];
    told.add(request);
    return [{ at: read.at, of: subject!.text, related: said.comment }];
  });
}

/** Members in which a list is, beside what is said of it. */
const container = /^(?:nodes|edges|list|items|data|results|records|entries|rows|elements|values)$/i;

function conflictIn(group: readonly Placed[], items: readonly Placed[]): ShapeConflict | undefined {
  const of = (...uses: readonly ShapeUse[]): readonly Placed[] =>
    group.filter(({ read }) => uses.includes(read.use));
  const [listed, members, iterated] = [of("listed"), of("member"), of("iterated")];
  const [texts, numbers, joined] = [of("text"), of("number"), of("joined")];
  const [counted, pasted] = [of("counted"), of("pasted")];
  const lists = [...listed, ...joined];
  const itemMembers = items.filter(({ read }) => read.use === "member");
  const named = new Set(itemMembers.map(({ read }) => read.member));
  const whole = members.filter(({ read }) => container.test(read.member ?? ""));
  const compound = lists.length > 0 ? lists : members.length > 0 ? members : iterated;
  const shape = compound === members && members.length > 0 ? "an object" : "a list";
  const ofList = [...lists, ...iterated, ...counted.filter(isCollection)];
  return (
    selectedOtherwise(group) ??
    // In one pipe, and in one program, rules of their own tell these.
    toldApart(pasted, members, "one value", "an object") ??
    told(pasted, ofList, "one value", "a list") ??
    between(lists, members, "a list", "an object") ??
    between(texts, compound, "a text", shape) ??
    between(numbers, compound, "a number", shape) ??
    toldApart(joined, itemMembers, "a list of texts", "a list of objects") ??
    // `.labels.name` beside `.labels[].name`.
    between(
      members.filter(({ read }) => named.has(read.member)),
      itemMembers,
      "an object",
      "a list of objects",
    ) ??
    // An object that is counted has as many members as its list has neighbours.
    between(counted, whole, "a list", "an object")
  );
}

/** Of two ways the one that is rarer, or comes later. */
function between(
  a: readonly Placed[],
  b: readonly Placed[],
  as: Shape,
  bs: Shape,
): ShapeConflict | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  const isFirst =
    a.length === b.length ? a[0]!.read.at.node.start >= b[0]!.read.at.node.start : a.length < b.length;
  return isFirst ? told(a, b, as, bs) : told(b, a, bs, as);
}

/** Of what isn't in one pipe. */
function toldApart(
  a: readonly Placed[],
  b: readonly Placed[],
  as: Shape,
  bs: Shape,
): ShapeConflict | undefined {
  const [one] = a;
  const apart = b.filter(({ read }) => one === undefined || pipeOf(read) !== pipeOf(one.read));
  return told(a, apart, as, bs);
}

const pipeOf = ({ from }: ShapeRead) =>
  ("program" in from ? from.program.command : from.expansion.command)?.pipe;

function told(
  [one]: readonly Placed[],
  [other]: readonly Placed[],
  here: Shape,
  there: Shape,
): ShapeConflict | undefined {
  if (one === undefined || other === undefined) return undefined;
  const { read, subject } = one;
  const how = spelled(other.read, there === "a list of objects" ? read.name : undefined);
  return { at: read.at, here, there, how, related: other.read.at, of: subject.text };
}

/** What a GraphQL query says: what it selects members of is an object, or a list of them. */
function selectedOtherwise(group: readonly Placed[]): ShapeConflict | undefined {
  const { request, path, text } = group[0]!.subject;
  const query = request === undefined ? undefined : graphqlQuery(request);
  const selected = query === undefined ? undefined : selectedAt(graphqlSelection(query.value), path);
  if (query === undefined || selected === undefined) return undefined;
  const isConnection = [...selected.keys()].some((name) => ofConnection.test(name));
  const last = path.at(-1)!;
  const related = { node: query, from: 0, to: query.value.length };
  for (const { read } of group) {
    const { use, name, at } = read;
    const how = (): string => `${name} { ${[...selected.keys()].slice(0, 2).join(" ")} }`;
    // `nodes` and `edges` have all records of a connection, whatever they are called by; a connection is an object.
    const isListOfAll = use === "member" && ofConnection.test(last) && name === last;
    if (isListOfAll || (use === "listed" && isConnection)) {
      const [here, there] = isListOfAll
        ? (["an object", "a list"] as const)
        : (["a list", "an object"] as const);
      return { at, here, there, how: how(), related, of: text };
    }
    const isScalar = use === "text" || use === "number" || use === "pasted";
    const here: Shape | undefined =
      use === "joined"
        ? "a list of texts"
        : use === "text"
          ? "a text"
          : use === "number"
            ? "a number"
            : "one value";
    if (use === "counted" ? !isConnection : !isScalar && use !== "joined") continue;
    return {
      at,
      here: use === "counted" ? "a list" : here,
      there: use === "joined" ? "a list of objects" : "an object",
      how: how(),
      related,
      of: text,
    };
  }
  return undefined;
}

const ofConnection = /^(?:nodes|edges)$/;

function selectedAt(selection: Selection | undefined, path: ValuePath): Selection | undefined {
  const [data, ...steps] = path;
  if (data !== "data" || steps.length === 0) return undefined;
  let at = selection;
  for (const step of steps) if (step !== "[]") at = at?.get(step);
  return at;
}

/** Whether a plural is what a request asks a list of: `people` of `GET /people`. */
function isCollection({ read, subject: { request, path } }: Placed): boolean {
  const where = textOf(request?.argument, "path") ?? "";
  const last = where.replace(/\?.*$/, "").split("/").at(-1);
  return path.length === 1 && isPlural(read.name) && last === read.name;
}

/** How a value is read elsewhere. @param list the name of the list whose item is read */
function spelled({ name, use, member, at }: ShapeRead, list?: string): string {
  if (list !== undefined) return `${list}[].${member}`;
  if (use === "member") return `${name}.${member}`;
  if (use === "listed") return `${name}[0]`;
  if (use === "counted") return `${name} | length`;
  if (use === "joined") return `${name} | join`;
  return use === "iterated" ? `${name}[]` : at.node.value.slice(at.from, at.to + 20).replace(/\s+/g, " ");
}
