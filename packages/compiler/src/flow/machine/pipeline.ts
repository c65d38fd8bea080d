import type { Expression } from "@configc/jq";
import type { Command, Expansion, JqProgram, WorkflowSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { textOf } from "../../parse/syntax-tree.ts";
import { isIdName } from "../id-names.ts";
import { NOW } from "./evaluate.ts";
import { MISSING, run } from "./run.ts";
import { isKind, type Part, type Source, type TextValue, UNKNOWN, type Value } from "./value.ts";

/** What a pipeline is given. */
export interface Given {
  readonly input: Value;
  /** What the customer chose, by field; undefined for a field that was skipped. Of others nothing is known. */
  readonly choices?: ReadonlyMap<string, Value | undefined>;
}

/** An expansion in a request or a program. */
export interface Sent {
  readonly expansion: Expansion;
  readonly value: Value;
  /** The value without its default. */
  readonly plain: Value;
  /** Whether it certainly reads what isn't there, without a default. */
  readonly isMissing: boolean;
}

/** A request that a pipeline sends, or a program that it runs. */
export interface Request {
  readonly command: Command;
  readonly sent: readonly Sent[];
  /** What the steps of its pipe gave until then, after the pipe's input. */
  readonly outputs: readonly Value[];
  /** Whether its case is certainly taken. */
  readonly isCertain: boolean;
}

/** One way in which a pipeline may go: what its lookups find decides. */
export interface Course {
  /** Of each lookup whether it found a record. */
  readonly found: ReadonlyMap<Command, boolean>;
  readonly requests: readonly Request[];
  /** What its programs read, and where. */
  readonly programs: readonly Request[];
  /** The cases taken, by `!switch`. */
  readonly cases: ReadonlyMap<Command, number>;
  /** Expansions without a default that read what isn't there: the first fails. */
  readonly missing: readonly Expansion[];
  /** Parts of programs that fail with what they get, the first of them first. */
  readonly failures: readonly Failure[];
  /** Members' values for want of which a program gives nothing. */
  readonly nothing: readonly Failure[];
  /** What is null in a text that a program makes. */
  readonly nullsInTexts: readonly Failure[];
  /** Whether it certainly ends with a message of the app's own. */
  readonly isRefused: boolean;
  readonly output: Value;
}

export interface Failure {
  readonly program: JqProgram;
  readonly node: Expression;
}

/** Commands of whose answers it was asked how many records they have, with what was taken for a list in them. */
type Asked = Map<Command, { readonly lists: Set<string> }>;

/** Lookups of which each may find something or not: the ways double with each. */
const LOOKUPS = 3;

/** The ways in which a command of a pipeline goes; the first one finds whatever it looks up. */
export function coursesOf(
  command: Command,
  workflow: WorkflowSymbol,
  model: Model,
  given: Given,
): readonly Course[] {
  const part = partOfUnit(workflow, model);
  const expansions = new Map<Command, Expansion[]>();
  for (const expansion of part.expansions) {
    if (expansion.command?.key !== "!http" && expansion.command?.key !== "!jq") continue;
    const known = expansions.get(expansion.command);
    if (known === undefined) expansions.set(expansion.command, [expansion]);
    else known.push(expansion);
  }
  const asked: Asked = new Map();
  const go = (none: ReadonlySet<Command>): Course => follow(command, given, expansions, none, asked);
  const first = go(new Set());
  // What is taken for a list somewhere is one everywhere, where it is compared with null too.
  const courses = [[...asked.values()].some(({ lists }) => lists.size > 0) ? go(new Set()) : first];
  const lookups = [...asked.keys()].filter(isLookup).slice(0, LOOKUPS);
  for (let bits = 1; bits < 2 ** lookups.length; bits++)
    courses.push(go(new Set(lookups.filter((_, at) => (bits & (2 ** at)) !== 0))));
  return courses.map((course) => ({
    ...course,
    found: new Map(lookups.map((each) => [each, course.found.get(each) ?? true])),
  }));
}

/** Whether a request looks something up, by its method and what it is called. */
function isLookup({ argument }: Command): boolean {
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  if (method === "GET") return true;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  if (method !== "POST") return false;
  const query = textOf(body, "query");
  if (query !== undefined && /^\s*(?:query\b|\{)/.test(query)) return true;
  return /(?:search|query|find|lookup|filter)\b/i.test(
    textOf(argument, "path") ?? textOf(argument, "url") ?? "",
  );
}

function follow(
  command: Command,
  { input, choices }: Given,
  expansions: ReadonlyMap<Command, readonly Expansion[]>,
  none: ReadonlySet<Command>,
  asked: Asked,
): Course {
  const requests: Request[] = [];
  const programs: Request[] = [];
  const cases = new Map<Command, number>();
  const missing: Expansion[] = [];
  const failures: Failure[] = [];
  const nothing: Failure[] = [];
  const nullsInTexts: Failure[] = [];
  let isStopped = false;
  const output = run(command, {
    input,
    now: NOW,
    root(name, path) {
      const [id, ...rest] = path;
      if (name !== "custom_data" || id === undefined || choices?.has(id) !== true)
        return { kind: "part", path: [name, ...path], source: kept };
      const chosen = choices.get(id);
      if (chosen === undefined) return MISSING;
      return rest[0] === "value" ? chosen : { kind: "part", path: [name, ...path], source: kept };
    },
    explores: true,
    effect(each) {
      if (each.key !== "!http" || isStopped) return UNKNOWN;
      return { kind: "part", path: [], source: answerTo(each, !none.has(each), asked) };
    },
    onFailure(program, node) {
      if (!isStopped) failures.push({ program, node });
    },
    // A program that ends the item with a message: nothing behind it runs.
    onError() {
      isStopped = true;
    },
    onNothing(program, node) {
      if (!isStopped) nothing.push({ program, node });
    },
    onNullInText(program, node) {
      if (!isStopped) nullsInTexts.push({ program, node });
    },
    onRun(each, read, outputs, isCertain) {
      if (each.key === "!error" && isCertain) isStopped = true;
      if ((each.key !== "!http" && each.key !== "!jq") || isStopped) return;
      const sent = (expansions.get(each) ?? []).map((expansion): Sent => {
        const { syntax } = expansion;
        const told = missing.length;
        const value = read(expansion);
        if (syntax.filters.length === 0)
          return { expansion, value, plain: value, isMissing: missing.length > told };
        const plain = read({ ...expansion, syntax: { ...syntax, filters: [] } });
        missing.length = told;
        return { expansion, value, plain, isMissing: false };
      });
      (each.key === "!http" ? requests : programs).push({
        command: each,
        sent,
        outputs: [...outputs],
        isCertain,
      });
    },
    onCase(each, index) {
      cases.set(each, index);
    },
    onMissing(expansion) {
      if (!isStopped) missing.push(expansion);
    },
  });
  const found = new Map([...none].map((each) => [each, false]));
  return {
    found,
    requests,
    programs,
    cases,
    missing,
    failures,
    nothing,
    nullsInTexts,
    isRefused: isStopped,
    output: isStopped ? UNKNOWN : output,
  };
}

/** What a customer chose stays what it is while a pipeline runs. */
const kept: Source = { resolve: () => UNKNOWN };

const count = /^(?:total|count|size|total_?(?:count|items|results|records|elements|hits))$/i;

/** A list that is empty where all went well. */
const complaints = /errors?$|^(?:problems|violations|failures|warnings)$/i;

/** An answer in which a list has one record, or none. */
function answerTo(command: Command, isFound: boolean, asked: Asked): Source {
  const isList = isLookup(command);
  const onAsked = (list?: readonly string[]): void => {
    const known = asked.get(command) ?? { lists: new Set() };
    asked.set(command, known);
    if (list !== undefined) known.lists.add(list.join("\n"));
  };
  const source: Source = {
    resolve(path) {
      const name = path.at(-1) ?? "";
      if (count.test(name) && !path.includes("[]")) {
        onAsked();
        return isFound ? 1 : 0;
      }
      if (asked.get(command)?.lists.has(path.join("\n")) === true)
        return { kind: "list", items: source.itemsAt?.(path) ?? [] };
      // What a list says of itself isn't known.
      const isRecord = !isList || path.includes("[]");
      return isRecord && (isIdName(name) || /^(?:key|uid)$/.test(name)) ? present(command, path) : UNKNOWN;
    },
    itemsAt(path) {
      // Lists within records are another matter, and what a service complains of is nothing that was looked for.
      if (path.includes("[]") || complaints.test(path.at(-1) ?? "")) return undefined;
      onAsked(path);
      const item: Part = { kind: "part", path: [...path, "[]"], source };
      return isFound ? [item] : [];
    },
  };
  return source;
}

/** A text that is there, and of which nothing else is known. */
function present({ node }: Command, path: readonly string[]): TextValue {
  const label = `${node.start} ${path.join(".")}`;
  return { kind: "text", of: [label], label, isOther: false };
}

/** What a place is given of which nothing is known. */
export const given: Part = { kind: "part", path: [], source: kept };

/** Whether a value is certainly there, and not null. */
export const isThere = (value: Value): boolean =>
  isKind(value, "part") ? isThere(value.source.resolve(value.path)) : value !== null && value !== UNKNOWN;
