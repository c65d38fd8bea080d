import type {
  Definition,
  Expression,
  Foreach,
  HoleValue,
  If,
  ModuleDirective,
  ObjectEntry,
  Pattern,
  PatternEntry,
  Postfix,
  Program,
  Reduce,
  Stage,
  StringLiteral,
  Suffix,
} from "./syntax-tree.ts";

/** How a program is laid out. */
export interface FormatOptions {
  /** How a hole is written; by default `${N}` with its index. */
  readonly hole?: (hole: number) => string;
}

/**
 * Prints a program on one line, with uniform blanks. Parsing the result gives an equal tree (spans
 * aside) if the program had no mistakes. Comments are not part of the tree and are lost.
 */
export function format(program: Program, options: FormatOptions = {}): string {
  return new Printer(options.hole ?? ((hole) => `\${${hole}}`)).program(program);
}

class Printer {
  private readonly holeText: (hole: number) => string;

  constructor(holeText: (hole: number) => string) {
    this.holeText = holeText;
  }

  program({ directives, body }: Program): string {
    return [...directives.map((directive) => this.directive(directive)), this.expression(body)].join(" ");
  }

  private directive({ directive, path, alias, metadata }: ModuleDirective): string {
    const words: string[] = [directive];
    if (path !== undefined) words.push(this.string(path));
    if (alias !== undefined) words.push("as", alias.text);
    if (metadata !== undefined) words.push(this.expression(metadata));
    return `${words.join(" ")};`;
  }

  private stages(stages: readonly Stage[]): string {
    let text = "";
    for (const [index, stage] of stages.entries()) {
      text += this.stage(stage);
      if (index < stages.length - 1) text += stage.kind === "Definition" ? " " : " | ";
    }
    return text;
  }

  private stage(stage: Stage): string {
    switch (stage.kind) {
      case "Definition":
        return this.definition(stage);
      case "Binding":
        return `${this.expression(stage.source)} as ${this.patterns(stage.patterns)}`;
      case "Label":
        return `label $${stage.name.text}`;
      default:
        return this.expression(stage);
    }
  }

  private definition({ name, parameters, body }: Definition): string {
    const list = parameters.map((parameter) => (parameter.byValue ? "$" : "") + parameter.name).join("; ");
    return `def ${name.text}${list === "" ? "" : `(${list})`}: ${this.expression(body)};`;
  }

  expression(node: Expression): string {
    switch (node.kind) {
      case "Pipeline":
        return this.stages(node.stages);
      case "Comma":
        return this.join(node.items, ", ");
      case "Alternative":
        return this.join(node.operands, " // ");
      case "Logical":
        return this.join(node.operands, ` ${node.operator} `);
      case "Assignment":
        return `${this.expression(node.target)} ${node.operator} ${this.expression(node.value)}`;
      case "Comparison":
        return `${this.expression(node.left)} ${node.operator} ${this.expression(node.right)}`;
      case "Arithmetic":
        return (
          this.expression(node.first) +
          node.rest.map(({ operator, operand }) => ` ${operator} ${this.expression(operand)}`).join("")
        );
      case "Negation":
        return `-${this.expression(node.operand)}`;
      case "Try":
        return node.handler === undefined
          ? `try ${this.expression(node.body)}`
          : `try ${this.expression(node.body)} catch ${this.expression(node.handler)}`;
      case "Postfix":
        return this.postfix(node);
      case "Identity":
        return ".";
      case "RecurseDefault":
        return "..";
      case "Number":
        return node.text;
      case "String":
        return this.string(node);
      case "Format":
        return `@${node.name}`;
      case "Array":
        return node.body === undefined ? "[]" : `[${this.expression(node.body)}]`;
      case "Object":
        return node.entries.length === 0
          ? "{}"
          : `{${node.entries.map((entry) => this.entry(entry)).join(", ")}}`;
      case "Group":
        return `(${this.expression(node.body)})`;
      case "Variable":
        return `$${node.name}`;
      case "SourceLocation":
        return "$__loc__";
      case "Call":
        return node.arguments.length === 0
          ? node.name.text
          : `${node.name.text}(${this.join(node.arguments, "; ")})`;
      case "Break":
        return `break $${node.label.text}`;
      case "If":
        return this.conditional(node);
      case "Reduce":
      case "Foreach":
        return this.fold(node);
      case "Hole":
        return this.hole(node);
      case "Missing":
        return "";
    }
  }

  private join(nodes: readonly Expression[], separator: string): string {
    return nodes.map((node) => this.expression(node)).join(separator);
  }

  private postfix({ head, suffixes }: Postfix): string {
    let text = head.kind === "Identity" && isNamed(suffixes[0]) ? "" : this.expression(head);
    // “1.a” and “...a” would be read as other tokens.
    if ((head.kind === "Number" || head.kind === "RecurseDefault") && suffixes[0]?.kind === "Field")
      text += " ";
    for (const suffix of suffixes) text += this.suffix(suffix);
    return text;
  }

  private suffix(suffix: Suffix): string {
    switch (suffix.kind) {
      case "Field": {
        const { key, inBrackets } = suffix;
        if (key.kind === "Name") return inBrackets === true ? `["${key.text}"]` : `.${key.text}`;
        return `.${key.kind === "String" ? this.string(key) : this.hole(key)}`;
      }
      case "Index":
        return `[${this.expression(suffix.index)}]`;
      case "Slice": {
        const { from, to } = suffix;
        return `[${from === undefined ? "" : this.expression(from)}:${to === undefined ? "" : this.expression(to)}]`;
      }
      case "Iterate":
        return "[]";
      case "Optional":
        return "?";
    }
  }

  private string({ format, parts }: StringLiteral): string {
    const inside = parts
      .map((part) => {
        if (part.kind === "StringText") return escapeText(part.value);
        return part.expression.kind === "Hole"
          ? this.hole(part.expression)
          : `\\(${this.expression(part.expression)})`;
      })
      .join("");
    return `${format === undefined ? "" : `@${format.name} `}"${inside}"`;
  }

  private entry({ key, value }: ObjectEntry): string {
    const name = key.kind === "Name" ? key.text : this.expression(key);
    return value === undefined ? name : `${name}: ${this.expression(value)}`;
  }

  private conditional({ branches, otherwise }: If): string {
    const chain = branches
      .map(({ condition, body }) => `if ${this.expression(condition)} then ${this.expression(body)}`)
      .join(" el");
    return `${chain}${otherwise === undefined ? "" : ` else ${this.expression(otherwise)}`} end`;
  }

  private fold(node: Reduce | Foreach): string {
    const steps = [node.initial, node.update];
    if (node.kind === "Foreach" && node.extract !== undefined) steps.push(node.extract);
    const word = node.kind === "Reduce" ? "reduce" : "foreach";
    return `${word} ${this.expression(node.source)} as ${this.patterns(node.patterns)} (${this.join(steps, "; ")})`;
  }

  private patterns(patterns: readonly Pattern[]): string {
    return patterns.map((pattern) => this.pattern(pattern)).join(" ?// ");
  }

  private pattern(pattern: Pattern): string {
    switch (pattern.kind) {
      case "VariablePattern":
        return `$${pattern.name}`;
      case "ArrayPattern":
        return `[${pattern.items.map((item) => this.pattern(item)).join(", ")}]`;
      case "ObjectPattern":
        return `{${pattern.entries.map((entry) => this.patternEntry(entry)).join(", ")}}`;
    }
  }

  private patternEntry({ key, pattern }: PatternEntry): string {
    let name: string;
    if (key.kind === "Name") name = key.text;
    else name = key.kind === "VariablePattern" ? `$${key.name}` : this.expression(key);
    return pattern === undefined ? name : `${name}: ${this.pattern(pattern)}`;
  }

  private hole({ hole }: HoleValue): string {
    return this.holeText(hole);
  }
}

function isNamed(suffix: Suffix | undefined): boolean {
  return suffix?.kind === "Field" && suffix.inBrackets !== true;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
]);

/** The characters of a string literal, without its quotes. */
export function escapeText(text: string): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f]/g,
    (character) => escapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
