import type { Expression, ObjectConstruction, Pipeline, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { nameOf } from "../flow/literal-object.ts";

/** A part of a program in a form that is equal for equal meanings; JSON. */
type Form = unknown;

/** What an expression takes. */
interface Around {
  readonly input: Form;
  readonly variables: ReadonlyMap<string, Form>;
}

/** The value that a program, or an argument of a function, is given. */
const given: Form = ["."];

/**
 * The meaning of a program as a text, as far as paths go: `.a.b`, `.a | .["b"]`, `. as $x | $x.a.b` and, where the input is an
 * object of the roots (D16), `${a.b}` are the same. Layout, comments and parentheses don't count. Programs that do the same in
 * another way may differ.
 *
 * @param expansionText the canonical text of an expansion
 * @param only where one member of one object counts alone
 */
export function canonicalProgram(
  program: JqProgram,
  expansionText: (syntax: Expansion["syntax"]) => string,
  only?: OneMember,
): string {
  const forms = new Forms(program, expansionText, only);
  return JSON.stringify(forms.of(program.tree.body, { input: given, variables: new Map() }));
}

/** An object construction of which one member counts. */
interface OneMember {
  readonly object: ObjectConstruction;
  readonly value: Expression | undefined;
  readonly name: string;
}

/** The forms of the parts of one program. */
class Forms {
  private readonly holes: JqProgram["holes"];
  private readonly takesRoots: boolean;
  private readonly expansionText: (syntax: Expansion["syntax"]) => string;
  private readonly only: OneMember | undefined;

  constructor(
    { holes, command }: JqProgram,
    expansionText: (syntax: Expansion["syntax"]) => string,
    only: OneMember | undefined,
  ) {
    this.holes = holes;
    this.takesRoots =
      command.place.input === "roots" && (command.pipe === undefined || command.stepsRun === 0);
    this.expansionText = expansionText;
    this.only = only;
  }

  of(node: Expression, around: Around): Form {
    switch (node.kind) {
      case "Group":
        return this.of(node.body, around);
      case "Identity":
        return around.input;
      case "Variable":
        return around.variables.get(node.name) ?? ["$", node.name];
      case "Hole":
        return this.ofHole(this.holes[node.hole]);
      case "Pipeline":
        return this.ofPipeline(node, around);
      case "Postfix":
        return this.ofPath(this.of(node.head, around), node.suffixes, around);
      case "Object":
        return this.ofObject(node, around);
      case "Array":
      case "Comma":
      case "Alternative":
      case "Arithmetic":
      case "Comparison":
      case "Logical":
      case "Negation":
      case "If":
      case "String":
        return this.parts(node, around);
      default:
        // What these give their parts is their own affair.
        return [around.input, this.parts(node, within(around))];
    }
  }

  private ofHole(expansion: Expansion | undefined): Form {
    if (expansion === undefined) return ["hole"];
    const { path, filters } = expansion.syntax;
    if (!this.takesRoots || filters.length > 0) return ["hole", this.expansionText(expansion.syntax)];
    return path.reduce((from, { text }) => step(from, text), given);
  }

  private ofObject(node: ObjectConstruction, around: Around): Form {
    const { only } = this;
    if (node !== only?.object) return this.parts(node, around);
    return only.value === undefined ? step(around.input, only.name) : this.of(only.value, around);
  }

  private ofPipeline({ stages }: Pipeline, around: Around): Form {
    const before: Form[] = [];
    let at = around;
    for (const stage of stages.slice(0, -1)) {
      if (stage.kind === "Binding") {
        const [pattern, another] = stage.patterns;
        const source = this.of(stage.source, at);
        const variables = new Map(at.variables);
        // A path has one value, which may as well stand where the variable does.
        if (pattern?.kind === "VariablePattern" && another === undefined && isPath(source))
          variables.set(pattern.name, source);
        else before.push(["as", source, this.plain(stage.patterns, at)]);
        at = { ...at, variables };
      } else if (stage.kind === "Definition" || stage.kind === "Label") {
        before.push(this.plain(stage, within(at)));
      } else {
        const output = this.of(stage, at);
        if (!isPath(output)) before.push(output);
        at = isPath(output) ? { ...at, input: output } : within(at);
      }
    }
    const last = stages.at(-1);
    const output = last === undefined ? at.input : this.plain(last, at);
    return before.length === 0 ? output : ["|", ...before, output];
  }

  private ofPath(head: Form, suffixes: readonly Suffix[], around: Around): Form {
    let from = head;
    for (const suffix of suffixes) {
      const name = memberName(suffix);
      from = name === undefined || !isPath(from) ? [from, this.plain(suffix, around)] : step(from, name);
    }
    return from;
  }

  /** A node with its parts in their forms. */
  private parts(node: object, around: Around): Form {
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
        key === "start" || key === "end" || key.endsWith("Span") ? [] : [[key, this.plain(value, around)]],
      ),
    );
  }

  private plain(value: unknown, around: Around): Form {
    if (Array.isArray(value)) return value.map((each: unknown) => this.plain(each, around));
    if (typeof value !== "object" || value === null) return value;
    return isExpression(value) ? this.of(value, around) : this.parts(value, around);
  }
}

/** Where something else is given: what variables stand for is from without. */
function within({ variables }: Around): Around {
  return { input: given, variables: new Map([...variables].map(([name, form]) => [name, ["^", form]])) };
}

/** A path from what is given: one value, whatever it is. */
function isPath(form: Form): form is readonly unknown[] {
  return Array.isArray(form) && form[0] === ".";
}

function step(from: Form, name: string): Form {
  return isPath(from) ? [...from, name] : [from, name];
}

function memberName(suffix: Suffix): string | undefined {
  if (suffix.kind === "Field") return suffix.key.kind === "Hole" ? undefined : nameOf(suffix.key);
  const index = suffix.kind === "Index" ? constantOf(suffix.index) : undefined;
  return typeof index === "string" ? index : undefined;
}

/** Kinds of nodes that aren't expressions, and have expressions in them. */
const others: ReadonlySet<unknown> = new Set([
  "Definition",
  "Parameter",
  "Binding",
  "Label",
  "ArithmeticOperand",
  "Field",
  "Index",
  "Slice",
  "Iterate",
  "Optional",
  "Name",
  "StringText",
  "Interpolation",
  "Entry",
  "Branch",
  "VariablePattern",
  "ArrayPattern",
  "ObjectPattern",
  "PatternEntry",
]);

function isExpression(node: object): node is Expression {
  return "kind" in node && !others.has(node.kind);
}
