import { boundVariables } from "../bound-variables.ts";
import { builtin, builtins, formats, predefinedVariables, removedBuiltins } from "../builtins/index.ts";
import { foldedConstant } from "../constant.ts";
import {
  type DiagnosticArguments,
  diagnostic,
  type JqDiagnostic,
  type JqDiagnosticCode,
  type JqFix,
  type RelatedSpan,
} from "../diagnostics.ts";
import { excerpt } from "../excerpt.ts";
import { nearest } from "../suggestions.ts";
import type {
  Break,
  Call,
  Definition,
  Expression,
  Group,
  Label,
  ModuleDirective,
  Node,
  Parameter,
  Pattern,
  Pipeline,
  Program,
  Span,
  Variable,
  VariablePattern,
} from "../syntax-tree.ts";
import { children } from "../walk.ts";
import { Scope } from "./scope.ts";

type FunctionDeclaration = Definition | Parameter;
type VariableDeclaration = VariablePattern | Parameter;

/** What each name of a program means. Names that aren't in a map are builtin, given, or unknown. */
export interface Resolution {
  readonly functions: ReadonlyMap<Call, FunctionDeclaration>;
  readonly variables: ReadonlyMap<Variable, VariableDeclaration>;
  readonly labels: ReadonlyMap<Break, Label>;
  readonly diagnostics: readonly JqDiagnostic[];
}

/** What a program has from its modules, by the names that it has for them: `text::trim/0`, `rates`. */
export interface ImportedNames {
  readonly functions: ReadonlyMap<string, Definition>;
  readonly variables: ReadonlyMap<string, VariablePattern>;
}

/** What the caller binds: variables by their names without `$`, and functions as `name/arity`. */
export interface GivenNames {
  readonly variables?: readonly string[];
  readonly functions?: readonly string[];
}

/**
 * Connects the names of a program with what they mean, and reports those that mean nothing, wrong
 * argument counts, unknown formats, and object keys that can't be strings.
 * @param imported without it, a name that may come from a module is taken to be in it
 */
export function resolve(program: Program, given: GivenNames = {}, imported?: ImportedNames): Resolution {
  const { variables = [], functions = [] } = given;
  if (variables.length > 0 || functions.length > 0 || imported !== undefined)
    return resolved(program, given, imported);
  let known = resolutions.get(program);
  if (known === undefined) {
    known = resolved(program, given);
    if (resolutions.size >= RESOLUTIONS_LIMIT) resolutions.clear();
    resolutions.set(program, known);
  }
  return known;
}

/**
 * Of the programs that were looked at last. A tree never changes, and whoever looks at one asks: what checks it, what infers its type, what lists
 * its paths and calls. A few and not a weak map, which costs the garbage collector as much as it saves.
 */
const resolutions = new Map<Program, Resolution>();
const RESOLUTIONS_LIMIT = 256;

function resolved(program: Program, given: GivenNames, imported?: ImportedNames): Resolution {
  const resolver = new Resolver(given, imported === undefined ? program.directives : []);
  if (imported !== undefined) resolver.declare(imported);
  resolver.visit(program);
  return resolver;
}

/** Written like functions, but no definition can replace them. */
const constants: ReadonlySet<string> = new Set(["null", "true", "false"]);

class Resolver implements Resolution {
  readonly functions = new Map<Call, FunctionDeclaration>();
  readonly variables = new Map<Variable, VariableDeclaration>();
  readonly labels = new Map<Break, Label>();
  readonly diagnostics: JqDiagnostic[] = [];
  private readonly functionScope = new Scope<FunctionDeclaration>();
  private readonly variableScope = new Scope<VariableDeclaration>();
  private readonly labelScope = new Scope<Label>();
  private readonly givenVariables: ReadonlySet<string>;
  private readonly givenFunctions: ReadonlySet<string>;
  private readonly directives: readonly ModuleDirective[];
  /** Where each unknown name was first reported: further uses are related to it. */
  private readonly reported = new Map<string, { related: RelatedSpan[] }>();

  constructor({ variables, functions }: GivenNames, directives: readonly ModuleDirective[]) {
    this.directives = directives;
    this.givenVariables = new Set(variables);
    this.givenFunctions = new Set(functions);
  }

  declare({ functions, variables }: ImportedNames): void {
    for (const [name, definition] of functions) this.functionScope.declare(name, definition);
    for (const [name, variable] of variables) this.variableScope.declare(name, variable);
  }

  visit(node: Node): void {
    switch (node.kind) {
      case "Pipeline":
        this.pipeline(node);
        return;
      case "Reduce":
      case "Foreach": {
        this.visit(node.source);
        this.visit(node.initial);
        this.scoped(() => {
          this.patterns(node.patterns);
          this.visit(node.update);
          if (node.kind === "Foreach" && node.extract !== undefined) this.visit(node.extract);
        });
        return;
      }
      case "Call":
        this.call(node);
        break;
      case "Variable":
        this.variable(node);
        break;
      case "Break":
        this.break(node);
        break;
      case "Format":
        this.format(node.name, node);
        break;
      case "Entry":
        if (node.key.kind === "Group") this.key(node.key);
        break;
    }
    for (const child of children(node)) this.visit(child);
  }

  private pipeline({ stages }: Pipeline): void {
    this.scoped(() => {
      for (const stage of stages) {
        switch (stage.kind) {
          case "Definition":
            this.definition(stage);
            break;
          case "Binding":
            this.visit(stage.source);
            this.patterns(stage.patterns);
            break;
          case "Label":
            this.labelScope.declare(stage.name.text, stage);
            break;
          default:
            this.visit(stage);
        }
      }
    });
  }

  private definition(definition: Definition): void {
    this.functionScope.declare(`${definition.name.text}/${definition.parameters.length}`, definition);
    this.scoped(() => {
      for (const parameter of definition.parameters) {
        this.functionScope.declare(`${parameter.name}/0`, parameter);
        if (parameter.byValue) this.variableScope.declare(parameter.name, parameter);
      }
      this.visit(definition.body);
    });
  }

  /**
   * Alternatives (`?//`) all bind; variables of an alternative that wasn't taken are null. Computed
   * keys see only what is in scope outside of the patterns.
   */
  private patterns(patterns: readonly Pattern[]): void {
    for (const pattern of patterns) this.patternKeys(pattern);
    for (const pattern of patterns) {
      for (const variable of boundVariables(pattern).toReversed()) {
        this.variableScope.declare(variable.name, variable);
      }
    }
  }

  private patternKeys(pattern: Pattern): void {
    if (pattern.kind === "ArrayPattern") for (const item of pattern.items) this.patternKeys(item);
    if (pattern.kind !== "ObjectPattern") return;
    for (const { key, pattern: below } of pattern.entries) {
      if (key.kind !== "VariablePattern") this.visit(key);
      if (key.kind === "Group") this.key(key);
      if (below !== undefined) this.patternKeys(below);
    }
  }

  private scoped(visit: () => void): void {
    const marks = [this.functionScope.mark(), this.variableScope.mark(), this.labelScope.mark()] as const;
    visit();
    this.functionScope.restore(marks[0]);
    this.variableScope.restore(marks[1]);
    this.labelScope.restore(marks[2]);
  }

  private call(call: Call): void {
    const name = call.name.text;
    const arity = call.arguments.length;
    if (arity === 0 && constants.has(name)) return;
    const declaration = this.functionScope.find(`${name}/${arity}`);
    if (declaration !== undefined) {
      this.functions.set(call, declaration);
      return;
    }
    if (builtin(name, arity) !== undefined || this.givenFunctions.has(`${name}/${arity}`)) return;
    if (this.isImported(name)) return;
    // An argument that is a mistake is reported already; how many were meant isn't known.
    if (call.arguments.some((argument) => argument.kind === "Missing")) return;
    const arities = this.aritiesOf(name);
    if (arities.length > 0) {
      const fixes = semicolonFix(call, arities);
      this.reportOnce(
        `${name}/${arity}`,
        "wrong-arity",
        call.name,
        { name, arity, arities: arities.map(String) },
        fixes,
      );
      return;
    }
    const replacement = arity === 0 ? removedBuiltins.get(name) : undefined;
    const suggestion = replacement === undefined ? nearest(name, this.functionNames(arity)) : undefined;
    const fixes: JqFix[] = [];
    const better = replacement ?? suggestion;
    if (better !== undefined) fixes.push(renameFix(better, call.name));
    if (arity === 0 && replacement === undefined && !name.includes("::"))
      fixes.push(renameFix(`.${name}`, call.name));
    this.reportOnce(
      `${name}/${arity}`,
      "unknown-function",
      call.name,
      {
        name,
        arity,
        ...(suggestion === undefined ? {} : { suggestion }),
        ...(replacement === undefined ? {} : { replacement }),
      },
      fixes,
    );
  }

  /** Whether a name may come from a module; that there is one is a finding of its own. */
  private isImported(name: string): boolean {
    return this.directives.some(({ directive, alias }) => {
      if (directive === "include") return !name.startsWith("$");
      return alias !== undefined && (name === alias.text || name.startsWith(`${alias.text}::`));
    });
  }

  private variable(variable: Variable): void {
    const { name } = variable;
    const declaration = this.variableScope.find(name);
    if (declaration !== undefined) {
      this.variables.set(variable, declaration);
      return;
    }
    if (this.givenVariables.has(name) || predefinedVariables.has(name) || this.isImported(`$${name}`)) return;
    const suggestion = nearest(name, [...this.variableScope.names(), ...this.givenVariables, "ENV"]);
    this.reportOnce(
      `$${name}`,
      "unknown-variable",
      variable,
      { name, ...(suggestion === undefined ? {} : { suggestion }) },
      suggestion === undefined ? [] : [renameFix(`$${suggestion}`, variable)],
    );
  }

  private break(node: Break): void {
    const name = node.label.text;
    if (name === "") return;
    const label = this.labelScope.find(name);
    if (label !== undefined) {
      this.labels.set(node, label);
      return;
    }
    const suggestion = nearest(name, this.labelScope.names());
    this.reportOnce(
      `break ${name}`,
      "unknown-label",
      node.label,
      { name, ...(suggestion === undefined ? {} : { suggestion }) },
      suggestion === undefined ? [] : [renameFix(`$${suggestion}`, node.label)],
    );
  }

  private format(name: string, span: Span): void {
    if (formats.has(name)) return;
    const known = [...formats.keys()];
    const suggestion = nearest(name, known);
    this.reportOnce(
      `@${name}`,
      "unknown-format",
      span,
      { name, known, ...(suggestion === undefined ? {} : { suggestion }) },
      suggestion === undefined ? [] : [renameFix(`@${suggestion}`, span)],
    );
  }

  private key(key: Group): void {
    const value = foldedConstant(key.body);
    if (value === undefined || typeof value === "string") return;
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    this.diagnostics.push(
      diagnostic("invalid-key", key.body, { type, text: excerpt(JSON.stringify(value), 30) }),
    );
  }

  private aritiesOf(name: string): readonly number[] {
    const arities = new Set<number>();
    for (const known of builtins) if (known.name === name) arities.add(known.parameters.length);
    for (const key of [...this.functionScope.names(), ...this.givenFunctions]) {
      const slash = key.lastIndexOf("/");
      if (key.slice(0, slash) === name) arities.add(Number(key.slice(slash + 1)));
    }
    return [...arities].sort((a, b) => a - b);
  }

  /** Names of functions; those that can be called with so many arguments first, so that they win ties. */
  private functionNames(arity: number): Iterable<string> {
    const own = [...this.functionScope.names(), ...this.givenFunctions];
    const keys = own.map((key) => key.split("/") as [string, string]);
    const known = builtins.map(({ name, parameters }) => [name, String(parameters.length)] as const);
    const names = [...keys, ...known];
    const fitting = names.filter(([, count]) => count === String(arity));
    return new Set([...fitting, ...names].map(([name]) => name).filter((name) => name !== ""));
  }

  private reportOnce<Code extends JqDiagnosticCode>(
    key: string,
    code: Code,
    span: Span,
    args: DiagnosticArguments[Code],
    fixes: readonly JqFix[],
  ): void {
    const earlier = this.reported.get(key);
    if (earlier !== undefined) {
      earlier.related.push({ start: span.start, end: span.end, role: "use" });
      return;
    }
    const related: RelatedSpan[] = [];
    this.reported.set(key, { related });
    const more = fixes.length === 0 ? { related } : { related, fixes };
    // One code of the table makes one member of the union; TypeScript can't see that for a type parameter.
    this.diagnostics.push(diagnostic(code, span, args, more) as unknown as JqDiagnostic);
  }
}

function renameFix(newText: string, { start, end }: Span): JqFix {
  return { title: `Change to ${excerpt(newText)}`, safe: false, edits: [{ start, end, newText }] };
}

/** `f(a, b)` where `f(a; b)` was meant. */
function semicolonFix(call: Call, arities: readonly number[]): readonly JqFix[] {
  const only: Expression | undefined = call.arguments.length === 1 ? call.arguments[0] : undefined;
  if (only?.kind !== "Comma" || !arities.includes(only.items.length)) return [];
  const edits = only.items.slice(1).map((item, index) => ({
    start: only.items[index]!.end,
    end: item.start,
    newText: "; ",
  }));
  return [{ title: "Separate the arguments by “;”", safe: false, edits }];
}
