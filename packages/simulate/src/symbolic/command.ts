import type { AppCommand, AppExpansion, AppTemplate, AppValue, CommandId } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { KnownApp, KnownRequest } from "../known/known-api.ts";
import { knownShape } from "../known/known-shape.ts";
import { answerShape, type Shape } from "../service/shape.ts";
import { Demands } from "./demands.ts";
import { Navigator } from "./navigate.ts";
import { walkProgram } from "./program.ts";
import { type Parameter, splitUrl } from "./url.ts";
import { atomsOf, choice, isPlaceOf, literal, made, nothing, type Value } from "./value.ts";

/** A request that a command may send: what it is made of. */
export interface RequestTemplate {
  readonly command: AppCommand;
  readonly method: string;
  /** Literal texts and expansions by turns, from the path on or with the whole URL. */
  readonly url: readonly Value[];
  readonly isAbsolute: boolean;
  /** Whatever stands below `params` and `body`, and in the URL behind `?`. */
  readonly parameters: readonly Parameter[];
  readonly headers: ReadonlyMap<string, Value>;
  readonly isPaginated: boolean;
}

/** An answer to the caller of a webhook. */
interface Response {
  readonly body: Value;
  readonly headers: ReadonlyMap<string, Value>;
}

/** A walk over commands: what they send and give, without running them. */
export class CommandWalk {
  readonly demands = new Demands();
  readonly navigator = new Navigator(this.demands);
  readonly exchanges: RequestTemplate[] = [];
  readonly responses: Response[] = [];
  /** Commands that hash with a secret. */
  readonly signing: AppCommand[] = [];
  readonly #app: KnownApp;
  readonly #form: ReadonlyMap<string, Json>;

  /** @param form the customer's choices where they are known, by field */
  constructor(app: KnownApp, form: ReadonlyMap<string, Json> = new Map()) {
    this.#app = app;
    this.#form = form;
  }

  /** What documents and samples say of a request, by its index among the exchanges. */
  knownOf(index: number): KnownRequest | undefined {
    const pointer = this.exchanges[index]?.command.pointer ?? "";
    const { known = {} } = this.#app;
    return Object.hasOwn(known, pointer) ? known[pointer] : undefined;
  }

  /** The shape of the answer to a request: what is known of it, and else what the programs demand that were walked. */
  answerOf(index: number): Shape {
    return knownShape(
      answerShape(this.demands.of({ kind: "response", exchange: index })),
      this.knownOf(index)?.answer,
    );
  }

  /** Walks one command; `piped` are the values of the pipe around it. */
  walk(id: CommandId | undefined, input: Value, piped: readonly Value[] = [input]): Value {
    const command =
      id === undefined || !Object.hasOwn(this.#app.commands, id) ? undefined : this.#app.commands[id];
    if (command === undefined) return nothing;
    switch (command.key) {
      case "!pipe": {
        const steps: Value[] = [input];
        for (const child of command.children ?? [])
          steps.push(this.walk(child ?? undefined, steps.at(-1)!, steps));
        return steps.at(-1)!;
      }
      case "!switch": {
        const index = this.#program(command, input, piped, this.#failingCases(command));
        this.navigator.use(index, "number");
        return choice((command.children ?? []).map((child) => this.walk(child ?? undefined, input, piped)));
      }
      case "!jq":
        return this.#program(command, input, piped);
      case "!http":
        return this.#http(command, piped);
      case "!save":
        return input;
      case "!resource":
        return { kind: "place", root: { kind: "resource" }, path: [] };
      case "!respond":
        this.responses.push({
          body: this.#value(memberOf(command.argument, "body"), piped),
          headers: this.#members(memberOf(command.argument, "headers"), piped),
        });
        return nothing;
      case "!sha":
        if (memberOf(command.argument, "secret") !== undefined) this.signing.push(command);
        this.navigator.use(this.navigator.member(input, "value_to_encrypt"), "text");
        return {
          kind: "object",
          members: new Map([
            ["value_to_encrypt", this.navigator.member(input, "value_to_encrypt")],
            ["hash", made("text", { kind: "place", root: { kind: "hash" }, path: [] }, input)],
          ]),
        };
      case "!extract":
        return this.#extract(command, input);
      case "!print_c":
        this.#value(command.argument, piped);
        return input;
      case "!error":
        return choice([]);
      default:
        return nothing;
    }
  }

  #program(
    command: AppCommand,
    input: Value,
    piped: readonly Value[],
    failing: ReadonlySet<number> = new Set(),
  ): Value {
    const { program } = command;
    if (program === undefined) return nothing;
    const holes = program.holes.map((hole) => this.#expansion(hole, piped));
    return walkProgram(program, input, holes, this.navigator, failing);
  }

  /** Cases of a `!switch` that are an `!error`, or begin or end with one. */
  #failingCases({ children = [] }: AppCommand): ReadonlySet<number> {
    const keyOf = (id: CommandId | null | undefined): string | undefined =>
      id === null || id === undefined ? undefined : this.#app.commands[id]?.key;
    const failing = new Set<number>();
    for (const [index, child] of children.entries()) {
      const steps = keyOf(child) === "!pipe" ? (this.#app.commands[child!]?.children ?? []) : [child];
      if (steps.some((step) => keyOf(step) === "!error")) failing.add(index);
    }
    return failing;
  }

  #extract({ argument }: AppCommand, input: Value): Value {
    const keys = memberOf(argument, "item_keys");
    const isParsed = literalOf(memberOf(argument, "to_json")) === true;
    const names = keys !== undefined && "literal" in keys && Array.isArray(keys.literal) ? keys.literal : [];
    return {
      kind: "object",
      members: new Map(
        names
          .filter((name) => typeof name === "string")
          .map((name) => {
            const member = this.navigator.member(input, name);
            return [name, isParsed ? this.navigator.parsed(member) : member];
          }),
      ),
    };
  }

  #http(command: AppCommand, piped: readonly Value[]): Value {
    const { argument } = command;
    const path = templateOf(memberOf(argument, "path"));
    const url = templateOf(memberOf(argument, "url"));
    const isAbsolute = url !== undefined || /^https?:/.test(String(path?.[0] ?? ""));
    const [address, query] = splitUrl(
      (url ?? path ?? []).map((part) =>
        typeof part === "string" ? literal(part) : this.#expansion(part, piped),
      ),
    );
    const below = (place: Parameter["place"], member: string): Parameter[] => {
      const value = memberOf(argument, member);
      return value === undefined ? [] : this.#parameters(value, piped).map((each) => ({ place, ...each }));
    };
    const headers = this.#members(memberOf(argument, "headers"), piped);
    for (const [name, value] of headers)
      if (conditional.test(name))
        for (const atom of atomsOf(value))
          if (isPlaceOf(atom, "response")) this.navigator.use(atom, "header");
    this.exchanges.push({
      command,
      method: (textOf(memberOf(argument, "method")) ?? "GET").toUpperCase(),
      url: address,
      isAbsolute,
      parameters: [...query, ...below("query", "params"), ...below("body", "body")],
      headers,
      isPaginated: literalOf(memberOf(argument, "pagination")) === true,
    });
    for (const [index, part] of address.entries()) {
      this.navigator.use(part, "scalar");
      // What an address begins with is a whole one.
      if (index > 0) this.navigator.use(part, "addressed");
    }
    return { kind: "place", root: { kind: "response", exchange: this.exchanges.length - 1 }, path: [] };
  }

  /** The values that stand in a part of a request, each with where it stands. */
  #parameters(
    value: AppValue,
    piped: readonly Value[],
    path: readonly string[] = [],
  ): Omit<Parameter, "place">[] {
    if ("items" in value)
      return value.items.flatMap((each, index) => this.#parameters(each, piped, [...path, `${index}`]));
    if ("members" in value)
      return value.members.flatMap(({ key, value: each }) => {
        const name = this.#template(key, piped);
        return name.kind === "literal" ? this.#parameters(each, piped, [...path, String(name.value)]) : [];
      });
    return leavesOf(this.#value(value, piped), path);
  }

  #members(value: AppValue | undefined, piped: readonly Value[]): ReadonlyMap<string, Value> {
    const walked = value === undefined ? nothing : this.#value(value, piped);
    if (walked.kind === "object") return walked.members;
    if (walked.kind !== "literal" || typeof walked.value !== "object" || walked.value === null)
      return new Map();
    return new Map(Object.entries(walked.value).map(([name, each]) => [name, literal(each as Json)]));
  }

  #value(value: AppValue | undefined, piped: readonly Value[]): Value {
    if (value === undefined) return nothing;
    if ("literal" in value) return literal(value.literal as Json);
    if ("template" in value) return this.#template(value.template, piped);
    if ("items" in value)
      return { kind: "list", item: choice(value.items.map((each) => this.#value(each, piped))) };
    const members = new Map<string, Value>();
    for (const { key, value: each } of value.members) {
      const name = this.#template(key, piped);
      members.set(name.kind === "literal" ? String(name.value) : "*", this.#value(each, piped));
    }
    return { kind: "object", members };
  }

  #template(template: AppTemplate, piped: readonly Value[]): Value {
    const parts = template.map((part) =>
      typeof part === "string" ? literal(part) : this.#expansion(part, piped),
    );
    if (parts.length === 1) return parts[0]!;
    if (parts.every((part) => part.kind === "literal"))
      return literal(parts.map((part) => (part.value === null ? "" : String(part.value))).join(""));
    return parts.length === 0 ? literal("") : made("text", ...parts);
  }

  #expansion(
    { path, default: fallback }: Pick<AppExpansion, "path" | "default">,
    piped: readonly Value[],
  ): Value {
    const value = this.#root(path, piped);
    if (fallback === undefined) return value;
    this.navigator.use(value, "nullable");
    return value.kind === "literal" ? value : choice([value, literal(fallback)]);
  }

  #root([root, ...path]: readonly string[], piped: readonly Value[]): Value {
    const steps = (value: Value, names: readonly string[]): Value =>
      names.reduce(
        (at, name) => (/^\d+$/.test(name) ? this.navigator.item(at) : this.navigator.member(at, name)),
        value,
      );
    const place = (kind: "state" | "data" | "form" | "webhook"): Value =>
      steps({ kind: "place", root: { kind }, path: [] }, path);
    switch (root) {
      case "piped_content":
        return steps(piped[Number(path[0])] ?? nothing, path.slice(1));
      case "polling_state":
        return place("state");
      case "data":
        return place("data");
      case "custom_data": {
        const known = this.#form.get(path[0] ?? "");
        return known === undefined ? place("form") : steps(literal(known), path.slice(1));
      }
      case "webhook":
        return place("webhook");
      default:
        return made("text");
    }
  }
}

/** Headers that say which version of a record is meant. */
const conditional = /^(?:if-match|if-none-match|if-range|authorization|cookie)$/i;

function memberOf(value: AppValue | undefined, name: string): AppValue | undefined {
  if (value === undefined) return undefined;
  if ("literal" in value) {
    const { literal: object } = value;
    if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
    return { literal: (object as Readonly<Record<string, unknown>>)[name] };
  }
  if (!("members" in value)) return undefined;
  return value.members.find(({ key }) => key.length === 1 && key[0] === name)?.value;
}

function literalOf(value: AppValue | undefined): unknown {
  return value !== undefined && "literal" in value ? value.literal : undefined;
}

function textOf(value: AppValue | undefined): string | undefined {
  const text = literalOf(value);
  return typeof text === "string" ? text : undefined;
}

function templateOf(value: AppValue | undefined): AppTemplate | undefined {
  if (value === undefined) return undefined;
  if ("template" in value) return value.template;
  const text = literalOf(value);
  return typeof text === "string" ? [text] : undefined;
}

/** The values below a value that is known by its members. */
function leavesOf(value: Value, path: readonly string[]): Omit<Parameter, "place">[] {
  if (value.kind === "object")
    return [...value.members].flatMap(([name, each]) => leavesOf(each, [...path, name]));
  if (value.kind === "literal" && typeof value.value === "object" && value.value !== null)
    return Object.entries(value.value).flatMap(([name, each]) =>
      leavesOf(literal(each as Json), [...path, name]),
    );
  return [{ path, value }];
}
