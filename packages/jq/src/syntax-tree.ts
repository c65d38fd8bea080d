/**
 * The syntax tree of a jq program.
 *
 * Two shapes keep the tree shallow, so that no pass over it can overflow the stack:
 * chains of one precedence level are one node with many operands (`a | b | c` is one `Pipeline`,
 * `a + b - c` one `Arithmetic`), and postfix operators are a list beside their head
 * (`.a.b[0]` is one `Postfix` with three suffixes). What remains nested is capped by the parser
 * (`NESTING_LIMIT`).
 */

/** A half-open range of UTF-16 offsets in the program text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An expansion that the caller found before lexing (decision D10); covers `${…}` with its delimiters. */
export interface Hole extends Span {}

/** A whole program: directives, and the expression that they lead to. */
export interface Program extends Span {
  readonly kind: "Program";
  /** `module …;`, `import …;` and `include …;`, in source order. They are parsed, and reported. */
  readonly directives: readonly ModuleDirective[];
  readonly body: Expression;
}

/** `import`, `include` or `module`. */
export interface ModuleDirective extends Span {
  readonly kind: "ModuleDirective";
  readonly directive: "module" | "import" | "include";
  readonly path?: StringLiteral;
  /** The name after `as`, with its `$` if it is a data import. */
  readonly alias?: Name;
  readonly metadata?: Expression;
}

/** Whatever gives values. */
export type Expression =
  | Pipeline
  | Comma
  | Alternative
  | Assignment
  | Logical
  | Comparison
  | Arithmetic
  | Negation
  | Try
  | Postfix
  | Term;

/** What can stand at the head of a `Postfix`. */
export type Term =
  | Identity
  | RecurseDefault
  | NumberLiteral
  | StringLiteral
  | Format
  | ArrayConstruction
  | ObjectConstruction
  | Group
  | Variable
  | SourceLocation
  | Call
  | Break
  | If
  | Reduce
  | Foreach
  | HoleValue
  | Missing;

/**
 * `stage | stage | …`. A stage may introduce a name for the stages that follow it
 * (`def f: …;`, `SOURCE as PATTERN |`, `label $name |`); the last stage is always an expression.
 */
export interface Pipeline extends Span {
  readonly kind: "Pipeline";
  readonly stages: readonly Stage[];
}
/** What can stand between two `|`: an expression, a definition, a binding or a label. */
export type Stage = Definition | Binding | Label | Expression;

/** `def name(parameters): body;` */
export interface Definition extends Span {
  readonly kind: "Definition";
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}
/**
 * A parameter; `byValue` ones are written `$name` and are both a variable and a function: `def f($a): …` is
 * `def f(a): a as $a | …`.
 */
export interface Parameter extends Span {
  readonly kind: "Parameter";
  readonly name: string;
  readonly byValue: boolean;
}
/** `source as pattern ?// pattern |` */
export interface Binding extends Span {
  readonly kind: "Binding";
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
}
/** `label $name |` */
export interface Label extends Span {
  readonly kind: "Label";
  readonly name: Name;
}

/** `a, b`: the outputs of one after those of the other. */
export interface Comma extends Span {
  readonly kind: "Comma";
  readonly items: readonly Expression[];
}
/** `a // b // c`, right-associative. */
export interface Alternative extends Span {
  readonly kind: "Alternative";
  readonly operands: readonly Expression[];
}
/** An operator that changes what its left side selects. */
export type AssignmentOperator = "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=";
/** `.a = 1`, `.a |= f`. */
export interface Assignment extends Span {
  readonly kind: "Assignment";
  readonly operator: AssignmentOperator;
  readonly operatorSpan: Span;
  readonly target: Expression;
  readonly value: Expression;
}
/** `a and b and c`, or the same with `or`. */
export interface Logical extends Span {
  readonly kind: "Logical";
  readonly operator: "and" | "or";
  readonly operands: readonly Expression[];
}
/** An operator that compares two values. */
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";
/** `a == b`. */
export interface Comparison extends Span {
  readonly kind: "Comparison";
  readonly operator: ComparisonOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}
/** An operator that makes a value of two. */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
/** A left-associative chain of one level: either `+` and `-`, or `*`, `/` and `%`. */
export interface Arithmetic extends Span {
  readonly kind: "Arithmetic";
  readonly first: Expression;
  readonly rest: readonly ArithmeticOperand[];
}
/** An operator of a chain, with what stands on its right. */
export interface ArithmeticOperand extends Span {
  readonly kind: "ArithmeticOperand";
  readonly operator: ArithmeticOperator;
  readonly operatorSpan: Span;
  readonly operand: Expression;
}
/** `-a`. */
export interface Negation extends Span {
  readonly kind: "Negation";
  readonly operand: Expression;
}
/** `try body catch handler`; without a handler errors are dropped. `body?` is an `OptionalSuffix`. */
export interface Try extends Span {
  readonly kind: "Try";
  readonly body: Expression;
  readonly handler?: Expression;
}

/** A head followed by at least one suffix; `.foo` is a `FieldSuffix` on an `Identity`. */
export interface Postfix extends Span {
  readonly kind: "Postfix";
  readonly head: Term;
  readonly suffixes: readonly Suffix[];
}
/** What can follow a term: `.a`, `[0]`, `[]`, `[1:2]`, `?`. */
export type Suffix = FieldSuffix | IndexSuffix | SliceSuffix | IterateSuffix | OptionalSuffix;

/** `.name`, `."string"` or `.${…}`; `["name"]` too, where the name could stand behind a dot. */
export interface FieldSuffix extends Span {
  readonly kind: "Field";
  /** Of `["name"]` what stands between the quotes. */
  readonly key: Name | StringLiteral | HoleValue;
  readonly inBrackets?: true;
}
/** `[index]` */
export interface IndexSuffix extends Span {
  readonly kind: "Index";
  readonly index: Expression;
}
/** `[from:to]`, at least one of the two present. */
export interface SliceSuffix extends Span {
  readonly kind: "Slice";
  readonly from?: Expression;
  readonly to?: Expression;
}
/** `[]` */
export interface IterateSuffix extends Span {
  readonly kind: "Iterate";
}
/**
 * `?`. After a field, index, slice or `[]` it drops the errors of that step only (`.a.b?` still fails if
 * `.a` does); after anything else those of everything before it.
 */
export interface OptionalSuffix extends Span {
  readonly kind: "Optional";
}

/** An identifier as written: a member name, a definition's name, a label (without `$`). */
export interface Name extends Span {
  readonly kind: "Name";
  readonly text: string;
}

/** `.` */
export interface Identity extends Span {
  readonly kind: "Identity";
}
/** `..` */
export interface RecurseDefault extends Span {
  readonly kind: "RecurseDefault";
}
/** A number as it is written. */
export interface NumberLiteral extends Span {
  readonly kind: "Number";
  readonly value: number;
  /** As written; exact where `value` is rounded. */
  readonly text: string;
}
/** A string, with `format` if it is written `@name "…"`. */
export interface StringLiteral extends Span {
  readonly kind: "String";
  readonly format?: Format;
  readonly parts: readonly StringPart[];
}
/** A part of a string literal: text, `\(…)` or a hole. */
export type StringPart = StringText | Interpolation;
/** A part of a string literal that stands for itself. */
export interface StringText extends Span {
  readonly kind: "StringText";
  /** Escapes decoded. */
  readonly value: string;
}
/** `\(expression)`, or a hole inside the string. */
export interface Interpolation extends Span {
  readonly kind: "Interpolation";
  readonly expression: Expression;
}
/** `@name`; `name` is without the `@`. */
export interface Format extends Span {
  readonly kind: "Format";
  readonly name: string;
}
/** `[…]` */
export interface ArrayConstruction extends Span {
  readonly kind: "Array";
  readonly body?: Expression;
}
/** `{…}` */
export interface ObjectConstruction extends Span {
  readonly kind: "Object";
  readonly entries: readonly ObjectEntry[];
}
/** A member of `{…}`; without a value it takes its key's from the input, or from the variable. */
export interface ObjectEntry extends Span {
  readonly kind: "Entry";
  readonly key: ObjectKey;
  /** Absent in the short forms `{name}`, `{$name}`, `{"string"}`, `{$__loc__}`. */
  readonly value?: Expression;
}
/** What can be the key of a member of `{…}`. */
export type ObjectKey = Name | StringLiteral | Variable | SourceLocation | Group | HoleValue;

/** `( body )` */
export interface Group extends Span {
  readonly kind: "Group";
  readonly body: Expression;
}
/** `$name`; `name` is without the `$`. */
export interface Variable extends Span {
  readonly kind: "Variable";
  readonly name: string;
}
/** `$__loc__` */
export interface SourceLocation extends Span {
  readonly kind: "SourceLocation";
  /** From 1. */
  readonly line: number;
  /** The module that it stands in. */
  readonly file?: string;
}
/** A call of a function: `f(a; b)`. */
export interface Call extends Span {
  readonly kind: "Call";
  readonly name: Name;
  readonly arguments: readonly Expression[];
}
/** `break $out` */
export interface Break extends Span {
  readonly kind: "Break";
  readonly label: Name;
}
/** `if … then … elif … then … else … end`; without `else` the input is passed through. */
export interface If extends Span {
  readonly kind: "If";
  readonly branches: readonly IfBranch[];
  readonly otherwise?: Expression;
}
/** A condition with what follows it, `if a then b` or `elif a then b`. */
export interface IfBranch extends Span {
  readonly kind: "Branch";
  readonly condition: Expression;
  readonly body: Expression;
}
/** `reduce source as $x (initial; update)` */
export interface Reduce extends Span {
  readonly kind: "Reduce";
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
  readonly initial: Expression;
  readonly update: Expression;
}
/** `foreach source as $x (initial; update; extract)` */
export interface Foreach extends Span {
  readonly kind: "Foreach";
  readonly source: Expression;
  readonly patterns: readonly Pattern[];
  readonly initial: Expression;
  readonly update: Expression;
  readonly extract?: Expression;
}
/** The value of an expansion; `hole` is its index in the list given to `parse`. */
export interface HoleValue extends Span {
  readonly kind: "Hole";
  readonly hole: number;
}
/** Stands where the program has a mistake; always accompanied by a diagnostic. */
export interface Missing extends Span {
  readonly kind: "Missing";
}

/** What values are bound by: `$x`, `[$a, $b]`, `{a: $a}`. */
export type Pattern = VariablePattern | ArrayPattern | ObjectPattern;
/** `$x` in a pattern. */
export interface VariablePattern extends Span {
  readonly kind: "VariablePattern";
  readonly name: string;
}
/** `[$a, $b]` */
export interface ArrayPattern extends Span {
  readonly kind: "ArrayPattern";
  readonly items: readonly Pattern[];
}
/** `{a: $a, $b}` */
export interface ObjectPattern extends Span {
  readonly kind: "ObjectPattern";
  readonly entries: readonly PatternEntry[];
}
/** A member of an object pattern. */
export interface PatternEntry extends Span {
  readonly kind: "PatternEntry";
  /** A `VariablePattern` key (`{$name}`) also binds the variable; only then `pattern` may be absent. */
  readonly key: VariablePattern | Name | StringLiteral | Group | HoleValue;
  readonly pattern?: Pattern;
}

/** Every node of the tree. */
export type Node =
  | Program
  | ModuleDirective
  | Expression
  | Stage
  | Parameter
  | ArithmeticOperand
  | Suffix
  | Name
  | StringPart
  | ObjectEntry
  | IfBranch
  | Pattern
  | PatternEntry;

/** Brackets, strings and keywords nested deeper than this give one `nesting` diagnostic. */
export const NESTING_LIMIT = 512;
