import { parse } from "../syntax/parser.ts";
import type { Expression, Hole, Node, Program, Stage } from "../syntax-tree.ts";
import { walk } from "../walk.ts";

/** Columns that a line may have where it can be broken. */
const WIDTH = 80;
const UNIT = "  ";

/**
 * Lays out a program over several lines, where it is too long for one. Nothing but blanks outside of strings changes; a program with
 * a mistake or with comments stays as it is, since where its lines end means something.
 *
 * @param holes expansions in the text
 */
export function layOut(text: string, holes: readonly Hole[] = []): string {
  const { program, diagnostics } = parse(text, { holes });
  if (diagnostics.length > 0 || program.directives.length > 0) return text;
  const blanks = new Blanks(text, program, holes);
  if (blanks.hasComment()) return text;
  const laidOut = new Layout(text, blanks).print(program.body, "");
  // Whatever a node of the tree leaves out, nothing may be lost.
  return squeezed(text) === squeezed(laidOut) ? laidOut : text;
}

/** The same program on one line: the reverse of `layOut`. One with comments stays as it is. */
export function onOneLine(text: string, holes: readonly Hole[] = []): string {
  const { program, diagnostics } = parse(text, { holes });
  if (diagnostics.length > 0) return text;
  const blanks = new Blanks(text, program, holes);
  return blanks.hasComment() ? text : blanks.joined(0, text.length).trim();
}

/** All that isn't blank. Blanks in strings don't change, so that leaving them out on both sides compares the rest. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** What of a text is blank, outside of strings and expansions. */
class Blanks {
  private readonly text: string;
  private readonly fixed: Uint8Array;

  constructor(text: string, program: Program, holes: readonly Hole[]) {
    this.text = text;
    this.fixed = new Uint8Array(text.length);
    const fix = (start: number, end: number) => this.fixed.fill(1, start, end);
    walk(program, { enter: (node) => void (node.kind === "String" && fix(node.start, node.end)) });
    for (const { start, end } of holes) fix(start, end);
  }

  hasComment(): boolean {
    for (let at = this.text.indexOf("#"); at >= 0; at = this.text.indexOf("#", at + 1))
      if (this.fixed[at] === 0) return true;
    return false;
  }

  /** A part of the text with its line breaks made blanks; there are none behind an opening bracket and before what closes it. */
  joined(from: number, to: number): string {
    let result = "";
    for (let at = from; at < to; at++) {
      const character = this.text.charAt(at);
      if (this.fixed[at] === 1 || !/\s/.test(character)) {
        result += character;
        continue;
      }
      let end = at + 1;
      while (end < to && this.fixed[end] === 0 && /\s/.test(this.text.charAt(end))) end++;
      const blank = this.text.slice(at, end);
      const isInside = /[([{]$/.test(result) || /[)\]},;]/.test(this.text.charAt(end));
      result += blank.includes("\n") ? (isInside ? "" : " ") : blank;
      at = end - 1;
    }
    return result;
  }
}

class Layout {
  private readonly text: string;
  private readonly blanks: Blanks;

  constructor(text: string, blanks: Blanks) {
    this.text = text;
    this.blanks = blanks;
  }

  /** @param indent of the lines behind the first one */
  print(node: Node, indent: string): string {
    const line = this.flat(node.start, node.end);
    if (!line.includes("\n") && indent.length + line.length <= WIDTH) return line;
    return this.broken(node, indent) ?? line;
  }

  private flat(from: number, to: number): string {
    return this.blanks.joined(from, to).trim();
  }

  private broken(node: Node, indent: string): string | undefined {
    const deeper = indent + UNIT;
    switch (node.kind) {
      case "Pipeline":
        return this.pipeline(node.stages, indent);
      case "Comma":
        return this.chain(node.items, indent);
      case "Alternative":
      case "Logical":
        return this.chain(node.operands, deeper);
      case "Arithmetic":
        return this.chain([node.first, ...node.rest], deeper);
      case "Comparison":
        return this.around(node, [node.left, node.right], indent);
      case "Object":
        return this.bracketed(node, node.entries, indent);
      case "Array":
        return node.body === undefined ? undefined : this.bracketed(node, [node.body], indent);
      case "Group":
        return this.bracketed(node, [node.body], indent);
      case "Call":
        return this.called(node.start, node.name.end, node.arguments, node.end, indent);
      case "If":
        return this.conditional(node, indent);
      case "Reduce":
      case "Foreach": {
        const { initial, update } = node;
        const extract = node.kind === "Foreach" && node.extract !== undefined ? [node.extract] : [];
        const open = this.text.lastIndexOf("(", initial.start);
        return this.called(node.start, open, [initial, update, ...extract], node.end, indent);
      }
      case "Definition":
        return this.around(node, [node.body], deeper, `\n${deeper}`);
      case "Binding":
        return this.around(node, [node.source], indent);
      case "ArithmeticOperand":
      case "Negation":
        return this.around(node, [node.operand], indent);
      case "Try":
        return this.around(
          node,
          node.handler === undefined ? [node.body] : [node.body, node.handler],
          indent,
        );
      case "Postfix":
        return this.around(node, [node.head], indent);
      case "Assignment":
        return this.around(node, [node.target, node.value], indent);
      case "Entry":
        return node.value === undefined ? undefined : this.around(node, [node.value], indent);
      default:
        return undefined;
    }
  }

  /** Each stage on a line of its own; where the `|` is no part of the one before, it begins the line. */
  private pipeline(stages: readonly Stage[], indent: string): string {
    let result = "";
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (before !== undefined) {
        const bar = this.flat(before.end, stage.start);
        result += `\n${indent}${bar === "" ? "" : `${bar} `}`;
      }
      result += this.print(stage, indent);
    }
    return result;
  }

  /** Operands on lines of their own: a comma ends a line, an operator begins one. */
  private chain(operands: readonly Node[], indent: string): string {
    let result = "";
    for (const [index, operand] of operands.entries()) {
      const before = operands[index - 1];
      if (before !== undefined) {
        const operator = this.flat(before.end, operand.start);
        if (operator === ",") result += `,\n${indent}`;
        else result += `\n${indent}${operator === "" ? "" : `${operator} `}`;
      }
      result += this.print(operand, indent);
    }
    return result;
  }

  /** What stands between brackets, on lines of their own. */
  private bracketed(node: Node, parts: readonly Node[], indent: string): string | undefined {
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const inner = indent + UNIT;
    const close = this.flat(last.end, node.end);
    return `${this.flat(node.start, first.start)}\n${inner}${this.chain(parts, inner)}\n${indent}${close}`;
  }

  private called(
    start: number,
    nameEnd: number,
    parts: readonly Expression[],
    end: number,
    indent: string,
  ): string | undefined {
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const inner = indent + UNIT;
    const open = this.flat(nameEnd, first.start);
    // `reduce … as $x (…)` has a blank before its bracket, a call has none.
    const isCall = this.text[nameEnd] === "(" && !/\s/.test(this.text.charAt(nameEnd - 1));
    const head = this.flat(start, nameEnd) + (isCall ? "" : " ");
    const inside = parts.map((part, index) => {
      const next = parts[index + 1];
      return this.print(part, inner) + (next === undefined ? "" : this.flat(part.end, next.start));
    });
    const close = this.flat(last.end, end);
    return `${head}${open}\n${inner}${inside.join(`\n${inner}`)}\n${indent}${close}`;
  }

  private conditional(node: Extract<Expression, { kind: "If" }>, indent: string): string {
    const inner = indent + UNIT;
    let result = "";
    let at = node.start;
    for (const { condition, body } of node.branches) {
      result += `${this.flat(at, condition.start)} ${this.print(condition, inner)} ${this.flat(condition.end, body.start)}\n${inner}${this.print(body, inner)}\n${indent}`;
      at = body.end;
    }
    if (node.otherwise !== undefined) {
      result += `${this.flat(at, node.otherwise.start)}\n${inner}${this.print(node.otherwise, inner)}\n${indent}`;
      at = node.otherwise.end;
    }
    return result + this.flat(at, node.end);
  }

  /** The parts laid out, and what stands around them as it is. */
  private around(node: Node, parts: readonly Node[], indent: string, before?: string): string {
    let result = "";
    let at = node.start;
    for (const part of parts) {
      const gap = this.blanks.joined(at, part.start);
      result += (before === undefined ? gap : `${gap.trimEnd()}${before}`) + this.print(part, indent);
      at = part.end;
    }
    return result + this.blanks.joined(at, node.end);
  }
}
