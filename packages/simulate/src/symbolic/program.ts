import type { Call, Definition, Expression, Json, ObjectKey, Pattern, Postfix, Stage } from "@configc/jq";
import { parse } from "@configc/jq";
import { assumeBranches } from "./assume.ts";
import { callBuiltin } from "./builtins.ts";
import type { Navigator } from "./navigate.ts";
import { isFailure, writtenIndex } from "./outcome.ts";
import { choice, literal, made, nothing, type Value } from "./value.ts";

/** A program as the app has it. */
export interface ProgramText {
  readonly text: string;
  readonly holes: readonly { readonly start: number; readonly end: number }[];
}

/** Names that are bound at a place of a program. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly functions: ReadonlyMap<string, Closure>;
  readonly depth: number;
}

/** A definition or an argument, with the names that are bound where it stands. */
interface Closure {
  readonly body: Expression;
  readonly parameters: Definition["parameters"];
  readonly scope: Scope;
}

const outermost: Scope = { variables: new Map(), functions: new Map(), depth: 0 };

/** More items than that nobody asks for by an index. */
const MOST_ITEMS = 100;

/** Definitions that call themselves are walked so often: then nothing new is learned. */
const DEEPEST = 12;

/**
 * Walks a jq program once and tells what its output is made of. All branches are taken; nothing is computed.
 *
 * @param holes what each expansion in it stands for
 * @param failing numbers that it had better not give: those of cases that stop with an error
 */
export function walkProgram(
  { text, holes: spans }: ProgramText,
  input: Value,
  holes: readonly Value[],
  navigator: Navigator,
  failing: ReadonlySet<number> = new Set(),
): Value {
  const { program } = parse(text, { holes: spans });
  return new ProgramWalk(holes, navigator, failing).walk(program.body, input, outermost);
}

/** One walk; builtins come back to it for their arguments. */
export class ProgramWalk {
  readonly navigator: Navigator;
  readonly #holes: readonly Value[];
  readonly #failing: ReadonlySet<number>;

  constructor(holes: readonly Value[], navigator: Navigator, failing: ReadonlySet<number>) {
    this.#holes = holes;
    this.navigator = navigator;
    this.#failing = failing;
  }

  walk(node: Expression, input: Value, scope: Scope): Value {
    const { navigator } = this;
    const each = (part: Expression): Value => this.walk(part, input, scope);
    switch (node.kind) {
      case "Identity":
        return input;
      case "Group":
        return each(node.body);
      case "Pipeline":
        return this.#pipeline(node.stages, input, scope);
      case "Postfix":
        return this.#postfix(node, input, scope);
      case "Number":
        return literal(node.value);
      case "String": {
        const parts = node.parts.map((part) =>
          part.kind === "StringText" ? literal(part.value) : this.#inText(each(part.expression)),
        );
        return parts.length === 0
          ? literal("")
          : parts.length === 1 && parts[0]!.kind === "literal"
            ? parts[0]!
            : made("text", ...parts);
      }
      case "Hole":
        return this.#holes[node.hole] ?? nothing;
      case "Variable":
        return scope.variables.get(node.name) ?? nothing;
      case "Array":
        return { kind: "list", item: node.body === undefined ? choice([]) : each(node.body) };
      case "Object": {
        const members = new Map<string, Value>();
        const computed: Value[] = [];
        for (const { key, value } of node.entries) {
          const name = this.#key(key, input, scope);
          const worth = value === undefined ? this.#short(key, name, input, scope) : each(value);
          if (name === undefined) computed.push(worth);
          else members.set(name, worth);
        }
        return {
          kind: "object",
          members,
          ...(computed.length === 0 ? {} : { base: made("other", ...computed) }),
        };
      }
      case "Comma":
        return choice(node.items.map(each));
      case "Alternative": {
        const operands = node.operands.map(each);
        for (const operand of operands.slice(0, -1)) navigator.use(operand, "nullable");
        return choice(operands);
      }
      case "Logical":
        return made("boolean", ...node.operands.map((operand) => this.#condition(each(operand))));
      case "Comparison":
        return this.#comparison(each(node.left), each(node.right), node.operator);
      case "Arithmetic":
        return this.#arithmetic(node, each);
      case "Negation":
        return made("number", each(node.operand));
      case "Try":
        if (node.handler !== undefined) this.walk(node.handler, made("text"), scope);
        return each(node.body);
      case "If": {
        const conditions = node.branches.map(({ condition }) =>
          made("boolean", this.#condition(each(condition))),
        );
        assumeBranches(
          node,
          (part, from) => this.walk(part, from ?? input, scope),
          navigator,
          input,
          (body) => isFailure(body) || this.#failing.has(writtenIndex(body) ?? -1),
        );
        const bodies = node.branches.map(({ body }) => each(body));
        bodies.push(node.otherwise === undefined ? input : each(node.otherwise));
        // The condition has a part in the value, though it isn't in it.
        return choice(
          bodies.map((body) => (body.kind === "literal" ? made("other", body, ...conditions) : body)),
        );
      }
      case "Assignment": {
        const target = each(node.target);
        const value = node.operator === "=" ? each(node.value) : this.walk(node.value, target, scope);
        return this.#assigned(node.target, input, value);
      }
      case "Reduce":
      case "Foreach": {
        const source = each(node.source);
        const initial = each(node.initial);
        const inner = node.patterns.reduce((bound, pattern) => this.#bind(pattern, source, bound), scope);
        const once = this.walk(node.update, initial, inner);
        const twice = this.walk(node.update, once, inner);
        const extracted =
          node.kind === "Foreach" && node.extract !== undefined
            ? this.walk(node.extract, twice, inner)
            : twice;
        return choice([initial, extracted]);
      }
      case "Call":
        return this.#call(node, input, scope);
      case "RecurseDefault":
        return made("other", input);
      case "Format":
        return made("text", input);
      default:
        return nothing;
    }
  }

  #pipeline(stages: readonly Stage[], input: Value, scope: Scope): Value {
    let value = input;
    let names = scope;
    for (const stage of stages) {
      switch (stage.kind) {
        case "Definition":
          names = {
            ...names,
            functions: new Map([
              ...names.functions,
              [signature(stage.name.text, stage.parameters.length), closureOf(stage, names)],
            ]),
          };
          break;
        case "Binding": {
          const source = this.walk(stage.source, value, names);
          for (const pattern of stage.patterns) names = this.#bind(pattern, source, names);
          break;
        }
        case "Label":
          break;
        default:
          value = this.walk(stage, value, names);
      }
    }
    return value;
  }

  #bind(pattern: Pattern, value: Value, scope: Scope): Scope {
    switch (pattern.kind) {
      case "VariablePattern":
        return { ...scope, variables: new Map([...scope.variables, [pattern.name, value]]) };
      case "ArrayPattern":
        return pattern.items.reduce(
          (names, item) => this.#bind(item, this.navigator.item(value), names),
          scope,
        );
      case "ObjectPattern":
        return pattern.entries.reduce((names, { key, pattern: inner }) => {
          const name =
            key.kind === "VariablePattern"
              ? key.name
              : key.kind === "Name"
                ? key.text
                : this.#text(key, value, names);
          const member = name === undefined ? made("other", value) : this.navigator.member(value, name);
          const bound = key.kind === "VariablePattern" ? this.#bind(key, member, names) : names;
          return inner === undefined ? bound : this.#bind(inner, member, bound);
        }, scope);
    }
  }

  #postfix({ head, suffixes }: Postfix, input: Value, scope: Scope): Value {
    let value = this.walk(head, input, scope);
    for (const suffix of suffixes) {
      switch (suffix.kind) {
        case "Field": {
          const name = suffix.key.kind === "Name" ? suffix.key.text : this.#text(suffix.key, input, scope);
          value = name === undefined ? made("other", value) : this.navigator.member(value, name);
          break;
        }
        case "Index": {
          const index = this.walk(suffix.index, input, scope);
          const key = index.kind === "literal" ? index.value : undefined;
          if (key === 0) this.navigator.use(value, "first");
          if (key === -1) this.navigator.use(value, "last");
          if (typeof key === "number" && Number.isInteger(key) && Math.abs(key) < MOST_ITEMS)
            this.navigator.index(value, key);
          value =
            typeof key === "string"
              ? this.navigator.member(value, key)
              : typeof key === "number" || index.kind !== "literal"
                ? this.navigator.item(value)
                : made("other", value);
          break;
        }
        case "Iterate":
          value = this.navigator.item(value);
          break;
        case "Optional":
          this.navigator.use(value, "nullable");
          break;
        default:
          break;
      }
    }
    return value;
  }

  #call(node: Call, input: Value, scope: Scope): Value {
    const name = node.name.text;
    const closure = scope.functions.get(signature(name, node.arguments.length));
    if (closure === undefined)
      return callBuiltin(
        name,
        node.arguments,
        input,
        (argument, from) => this.walk(argument, from ?? input, scope),
        this.navigator,
      );
    if (scope.depth >= DEEPEST) return made("other", input);
    let inner: Scope = { ...closure.scope, depth: scope.depth + 1 };
    // A definition can call itself.
    if (closure.parameters.length > 0 || closure.body !== undefined)
      inner = {
        ...inner,
        functions: new Map([[signature(name, closure.parameters.length), closure], ...inner.functions]),
      };
    for (const [index, parameter] of closure.parameters.entries()) {
      const argument = node.arguments[index]!;
      inner = {
        ...inner,
        functions: new Map([
          ...inner.functions,
          [signature(parameter.name, 0), { body: argument, parameters: [], scope }],
        ]),
      };
      if (parameter.byValue)
        inner = {
          ...inner,
          variables: new Map([...inner.variables, [parameter.name, this.walk(argument, input, scope)]]),
        };
    }
    return this.walk(closure.body, input, { ...inner, depth: scope.depth + 1 });
  }

  #comparison(left: Value, right: Value, operator: string): Value {
    const { navigator } = this;
    for (const [value, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (other.kind !== "literal") continue;
      if (other.value === null) navigator.use(value, "nullable");
      else if (other.value === "") navigator.use(value, "blank");
      else navigator.compare(value, other.value, operator === "!=");
      if (typeof other.value === "number") {
        navigator.use(value, "number");
        // What lies on either side of a bound.
        if (operator !== "==" && operator !== "!=")
          for (const near of [other.value + 1, other.value - 1]) navigator.compare(value, near);
      }
    }
    return made("boolean", left, right);
  }

  #arithmetic(node: Extract<Expression, { kind: "Arithmetic" }>, each: (part: Expression) => Value): Value {
    const { navigator } = this;
    let value = each(node.first);
    for (const { operator, operand } of node.rest) {
      const other = each(operand);
      if (operator === "+") {
        const isText = hasType(value, "string") || hasType(other, "string");
        const isNumber = hasType(value, "number") || hasType(other, "number");
        for (const side of [value, other])
          if (isText || isNumber) navigator.use(side, isText ? "text" : "number");
        value = isText
          ? made("text", value, other)
          : isNumber
            ? made("sum", value, other)
            : navigator.merge(value, other);
        continue;
      }
      if (operator !== "-") for (const side of [value, other]) navigator.use(side, "number");
      value = made(operator === "-" ? "sum" : "number", value, other);
    }
    return value;
  }

  #assigned(target: Expression, input: Value, value: Value): Value {
    const name =
      target.kind === "Postfix" &&
      target.head.kind === "Identity" &&
      target.suffixes.length === 1 &&
      target.suffixes[0]!.kind === "Field" &&
      target.suffixes[0]!.key.kind === "Name"
        ? target.suffixes[0]!.key.text
        : undefined;
    return name === undefined
      ? input
      : this.navigator.merge(input, { kind: "object", members: new Map([[name, value]]) });
  }

  #condition(value: Value): Value {
    this.navigator.use(value, "condition");
    return value;
  }

  #inText(value: Value): Value {
    this.navigator.use(value, "scalar");
    return value;
  }

  /** The name of a member that is known before. */
  #key(key: ObjectKey, input: Value, scope: Scope): string | undefined {
    return key.kind === "Name"
      ? key.text
      : key.kind === "Variable"
        ? key.name
        : key.kind === "SourceLocation"
          ? "__loc__"
          : this.#text(key, input, scope);
  }

  /** `{name}` and `{$name}` */
  #short(key: ObjectKey, name: string | undefined, input: Value, scope: Scope): Value {
    if (key.kind === "Variable") return scope.variables.get(key.name) ?? nothing;
    return name === undefined ? made("other", input) : this.navigator.member(input, name);
  }

  #text(node: Expression, input: Value, scope: Scope): string | undefined {
    const value = this.walk(node, input, scope);
    return value.kind === "literal" && typeof value.value === "string" ? value.value : undefined;
  }
}

function closureOf(definition: Definition, scope: Scope): Closure {
  return { body: definition.body, parameters: definition.parameters, scope };
}

function signature(name: string, parameters: number): string {
  return `${name}/${parameters}`;
}

function hasType(value: Value, type: "string" | "number"): boolean {
  if (value.kind === "literal") return typeof (value.value as Json) === type;
  if (value.kind === "made")
    return type === "string" ? value.by === "text" : value.by === "number" || value.by === "length";
  return value.kind === "choice" && value.of.some((each) => hasType(each, type));
}
