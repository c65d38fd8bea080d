import { groupBy } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { savedKeys } from "../flow/flow.ts";
import { saveScopes } from "../language/commands/save.ts";
import { dialectOf } from "../options/settings.ts";
import type { JsonNode, StringNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";

/** A request, as a person reads it. */
interface Request {
  readonly method: string;
  /** `/forms/{form}/hooks`, without the host that it goes to. */
  readonly path: string;
  /** Undefined where an expansion decides. */
  readonly host: string | undefined;
  /** Whether it goes to the platform itself (D17). */
  readonly toPlatform: boolean;
}

/** A command and every one in it, in document order. */
export function commandsIn(outermost: Command): Command[] {
  const found: Command[] = [];
  const pending = [outermost];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    found.push(at);
    for (const child of at.children.toReversed()) if (child !== undefined) pending.push(child);
  }
  return found;
}

const none: readonly Command[] = [];

/** The commands of a workflow or an intake that stand in no other one, in document order. */
export function outermostOf(unit: Command["unit"], model: Model): readonly Command[] {
  return byUnit(model).get(unit) ?? none;
}

const byUnit = derived(
  ({ commands }: Model): ReadonlyMap<Command["unit"], readonly Command[]> =>
    groupBy(
      commands.filter(({ parent }) => parent === undefined),
      ({ unit }) => unit,
    ),
);

export function requestOf({ argument }: Command, model: Model): Request | undefined {
  if (argument?.kind !== "object") return undefined;
  const method = argument.get("method");
  const url = argument.get("url");
  const target = argument.get("target");
  const base = baseUrl(model);
  const written = url ?? argument.get("path");
  const text = written?.kind === "string" ? readable(written) : "";
  const absolute = url !== undefined || /^https?:\/\//i.test(text);
  const [, host, path = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [
    undefined,
    undefined,
    text,
  ];
  return {
    method: method?.kind === "string" ? method.value.toUpperCase() : "GET",
    path: path === "" ? "/" : path,
    host: absolute ? host : base,
    toPlatform: target?.kind === "string" && target.value === dialectOf(model.settings).target,
  };
}

/** The host of `api.base_url`. */
export function baseUrl({ api }: Model): string | undefined {
  const base = api?.node.get("base_url");
  return base?.kind === "string" ? /^[a-z]+:\/\/([^/?#]+)/i.exec(readable(base))?.[1] : undefined;
}

/** What a command does that is seen from outside, by itself and without those in it: `GET /forms`. */
function effectOf(model: Model, command: Command): string | undefined {
  const { argument } = command;
  switch (command.key) {
    case "!http": {
      const request = requestOf(command, model);
      if (request === undefined) return undefined;
      const { method, path, host } = request;
      return host === baseUrl(model) || host === undefined ? `${method} ${path}` : `${method} ${host}${path}`;
    }
    case "!save":
      return `saves ${savedBy(model, command).join(", ") || "what it gets"}`;
    case "!resource":
      return resourceOf(command);
    case "!sha":
      return `hashes by ${textOf(argument, "algorithm") ?? "…"}`;
    case "!respond":
      return `answers ${codeOf(argument)}`;
    default:
      return undefined;
  }
}

/** What a command does, in a few words: `GET /forms`, `jq: [.items[] | {id}]`; of several steps, what is seen of them from outside. */
export function stepTitle(model: Model, command: Command): string {
  const own = effectOf(model, command);
  if (own !== undefined) return own;
  const { key, program } = command;
  if (key === "!jq" && program !== undefined)
    return cut(`jq: ${readable(program.node).replace(/\s+/g, " ").trim()}`);
  if (key !== "!pipe" && key !== "!switch") return key;
  const effects = commandsIn(command).flatMap((each) => effectOf(model, each) ?? []);
  return effects.length === 0 ? key : cut([...new Set(effects)].join(", "));
}

/** Characters of a title at most. */
const LONGEST_TITLE = 80;

function cut(text: string): string {
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE - 1)}…` : text;
}

/** What a command does, a line for each thing that is seen from outside. */
export function detailsOf(model: Model, outermost: Command): string[] {
  const commands = commandsIn(outermost);
  const lines = commands.flatMap((command) => effectOf(model, command) ?? []);
  if (lines.length > 0) return [...new Set(lines)];
  // A command that only computes: the program that gives its output says most.
  const program = commands.findLast(({ key }) => key === "!jq")?.program?.node;
  return program === undefined ? [] : [readable(program)];
}

/** `PlatformContact`, or the action of the longer form. */
export function resourceOf({ argument }: Command): string | undefined {
  const name = argument?.kind === "object" ? argument.get("action") : argument;
  return name?.kind === "string" ? name.value : undefined;
}

/** The keys that a `!save` stores. */
function savedBy(model: Model, save: Command): string[] {
  const found = saveScopes.flatMap((scope) =>
    [...(savedKeys(model).get(scope)?.keys ?? [])].flatMap(([key, by]) => (by.includes(save) ? [key] : [])),
  );
  return [...new Set(found)];
}

/** The status that a `!respond` answers with: 200 unless it says another. */
function codeOf(argument: JsonNode | undefined): string {
  const code = argument?.kind === "object" ? argument.get("code") : undefined;
  return code?.kind === "number" ? `${code.value}` : "200";
}

/** A text with its expansions cut down to their names: `/forms/{form}/hooks`. */
function readable(node: StringNode): string {
  let text = "";
  let at = 0;
  for (const { start, end, path } of parseTemplate(node.value)?.expansions ?? []) {
    const names = path
      .map((segment) => segment.text)
      .filter((name) => name !== "value" && name !== "display");
    text += `${node.value.slice(at, start)}{${names.at(-1) ?? "…"}}`;
    at = end;
  }
  return text + node.value.slice(at);
}
