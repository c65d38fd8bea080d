import type {
  Arithmetic,
  Assignment,
  Call,
  Definition,
  Expression,
  If,
  Logical,
  Parameter,
  Pipeline,
  Postfix,
  Reduce,
  StringLiteral,
} from "@configc/jq";
import { resolve } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";
import { nameOf } from "../literal-object.ts";
import { bare } from "../nodes.ts";
import type { Argument } from "./builtins/builtin.ts";
import { call, listStreamed } from "./functions.ts";
import { bind, hasNoItems, itemAt, memberPath, sliced } from "./navigation.ts";
import { compared, reckoned } from "./operators.ts";
import {
  concat,
  EVERY_NAME,
  each,
  either,
  entriesOf,
  isKind,
  isStrangeName,
  isTrue,
  itemsOf,
  madeOf,
  memberOf,
  type Outputs,
  resolved,
  UNKNOWN,
  type Value,
  withMember,
} from "./value.ts";

/** Steps of one evaluation: more isn't worth the time. */
const STEPS = 2_000;

/** Items that a fold goes through: longer lists are pages, which are alike. */
const FOLDED = 20;

/** What a program gives for an input that is known in part: its first output, `null` if it has none (D23). */
export function evaluate(
  program: JqProgram,
  input: Value,
  holes: readonly Value[],
  circumstances: Circumstances,
): Value {
  if (program.diagnostics.length > 0) return UNKNOWN;
  const outputs = new Evaluation(program, holes, circumstances).outputs(program.tree.body, input, new Map());
  return outputs === undefined ? UNKNOWN : (outputs[0] ?? null);
}

/** The value of a part of a program as far as it follows from constants, the clock and what is given alone. */
export function evaluateAlone(
  program: JqProgram,
  node: Expression,
  input: Value = UNKNOWN,
  holes: readonly Value[] = [],
): Value {
  return resolved(new Evaluation(program, holes, { now: NOW }).one(node, input, new Map()));
}

/** A time of our years, in seconds. */
export const NOW = 1_800_000_000;

export interface Circumstances {
  /** In seconds since 1970. */
  readonly now: number;
  readonly replaced?: Replaced | undefined;
  /** Whether what isn't known to hold doesn't: it may be so for some customer. */
  readonly takesLast?: boolean | undefined;
  /** Whether of constants of which it isn't known which is meant all are kept. */
  readonly keepsBoth?: boolean | undefined;
  /**
   * Whether what is taken on a condition of which nothing is known, here by a program's node, counts as certain: there are records for
   * which it holds, and others. Unless given, such parts count as unsure.
   */
  mayHold?(condition: Expression): boolean;
  /**
   * Told of what certainly fails: jq can't do it with that value.
   *
   * @param site where it happens: the node itself, or the outermost call of a definition that leads to it
   */
  onFailure?(program: JqProgram, node: Expression, site: Expression): void;
  /** Told of each `error` that is certainly called. */
  onError?(): void;
  /** Told of a member's value that certainly has no output, so that its object, which is all that the program gives, isn't there. */
  onNothing?(program: JqProgram, node: Expression): void;
  /** Told of an expression in a text, `"… \\(.name)"`, that is certainly null: the text has the word. */
  onNullInText?(program: JqProgram, node: Expression): void;
}

/** Expressions that are evaluated instead of others. */
export type Replaced = ReadonlyMap<Expression, Expression>;

const functionsOf = derivedFromText((tree) => resolve(tree).functions);

type Variables = ReadonlyMap<string, Value>;

class Evaluation {
  private readonly program: JqProgram;
  private readonly functions: ReturnType<typeof resolve>["functions"];
  private readonly holes: readonly Value[];
  private readonly circumstances: Circumstances;
  private steps = 0;
  /** Above 0 where it isn't certain that what is evaluated counts, or where failures are caught. */
  private unsure = 0;
  /** Whether something went through a list of which only some items are known. */
  private isPartial = false;
  /** What the parameters of the definitions stand for whose bodies are evaluated. */
  private readonly given = new Map<Parameter, Closure>();
  /** The outermost call of a definition whose body is evaluated. */
  private site: Call | undefined;

  constructor(program: JqProgram, holes: readonly Value[], circumstances: Circumstances) {
    this.program = program;
    this.functions = functionsOf(program);
    this.holes = holes;
    this.circumstances = circumstances;
  }

  private fails(node: Expression): void {
    if (this.unsure === 0) this.circumstances.onFailure?.(this.program, node, this.site ?? node);
  }

  private unsurely<T>(give: () => T): T {
    this.unsure++;
    const given = give();
    this.unsure--;
    return given;
  }

  /** One value, unknown where there may be several. */
  one(node: Expression, input: Value, variables: Variables): Value {
    const outputs = this.outputs(node, input, variables);
    return outputs?.length === 1 ? outputs[0]! : UNKNOWN;
  }

  outputs(written: Expression, input: Value, variables: Variables): Outputs {
    if (++this.steps > STEPS) return undefined;
    const node = this.circumstances.replaced?.get(written) ?? written;
    switch (node.kind) {
      case "Identity":
        return [input];
      case "Group":
        return this.outputs(node.body, input, variables);
      case "Number":
        return [node.value];
      case "Hole":
        return [known(this.holes[node.hole])];
      case "Variable":
        return [known(variables.get(node.name))];
      case "String":
        return [this.text(node, input, variables)];
      case "Format":
        return [textOf(input)];
      case "Postfix":
        return this.postfix(node, input, variables);
      case "Pipeline":
        return this.pipeline(node, input, variables);
      case "Comma":
        return concat(node.items.map((item) => this.outputs(item, input, variables)));
      case "Array": {
        const { value: items, isPartial } = this.wholly(() =>
          node.body === undefined ? [] : this.outputs(node.body, input, variables),
        );
        if (items === undefined) return [UNKNOWN];
        return [isPartial ? { kind: "unknown", entries: items } : { kind: "list", items }];
      }
      case "Object":
        return this.object(node, input, variables, node === bare(this.program.tree.body));
      case "If":
        return this.branches(node, input, variables);
      case "Alternative":
        return this.alternative(node.operands, input, variables);
      case "Comparison":
        return [
          compared(
            node.operator,
            this.one(node.left, input, variables),
            this.one(node.right, input, variables),
          ),
        ];
      case "Logical":
        return [this.logical(node, input, variables)];
      case "Negation": {
        const value = resolved(this.one(node.operand, input, variables));
        return [typeof value === "number" ? -value : UNKNOWN];
      }
      case "Arithmetic":
        return [this.arithmetic(node, input, variables)];
      case "Call":
        return this.call(node, input, variables);
      case "Assignment":
        return [this.assignment(node, input, variables)];
      case "Reduce":
        return [this.reduce(node, input, variables)];
      case "Try": {
        const outputs = this.unsurely(() => this.outputs(node.body, input, variables));
        if (outputs !== FAILED || node.handler === undefined) return outputs;
        return this.outputs(node.handler, UNKNOWN, variables);
      }
      default:
        return undefined;
    }
  }

  private text(node: StringLiteral, input: Value, variables: Variables): Value {
    const text = constantOf(node);
    if (text !== undefined) return text as string;
    const parts = node.parts.map((part) => {
      if (part.kind === "StringText") return part.value;
      const value = this.one(part.expression, input, variables);
      if (this.unsure === 0 && this.circumstances.onNullInText !== undefined && resolved(value) === null)
        this.circumstances.onNullInText(this.program, part.expression);
      return textOf(value);
    });
    // A number that was chosen is the same one in quotes.
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0 && isKind(only, "unknown") && only.number !== undefined)
      return only;
    return node.format === undefined ? (madeOf(parts) ?? begunWith(parts[0])) : UNKNOWN;
  }

  /** Of all branches that may be taken. */
  private branches({ branches, otherwise }: If, input: Value, variables: Variables): Outputs {
    const ways: Outputs[] = [];
    let isSure = true;
    for (const { condition, body } of branches) {
      const isMet = isTrue(this.one(condition, input, variables));
      const holds = isMet ?? (this.circumstances.takesLast ? false : undefined);
      const take = (): Outputs => this.outputs(body, input, variables);
      if (holds === undefined) isSure &&= this.mayHold(condition);
      if (holds !== false) ways.push(isSure ? take() : this.unsurely(take));
      if (holds === true) return this.joined(ways);
    }
    if (otherwise === undefined) return this.joined([...ways, [input]]);
    const rest = (): Outputs => this.outputs(otherwise, input, variables);
    return this.joined([...ways, isSure ? rest() : this.unsurely(rest)]);
  }

  private mayHold(condition: Expression): boolean {
    return this.circumstances.mayHold?.(condition) === true;
  }

  private logical({ operator, operands }: Logical, input: Value, variables: Variables): Value {
    const one = (operand: Expression): Value => this.one(operand, input, variables);
    const decisive = operator === "or";
    let result: Value = !decisive;
    let isSure = true;
    for (const operand of operands) {
      const holds = isTrue(isSure ? one(operand) : this.unsurely(() => one(operand)));
      if (holds === decisive) return decisive;
      if (holds !== undefined) continue;
      result = UNKNOWN;
      isSure &&= this.mayHold(operand);
    }
    return result;
  }

  private arithmetic(node: Arithmetic, input: Value, variables: Variables): Value {
    let result = this.one(node.first, input, variables);
    for (const { operator, operand } of node.rest) {
      const other = this.one(operand, input, variables);
      if (operator !== "+" && (resolved(result) === null || resolved(other) === null)) this.fails(node);
      result = reckoned(operator, result, other);
    }
    return result;
  }

  /** `.a.b = …`, `.page += 1`: the input with another member. */
  private assignment({ target, operator, value }: Assignment, input: Value, variables: Variables): Value {
    const path = memberPath(target, (name) => this.one(name, input, variables));
    if (path === undefined) return UNKNOWN;
    return withMember(input, path, (before) => {
      if (operator === "|=") return this.one(value, before, variables);
      const given = this.one(value, input, variables);
      if (operator === "=") return given;
      if (operator !== "//=") return reckoned(operator.slice(0, -1), before, given);
      const isThere = isTrue(before);
      return isThere === undefined ? UNKNOWN : isThere ? before : given;
    });
  }

  private call(node: Call, input: Value, variables: Variables): Outputs {
    const declared = this.functions.get(node);
    if (declared?.kind === "Definition") {
      const outer = this.site;
      this.site ??= node;
      const outputs = this.defined(declared, node, input, variables);
      this.site = outer;
      return outputs;
    }
    if (declared !== undefined) {
      const closure = this.given.get(declared);
      return closure === undefined ? undefined : this.outputs(closure.body, input, closure.variables);
    }
    if (node.name.text === "error") {
      if (this.unsure === 0) this.circumstances.onError?.();
      return FAILED;
    }
    const [first, second] = node.arguments;
    // Nothing is one of no items.
    const isOfArgument = node.name.text === "IN" || (node.name.text === "any" && second !== undefined);
    if (isOfArgument && first !== undefined && this.isNothing(first, input, variables)) return [false];
    const given = node.arguments.map(
      (argument) =>
        (value: Value): Outputs =>
          this.outputs(argument, value, variables),
    );
    const outputs =
      this.streamed(node, input, given) ??
      (isOfArgument ? this.decidedByItems(node, input, variables, given) : undefined) ??
      call(node.name.text, input, given, this.circumstances.now, () => this.fails(node));
    return this.circumstances.mayHold === undefined
      ? outputs
      : this.explored(node, outputs, input, variables);
  }

  /** What `splits` and `scan` give, as far as it is known; nothing where the call is none of these, or fails. */
  private streamed({ name }: Call, input: Value, given: readonly Argument[]): Outputs {
    const list = listStreamed(name.text, input, given, this.circumstances.now);
    return list === undefined ? undefined : (itemsOf(list) ?? this.entries(list));
  }

  /** `any(.[]; . == $hash)` and `IN($all[])` of a list that may be written in two ways: then each of them counts. */
  private decidedByItems(
    { name, arguments: [first] }: Call,
    input: Value,
    variables: Variables,
    [, test]: readonly Argument[],
  ): Outputs {
    const read = first === undefined ? undefined : bare(first);
    if (read?.kind !== "Postfix" || read.suffixes.at(-1)?.kind !== "Iterate") return undefined;
    const list = resolved(this.one({ ...read, suffixes: read.suffixes.slice(0, -1) }, input, variables));
    if (!isKind(list, "unknown") || list.plain === undefined) return undefined;
    const isIt: Argument = (item) => [compared("==", item, input)];
    return call("any", list, [name.text === "IN" ? isIt : test!], this.circumstances.now, () => {});
  }

  /** Whether `$chosen[]` certainly has no output: nobody chose anything. */
  private isNothing(node: Expression, input: Value, variables: Variables): boolean {
    const read = bare(node);
    if (read.kind !== "Postfix" || read.suffixes.length !== 1 || read.suffixes[0]?.kind !== "Iterate")
      return false;
    const list = resolved(this.one(read.head, input, variables));
    return isKind(list, "list") && list.items.length === 0;
  }

  /** What a call gives; where what isn't known is gone into, so are the lists that it goes through. */
  private explored(node: Call, outputs: Outputs, input: Value, variables: Variables): Outputs {
    const [first, second] = node.arguments;
    switch (node.name.text) {
      case "select":
        return outputs ?? (first !== undefined && this.mayHold(first) ? [input] : undefined);
      case "IN":
      case "INDEX":
      case "any":
      case "all": {
        const isOfInput = second === undefined && node.name.text !== "IN";
        if (first !== undefined && !isOfInput) this.outputs(first, input, variables);
        return outputs ?? [UNKNOWN];
      }
      default:
        return outputs;
    }
  }

  /** The body of a definition with what its parameters stand for; one that calls itself isn't followed. */
  private defined(
    { parameters, body }: Definition,
    { arguments: given }: Call,
    input: Value,
    variables: Variables,
  ): Outputs {
    if (parameters.length === 0) return this.outputs(body, input, variables);
    if (parameters.some((parameter) => this.given.has(parameter))) return undefined;
    const own = new Map(variables);
    for (const [index, parameter] of parameters.entries()) {
      const argument = given[index];
      if (argument === undefined) return undefined;
      this.given.set(parameter, { body: argument, variables });
      if (parameter.byValue) own.set(parameter.name, this.one(argument, input, variables));
    }
    const outputs = this.outputs(body, input, own);
    for (const parameter of parameters) this.given.delete(parameter);
    return outputs;
  }

  /** What is given, and whether only a part of it is known. */
  private wholly<T>(give: () => T): { readonly value: T; readonly isPartial: boolean } {
    const before = this.isPartial;
    this.isPartial = false;
    const value = give();
    const { isPartial } = this;
    this.isPartial = before;
    return { value, isPartial };
  }

  private reduce({ source, patterns, initial, update }: Reduce, input: Value, variables: Variables): Value {
    const [pattern, ...others] = patterns;
    const { value: items, isPartial } = this.wholly(() => this.outputs(source, input, variables));
    if (items === undefined || items.length > FOLDED || pattern === undefined || others.length > 0)
      return UNKNOWN;
    let result = this.one(initial, input, variables);
    for (const item of items) {
      const bound = new Map(variables);
      bind(pattern, item, bound);
      result = this.one(update, result, bound);
    }
    if (!isPartial) return result;
    return isKind(result, "record") ? { ...result, open: true } : UNKNOWN;
  }

  private postfix(node: Postfix, input: Value, variables: Variables): Outputs {
    const isCaught = node.suffixes.some(({ kind }) => kind === "Optional");
    return isCaught
      ? this.unsurely(() => this.path(node, input, variables))
      : this.path(node, input, variables);
  }

  private path(node: Postfix, input: Value, variables: Variables): Outputs {
    const { head, suffixes } = node;
    let values = this.outputs(head, input, variables);
    for (const suffix of suffixes) {
      if (values === undefined) return undefined;
      if (suffix.kind === "Optional") continue;
      if (suffix.kind === "Slice") {
        const [from, to] = [suffix.from, suffix.to].map((each) =>
          each === undefined ? undefined : resolved(this.one(each, input, variables)),
        );
        values = each(values, (value) => sliced(resolved(value), from, to));
        continue;
      }
      if (suffix.kind === "Iterate") {
        if (values.some((value) => hasNoItems(resolved(value)))) this.fails(node);
        values = concat(values.map((value) => itemsOf(value) ?? this.entries(value)));
        continue;
      }
      const key = suffix.kind === "Index" ? suffix.index : suffix.key;
      const name = key.kind === "Name" ? key.text : resolved(this.one(key as Expression, input, variables));
      // `{tent: "Tent"}[null]`
      if (name === null && values.some((value) => isKind(resolved(value), "record"))) this.fails(node);
      values = each(values, (value) =>
        typeof name === "string"
          ? memberOf(value, name)
          : typeof name === "number"
            ? itemAt(value, name)
            : UNKNOWN,
      );
    }
    return values;
  }

  private entries(list: Value): Outputs {
    const entries = entriesOf(resolved(list));
    this.isPartial ||= entries !== undefined;
    return entries;
  }

  private pipeline({ stages }: Pipeline, input: Value, variables: Variables): Outputs {
    let values: Outputs = [input];
    let known = variables;
    for (const stage of stages) {
      if (stage.kind === "Definition" || stage.kind === "Label") continue;
      if (stage.kind === "Binding") {
        const source = values?.length === 1 ? this.one(stage.source, values[0]!, known) : UNKNOWN;
        const bound = new Map(known);
        for (const pattern of stage.patterns)
          bind(pattern, stage.patterns.length === 1 ? source : UNKNOWN, bound);
        known = bound;
        continue;
      }
      values =
        values === undefined ? undefined : concat(each(values, (value) => this.outputs(stage, value, known)));
    }
    return values;
  }

  private object(
    { entries }: Extract<Expression, { kind: "Object" }>,
    input: Value,
    variables: Variables,
    isAll: boolean,
  ): Outputs {
    const members = new Map<string, Value>();
    for (const { key, value } of entries) {
      const name = nameOf(key) ?? this.keyMade(key, input, variables);
      if (name === EVERY_NAME && entries.length === 1)
        return [{ kind: "record", members, open: true, absent: EVERY_NAME }];
      if (typeof name !== "string") return [UNKNOWN];
      if (value === undefined) {
        members.set(name, key.kind === "Variable" ? known(variables.get(name)) : memberOf(input, name));
        continue;
      }
      const outputs = this.outputs(value, input, variables);
      // Without a value for one member there is no object at all.
      if (outputs?.length === 0) {
        if (isAll) this.circumstances.onNothing?.(this.program, value);
        return [];
      }
      members.set(name, outputs?.length === 1 ? outputs[0]! : UNKNOWN);
    }
    return [{ kind: "record", members, open: false }];
  }

  /** `(.[0])` as the name of a member. */
  private keyMade(
    key: Extract<Expression, { kind: "Object" }>["entries"][number]["key"],
    input: Value,
    variables: Variables,
  ): string | typeof EVERY_NAME | undefined {
    if (key.kind !== "Group") return undefined;
    const name = resolved(this.one(key.body, input, variables));
    if (isStrangeName(name)) return EVERY_NAME;
    return typeof name === "string" ? name : undefined;
  }

  /** What comes of one of several ways, as far as they go on. */
  private joined(all: readonly Outputs[]): Outputs {
    const ways = all.filter((way) => way !== FAILED);
    if (ways.length === 0 && all.length > 0) return FAILED;
    const [first, ...others] = ways;
    if (others.length === 0) return first;
    if (ways.some((way) => way?.length !== 1)) return ways.every((way) => way?.length === 0) ? [] : undefined;
    const { keepsBoth } = this.circumstances;
    return [ways.map((way) => way![0] as Value).reduce((a, b) => either(a, b, keepsBoth))];
  }

  private alternative(operands: readonly Expression[], input: Value, variables: Variables): Outputs {
    // Each that isn't known leads one call deeper.
    if (operands.length > ALTERNATIVES) return undefined;
    for (const [index, operand] of operands.entries()) {
      const isLast = index === operands.length - 1;
      const give = (): Outputs => this.outputs(operand, input, variables);
      const outputs = isLast ? give() : this.unsurely(give);
      if (isLast) return outputs;
      const truths = outputs?.map(isTrue);
      if (truths === undefined || truths.includes(undefined)) {
        const rest = this.unsurely(() => this.alternative(operands.slice(index + 1), input, variables));
        return this.joined([outputs, rest]);
      }
      if (truths.includes(true)) return outputs!.filter((_, at) => truths[at]);
    }
    return undefined;
  }
}

/** Nobody writes more by hand. */
const ALTERNATIVES = 100;

/** An argument, with the variables where it was given. */
interface Closure {
  readonly body: Expression;
  readonly variables: Variables;
}

/** `null` is a value like others. */
const known = (value: Value | undefined): Value => (value === undefined ? UNKNOWN : value);

/** What `error` gives: behind it nothing goes on. */
const FAILED: Outputs = [];

function begunWith(first: Value | undefined): Value {
  const starts = typeof first === "string" ? first : "";
  return { kind: "text", of: [], label: undefined, isOther: false, starts };
}

/** What a value is within a text. */
function textOf(value: Value): Value {
  const known = resolved(value);
  return known === null || typeof known === "boolean" || typeof known === "number" ? String(known) : known;
}
