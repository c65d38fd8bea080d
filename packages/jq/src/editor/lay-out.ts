import { parse } from "../syntax/parser.ts";
import type { Expression, Hole, Node, Program, Span, Stage } from "../syntax-tree.ts";
import { walk } from "../walk.ts";

/** Columns that a line may have where it can be broken. */
const WIDTH = 80;
const UNIT = "  ";
/** Stands for the end of a line while it isn't known how far the next one is indented. */
const LINE_END = "\u{e000}";

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
  if (blanks.comments.length > 0) return text;
  const laidOut = new Layout(text, blanks).print(program.body, "");
  // Whatever a node of the tree leaves out, nothing may be lost.
  return squeezed(text) === squeezed(laidOut) ? laidOut : text;
}

/**
 * A program over several lines where it is too long for one, with its comments: those behind something stay behind it, those on lines
 * of their own stay before what follows. A program with mistakes stays as it is.
 *
 * @param holes expansions in the text
 */
export function formatted(text: string, holes: readonly Hole[] = []): string {
  const { program, diagnostics } = parse(text, { holes });
  if (diagnostics.some(({ code }) => code !== "module-directive")) return text;
  const blanks = new Blanks(text, program, holes);
  const layout = new Layout(text, blanks);
  let result = "";
  let at = 0;
  for (const part of [...program.directives, program.body]) {
    result += layout.between(at, part.start, result === "");
    result += part.kind === "ModuleDirective" ? layout.line(part) : layout.print(part, "");
    at = part.end;
  }
  return (result + layout.between(at, text.length, false)).trim();
}

/** The same program on one line: the reverse of `layOut`. One with comments stays as it is. */
export function onOneLine(text: string, holes: readonly Hole[] = []): string {
  const { program, diagnostics } = parse(text, { holes });
  if (diagnostics.length > 0) return text;
  const blanks = new Blanks(text, program, holes);
  return blanks.comments.length > 0 ? text : blanks.joined(0, text.length).trim();
}

/** All that isn't blank. Blanks in strings don't change, so that leaving them out on both sides compares the rest. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** What of a text is blank, outside of strings and expansions. */
class Blanks {
  private readonly text: string;
  private readonly fixed: Uint8Array;
  /** Where comments begin and end, in their order. */
  readonly comments: readonly Span[];

  constructor(text: string, program: Program, holes: readonly Hole[]) {
    this.text = text;
    this.fixed = new Uint8Array(text.length);
    const fix = (start: number, end: number) => this.fixed.fill(1, start, end);
    walk(program, { enter: (node) => void (node.kind === "String" && fix(node.start, node.end)) });
    for (const { start, end } of holes) fix(start, end);
    const comments: Span[] = [];
    for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
      if (this.fixed[at] === 1) continue;
      // A backslash at its end goes on with it in the next line, unless there is another before it.
      const [comment] = /^#(?:\\[\s\S]|[^\\\n])*/.exec(text.slice(at))!;
      const span = { start: at, end: at + comment.trimEnd().length };
      comments.push(span);
      fix(span.start, span.end);
      at = span.end - 1;
    }
    this.comments = comments;
  }

  /** A part of the text with its line breaks made blanks; there are none behind an opening bracket and before what closes it. */
  joined(from: number, to: number): string {
    let result = "";
    for (let at = from; at < to; at++) {
      const character = this.text.charAt(at);
      const comment = this.comments.find(({ start }) => start === at);
      if (comment !== undefined) {
        const line = this.text.slice(this.text.lastIndexOf("\n", at - 1) + 1, at);
        const isAlone = line.trim() === "";
        result = `${result.trimEnd()}${isAlone ? (result.endsWith(LINE_END) ? "" : LINE_END) : " "}${this.text.slice(at, comment.end)}${LINE_END}`;
        at = comment.end - 1;
        continue;
      }
      if (this.fixed[at] === 1 || !/\s/.test(character)) {
        result += character;
        continue;
      }
      let end = at + 1;
      while (end < to && this.fixed[end] === 0 && /\s/.test(this.text.charAt(end))) end++;
      const blank = this.text.slice(at, end);
      const isInside =
        result.endsWith(LINE_END) || /[([{]$/.test(result) || /[)\]},;]/.test(this.text.charAt(end));
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
    if (!line.includes("\n") && !line.includes(LINE_END) && indent.length + line.length <= WIDTH) return line;
    return ended(this.broken(node, indent) ?? line, indent);
  }

  /** What doesn't belong to a program's body, as it is. */
  line(node: Node): string {
    return ended(this.flat(node.start, node.end), "");
  }

  /** Comments before a part of a program, or behind the last one. */
  between(from: number, to: number, isFirst: boolean): string {
    const gap = this.blanks.joined(from, to);
    const comments = gap.trimEnd();
    if (comments === "") return isFirst ? "" : "\n";
    const own = isFirst && comments.startsWith(LINE_END) ? comments.slice(1) : comments;
    return ended(own.replace(new RegExp(`${LINE_END}$`), "\n"), "");
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

  /** What stands between two parts: a comment behind the first one, in the same line, and the rest. */
  private gap(from: number, to: number): readonly [behind: string, rest: string] {
    const all = this.blanks.joined(from, to);
    const [behind = ""] = new RegExp(`^ #[^${LINE_END}]*`).exec(all) ?? [];
    return [behind, all.slice(behind === "" ? 0 : behind.length + 1).trim()];
  }

  /** Each stage on a line of its own; where the `|` is no part of the one before, it begins the line. */
  private pipeline(stages: readonly Stage[], indent: string): string {
    let result = "";
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (before !== undefined) {
        const [behind, bar] = this.gap(before.end, stage.start);
        result += `${behind}\n${indent}${bar === "" ? "" : spaced(bar)}`;
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
        const [behind, operator] = this.gap(before.end, operand.start);
        if (operator.startsWith(",") && behind === "")
          result += `${ended(operator, indent).trimEnd()}\n${indent}`;
        else result += `${behind}\n${indent}${operator === "" ? "" : spaced(operator)}`;
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
    const open = ended(`${this.flat(node.start, first.start)}\n`, inner);
    return `${open}${inner}${this.chain(parts, inner)}${this.closing(last.end, node.end, indent)}`;
  }

  /** What closes a bracket, on a line of its own; comments before it are indented as what it holds. */
  private closing(from: number, to: number, indent: string): string {
    const [behind, rest] = this.gap(from, to);
    const at = rest.lastIndexOf(LINE_END) + 1;
    const comments = at === 0 ? "" : ended(`\n${indent}${UNIT}${rest.slice(0, at - 1)}`, indent + UNIT);
    return `${behind}${comments}\n${indent}${rest.slice(at)}`;
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
    const open = ended(`${this.flat(nameEnd, first.start)}\n`, inner);
    // `reduce … as $x (…)` has a blank before its bracket, a call has none.
    const isCall = this.text[nameEnd] === "(" && !/\s/.test(this.text.charAt(nameEnd - 1));
    const head = this.flat(start, nameEnd) + (isCall ? "" : " ");
    const inside = parts.map((part, index) => {
      const next = parts[index + 1];
      return this.print(part, inner) + (next === undefined ? "" : this.flat(part.end, next.start));
    });
    return `${head}${open}${inner}${inside.join(`\n${inner}`)}${this.closing(last.end, end, indent)}`;
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

/** An operator before its operand, or before the end of the line that a comment makes. */
function spaced(operator: string): string {
  return operator.endsWith(LINE_END) ? operator : `${operator} `;
}

/** A text with its lines ended; none is ended twice. */
function ended(text: string, indent: string): string {
  return text
    .replace(new RegExp(`${LINE_END}[ ]*(?=\n)|(?<=\n *)${LINE_END}`, "g"), "")
    .replaceAll(LINE_END, `\n${indent}`);
}
