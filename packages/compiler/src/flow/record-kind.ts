import type { Expression } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Part } from "../bind/part.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { isIdName } from "./id-names.ts";
import { textAt } from "./nodes.ts";
import { isPlural, nounOf, nounOfId, ofCredentials } from "./nouns.ts";
import { expansionTrails, outputTrails, type Trail, trailsOf } from "./origin.ts";
import { stepsRunAt } from "./producers.ts";
import { boundTo } from "./protocol/dependence.ts";
import type { TypeFlow } from "./type-flow.ts";
import { underlying } from "./underlying.ts";

/** What kind of record an id is of. */
export interface RecordKind {
  /** All that it is called: the list it is from, the member, the form field. */
  readonly nouns: ReadonlySet<string>;
  /** What it may be called as well, by what its list stands below: `sms` of `/sms/senders`. */
  readonly below?: ReadonlySet<string>;
  /** What it is read from, as it is written. */
  readonly read: string;
}

/** What kind of record the id is of that an expression reads; undefined where it reads no id, or nothing says it. */
export function kindOf(node: Expression, program: JqProgram, flow: TypeFlow): RecordKind | undefined {
  const inner = underlying(node);
  if (inner.kind === "Hole") {
    const hole = program.holes[inner.hole];
    return hole === undefined ? undefined : kindOfExpansion(hole, flow);
  }
  if (inner.kind === "Variable") {
    const source = boundTo(program, inner);
    return source === undefined ? undefined : kindOf(source, program, flow);
  }
  if (inner.kind !== "Postfix") return undefined;
  const names = inner.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  if (names.length === 0 || inner.suffixes.at(-1)?.kind !== "Field") return undefined;
  const head = inner.head.kind === "Variable" ? [inner.head.name] : [];
  const read = textAt(inner, program);
  return byNames([...head, ...names], read) ?? byTrails(trailsOf(flow, program, inner), names.at(-1)!, read);
}

/** The same of an expansion; what a customer chose is what the options are of. */
export function kindOfExpansion(expansion: Expansion, flow: TypeFlow): RecordKind | undefined {
  const { root, syntax, fields, fieldExact, command } = expansion;
  const names = syntax.path.map(({ text }) => text);
  const read = names.join(".");
  if (root === "custom_data") {
    const [field] = fields;
    if (names[2] !== "value" || !fieldExact || field === undefined || fields.length !== 1) return undefined;
    const known = kindOfField(field, flow);
    return known === undefined ? undefined : { ...known, read };
  }
  if (root !== "piped_content" && root !== "data") return undefined;
  // Whoever wrote that meant another step, so the name says nothing of what arrives.
  if (root === "piped_content" && command !== undefined && Number(names[1]) > stepsRunAt(command))
    return undefined;
  const own = names.slice(2).filter((name) => !/^\d+$/.test(name));
  const last = own.at(-1);
  if (last === undefined) return undefined;
  return byNames(own, read) ?? byTrails(expansionTrails(flow, expansion), last, read);
}

const kindsOfFields = derived(() => new Map<FieldSymbol, RecordKind | undefined>());

/** What kind of record a customer chooses: by the list that is asked for, and the field's own name. */
export function kindOfField(field: FieldSymbol, flow: TypeFlow): RecordKind | undefined {
  const known = kindsOfFields(flow.model);
  if (!known.has(field)) known.set(field, computeKindOfField(field, flow));
  return known.get(field);
}

function computeKindOfField(field: FieldSymbol, flow: TypeFlow): RecordKind | undefined {
  const { id = "" } = field;
  const own = nounOf(id);
  if (own === undefined || field.type !== "dropdown") return undefined;
  const options = flow.plainAt(field.node.get("options"));
  if (options === undefined) return undefined;
  const told = byTrails(outputTrails(flow, options, ["[]", "value"]), "id", id);
  const paths = listsIn(options);
  const nouns = told === undefined ? paths.flatMap((path) => nounOfPath(path) ?? []) : [...told.nouns];
  const below = new Set(paths.flatMap((path) => nounAbove(path) ?? []));
  return nouns.length === 0 ? undefined : { nouns: new Set([...nouns, own]), below, read: id };
}

function listsIn({ argument, children, key }: Command): readonly string[] {
  if (key === "!http") return [textOf(argument, "path") ?? ""];
  return children.flatMap((child) => (child === undefined ? [] : listsIn(child)));
}

/** `event` of `event_id`, of `event.id` and of `events[0].id`. */
function byNames(names: readonly string[], read: string): RecordKind | undefined {
  const last = names.at(-1) ?? "";
  const before = names.at(-2);
  const named = nounOfId(last);
  // A client's id that a record has isn't the record's own, whether it is of a client or of an app.
  if (named === undefined && nounOfId(last, ofCredentials) !== undefined) return undefined;
  // Nor is that of somebody who did something with it: `hire.booked_by_id`.
  if (named === undefined && /(?:_by_|By_?)[a-z]*id$/i.test(last)) return undefined;
  const noun = named ?? (isIdName(last) && before !== undefined ? nounOf(before) : undefined);
  return noun === undefined ? undefined : { nouns: new Set([noun]), read };
}

/** `order` of an `.id` that comes from `GET /orders`. */
function byTrails(trails: readonly Trail[], last: string, read: string): RecordKind | undefined {
  if (last !== "id" || trails.length === 0) return undefined;
  const nouns = new Set<string>();
  const below = new Set<string>();
  for (const { origin } of trails) {
    if (origin.kind !== "response") return undefined;
    // A list of GraphQL has its records in `nodes`, or below `edges`.
    const names = origin.path.filter((name) => !/^(?:\[\]|nodes?|edges)$/.test(name));
    if (names.at(-1) !== "id") return undefined;
    const noun = names.length > 1 ? nounOf(names.at(-2)!) : undefined;
    const path = textOf(origin.command.argument, "path") ?? "";
    const asked = nounOfPath(path);
    const above = noun === undefined || noun === asked ? nounAbove(path) : undefined;
    if (above !== undefined) below.add(above);
    // A list in a list is of another kind than what was asked for.
    const kinds = noun !== undefined ? [noun] : asked !== undefined ? [asked] : [];
    if (kinds.length === 0) return undefined;
    for (const kind of kinds) nouns.add(kind);
  }
  return { nouns, below, read };
}

/**
 * What kind of record a member of an answer belongs to: `list` of the `.state` of each of `.lists`, and of that of `GET /lists/1`;
 * undefined where something else may give it, or nothing says it.
 */
export function recordOfMember(trails: readonly Trail[]): string | undefined {
  const nouns = trails.map(({ origin }) => {
    if (origin.kind !== "response") return undefined;
    const owner = origin.path.slice(0, -1).filter((name) => !/^(?:\[\]|body|data|nodes?|edges)$/.test(name));
    const noun = nounOf(owner.at(-1) ?? "");
    return noun ?? (owner.length > 0 ? undefined : nounOfPath(textOf(origin.command.argument, "path") ?? ""));
  });
  return nouns.every((noun) => noun !== undefined && noun === nouns[0]) ? nouns[0] : undefined;
}

/** What stands behind the name of a list and says how it is read. */
const verbs: ReadonlySet<string> = new Set(
  "search query find lookup list all me mine self count batch bulk current filter".split(" "),
);

/** What a path is of: `member` of `/lists/1/members` and of `/members/${id}`. */
export function nounOfPath(path: string): string | undefined {
  const last = nameOfPath(path);
  return last === undefined || last === "graphql" ? undefined : nounOf(last);
}

/** What a list stands below, where no id stands between: `sms` of `/sms/senders`, none of `/lists/1/members`. */
function nounAbove(path: string): string | undefined {
  const segments = segmentsOf(path);
  const last = nameOfPath(path);
  const above = last === undefined ? undefined : segments[segments.lastIndexOf(last) - 1];
  return above === undefined || /[\d$:=]/.test(above) ? undefined : nounOf(above);
}

/** The same as it is written: `members`. */
export const nameOfPath = (path: string): string | undefined => namesIn(path).at(-1);

const segmentsOf = (path: string): readonly string[] =>
  (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");

/** The segments of a path that name records: not ids, and not what is done with a list (`match` of `/members/match`). */
const namesIn: (path: string) => readonly string[] = memoize((path) => {
  const segments = segmentsOf(path);
  return segments.filter((segment, index) => {
    if (/[$:=]/.test(segment) || verbs.has(segment)) return false;
    const before = segments[index - 1];
    return isPlural(segment) || before === undefined || !isPlural(before);
  });
}, 1_000);

/** Every kind of record that paths and form fields of a part name. */
export function kindsNamedIn({ commands, workflows }: Part): readonly string[] {
  const nouns = new Set<string>();
  for (const command of commands) addNouns(command, nouns);
  for (const { fields } of workflows)
    for (const { id } of fields) {
      const noun = id === undefined ? undefined : nounOf(id);
      if (noun !== undefined) nouns.add(noun);
    }
  return [...nouns];
}

/** The kinds of which paths of a part name a list: `patient` of `/patients`, and no `me` of `/me`. */
export function listsNamedIn({ commands }: Part): readonly string[] {
  const nouns = new Set<string>();
  for (const { key, argument } of commands) {
    if (key !== "!http") continue;
    for (const name of namesIn(textOf(argument, "path") ?? "")) {
      const noun = isPlural(name) ? nounOf(name) : undefined;
      if (noun !== undefined) nouns.add(noun);
    }
  }
  return [...nouns];
}

/** The arguments for ids in a GraphQL query, with the variables that fill them: `taskId: $task`. */
export const idArguments = (query: string): readonly RegExpMatchArray[] =>
  query === "" ? [] : [...query.matchAll(/\b([A-Za-z]\w*Id)\s*:\s*\$(\w+)/g)];

function addNouns({ key, argument }: Command, nouns: Set<string>): void {
  if (key !== "!http") return;
  const query = textOf(argument?.kind === "object" ? argument.get("body") : undefined, "query") ?? "";
  for (const [, name] of idArguments(query)) {
    const noun = nounOfId(name!);
    if (noun !== undefined) nouns.add(noun);
  }
  for (const name of namesIn(textOf(argument, "path") ?? "")) {
    const noun = nounOf(name);
    if (noun !== undefined) nouns.add(noun);
  }
}
