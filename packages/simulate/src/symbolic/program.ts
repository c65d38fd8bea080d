import type {
  Call,
  Expression,
  Foreach,
  If,
  ObjectConstruction,
  ObjectKey,
  Pattern,
  Postfix,
  Reduce,
  Stage,
  StringLiteral,
} from "@configc/jq";
import { parse } from "@configc/jq";
import { assumeBranches } from "./assume.ts";
import { callBuiltin } from "./builtins/index.ts";
import type { Navigator } from "./navigate.ts";
import { arithmetic, assignment, comparison, isListed, lookedUp } from "./operators.ts";
import { isFailure, writtenIndex } from "./outcome.ts";
import { closureOf, outermost, type Scope, signature } from "./scope.ts";
import { choice, literal, made, nothing, type Value } from "./value.ts";

/** A program as the app has it. */
interface ProgramText {
  readonly text: string;
  readonly holes: readonly { readonly start: number; readonly end: number }[];
}

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

/** Whether a command's output has `results` that are written as none. */
function isWithoutResults(value: Value): boolean {
  const results = value.kind === "object" ? value.members.get("results") : undefined;
  return results?.kind === "list" && results.item.kind === "choice" && results.item.of.length === 0;
}

/** A command's output, where `iterate` is written out in each branch: what decides it are the conditions. */
function withConditions(body: Value, conditions: readonly Value[]): Value {
  const iterate = body.kind === "object" ? body.members.get("iterate") : undefined;
  if (body.kind !== "object" || iterate?.kind !== "literal" || !body.members.has("results")) return body;
  const members = new Map([...body.members, ["iterate", made("other", iterate, ...conditions)]]);
  return { ...body, members };
}

function hasResults(value: Value): boolean {
  if (value.kind === "choice") return value.of.some(hasResults);
  return value.kind === "object" && value.members.has("results") && !isWithoutResults(value);
}

/** One walk; builtins come back to it for their arguments. */
class ProgramWalk {
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
      case "String":
        return this.#string(node, each);
      case "Hole":
        return this.#holes[node.hole] ?? nothing;
      case "Variable":
        return scope.variables.get(node.name) ?? nothing;
      case "Array":
        return { kind: "list", item: node.body === undefined ? choice([]) : each(node.body) };
      case "Object":
        return this.#object(node, input, scope);
      case "Comma":
        return choice(node.items.map(each));
      case "Alternative":
        return this.#alternative(node.operands.map(each), isFailure(node.operands.at(-1)!));
      case "Logical":
        return made("boolean", ...node.operands.map((operand) => this.#condition(each(operand))));
      case "Comparison":
        return comparison(each(node.left), each(node.right), node.operator, navigator);
      case "Arithmetic":
        return arithmetic(node, each, navigator);
      case "Negation": {
        const operand = each(node.operand);
        navigator.use(operand, "number");
        return made("number", operand);
      }
      case "Try":
        if (node.handler !== undefined) this.walk(node.handler, made("text"), scope);
        return each(node.body);
      case "If":
        return this.#branches(node, input, scope);
      case "Assignment":
        return assignment(node, input, (part, from) => this.walk(part, from, scope), navigator);
      case "Reduce":
      case "Foreach":
        return this.#fold(node, input, scope);
      case "Call":
        return this.#call(node, input, scope);
      case "RecurseDefault":
        return made("other", input);
      case "Format":
        if (node.name === "base64d" || node.name === "base32d")
          navigator.use(input, node.name === "base64d" ? "base64" : "base32");
        return made("text", input);
      default:
        return nothing;
    }
  }

  #string({ parts: written }: StringLiteral, each: (part: Expression) => Value): Value {
    const parts = written.map((part) =>
      part.kind === "StringText" ? literal(part.value) : this.#inText(each(part.expression)),
    );
    const [first, ...others] = parts;
    if (first === undefined) return literal("");
    return others.length === 0 && first.kind === "literal" ? first : made("text", ...parts);
  }

  #object({ entries }: ObjectConstruction, input: Value, scope: Scope): Value {
    const members = new Map<string, Value>();
    const computed: Value[] = [];
    for (const { key, value } of entries) {
      const name = this.#key(key, input, scope);
      const worth =
        value === undefined ? this.#short(key, name, input, scope) : this.walk(value, input, scope);
      if (name === undefined) computed.push(worth);
      else members.set(name, worth);
    }
    return {
      kind: "object",
      members,
      ...(computed.length === 0 ? {} : { base: made("other", ...computed) }),
    };
  }

  /** @param fails whether the last one stops with an error: then that before it has to be there */
  #alternative(operands: readonly Value[], fails: boolean): Value {
    for (const operand of operands.slice(0, -1)) this.navigator.use(operand, "nullable");
    if (fails) this.navigator.use(operands.at(-2)!, "present");
    return choice(operands);
  }

  #branches(node: If, input: Value, scope: Scope): Value {
    const { navigator } = this;
    const each = (part: Expression): Value => this.walk(part, input, scope);
    const conditions = node.branches.map(({ condition }) =>
      made("boolean", this.#condition(each(condition))),
    );
    assumeBranches(
      node,
      (part, from) => this.walk(part, from ?? input, scope),
      this.navigator,
      input,
      (body) => isFailure(body) || this.#failing.has(writtenIndex(body) ?? -1),
    );
    const bodies = node.branches.map(({ body }) => each(body));
    // What gives no results for a reason of its own, such as a search that expired, isn't usual.
    const isUsual = [...bodies, node.otherwise === undefined ? input : each(node.otherwise)].some(hasResults);
    for (const [index, { condition }] of node.branches.entries())
      if (isUsual && isWithoutResults(bodies[index]!))
        for (const use of ["negated", "exceptional"] as const) navigator.use(each(condition), use);
    bodies.push(node.otherwise === undefined ? input : each(node.otherwise));
    // The condition has a part in the value, though it isn't in it.
    return choice(
      bodies.map((body) =>
        body.kind === "literal" ? made("other", body, ...conditions) : withConditions(body, conditions),
      ),
    );
  }

  /** Twice around a loop: what one round leaves is what the next one begins with. */
  #fold(node: Reduce | Foreach, input: Value, scope: Scope): Value {
    const source = this.walk(node.source, input, scope);
    const initial = this.walk(node.initial, input, scope);
    const inner = node.patterns.reduce((bound, pattern) => this.#bind(pattern, source, bound), scope);
    const once = this.walk(node.update, initial, inner);
    const twice = this.walk(node.update, once, inner);
    const extracted =
      node.kind === "Foreach" && node.extract !== undefined ? this.walk(node.extract, twice, inner) : twice;
    return choice([initial, extracted]);
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
          // In a list that the program writes, a value of the outside is a place: `["low", "high"][.priority]`.
          if (isListed(value)) this.navigator.use(index, "number");
          if (value.kind === "list" && value.isKeyed) lookedUp(index, this.navigator);
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
