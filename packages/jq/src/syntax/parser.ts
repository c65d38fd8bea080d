import type { ParseOptions, ParseResult } from "../options.ts";
import type { Binding, Expression, ModuleDirective, Program, Stage } from "../syntax-tree.ts";
import { parseDefinition } from "./definitions.ts";
import { parseDirective } from "./directives.ts";
import { atFollower } from "./followers.ts";
import { chainHint, strayHint } from "./hints.ts";
import { parseLabel } from "./labels.ts";
import { lex } from "./lexer.ts";
import { levelOfToken, OperatorStack } from "./operators.ts";
import { parsePatterns } from "./patterns.ts";
import { parsePostfix } from "./postfix.ts";
import { type Grammar, TokenStream } from "./token-stream.ts";

/**
 * Parses a jq 1.8 program with recovery: always gives a tree, with exact spans on every node, and one
 * diagnostic for each mistake. Never throws, whatever the text. Expansions are holes (decision D10).
 */
export function parse(text: string, options: ParseOptions = {}): ParseResult {
  return parseTokens(new TokenStream(text, lex(text, options.holes)));
}

/** Parses a module: directives and definitions. The tree's body is those and `.`. */
export function parseModule(text: string): ParseResult {
  const stream = new TokenStream(text, lex(text));
  const program = new Parser(stream).module();
  return { program, diagnostics: stream.diagnostics.sort((a, b) => a.start - b.start) };
}

/** `parse` behind the lexer. The stream has counted the parser's steps afterwards. */
export function parseTokens(stream: TokenStream): ParseResult {
  const program = new Parser(stream).program();
  const diagnostics = stream.diagnostics.sort((a, b) => a.start - b.start);
  return { program, diagnostics };
}

/** The grammar from programs down to operands; what operands are made of has files of its own. */
class Parser implements Grammar {
  readonly stream: TokenStream;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  private directives(): readonly ModuleDirective[] {
    const directives: ModuleDirective[] = [];
    while (["module", "import", "include"].some((word) => this.stream.isKeyword(word))) {
      directives.push(parseDirective(this));
    }
    return directives;
  }

  module(): Program {
    const { stream } = this;
    const directives = this.directives();
    const stages: Stage[] = [];
    while (stream.isKeyword("def")) stages.push(parseDefinition(this));
    if (!stream.atEnd) stream.unexpected(["def", "the end of the module"]);
    const end = stream.text.length;
    stages.push({ kind: "Identity", start: end, end });
    return {
      kind: "Program",
      directives,
      body: { kind: "Pipeline", stages, start: 0, end },
      start: 0,
      end,
    };
  }

  program(): Program {
    const { stream } = this;
    const directives = this.directives();
    const parts = [this.query()];
    while (!stream.atEnd) {
      stream.unexpected(["an operator", "the end of the program"]);
      stream.take();
      while (atFollower(stream) && !stream.atEnd) stream.take();
      if (!stream.atEnd) parts.push(this.query());
    }
    const first = parts[0]!;
    const body: Expression =
      parts.length === 1
        ? first
        : { kind: "Pipeline", stages: parts, start: first.start, end: parts.at(-1)!.end };
    return { kind: "Program", directives, body, start: 0, end: stream.text.length };
  }

  query(firstStage?: Binding): Expression {
    return this.stream.nested<Expression>(
      () => this.pipeline(firstStage),
      () => this.stream.missing(),
    );
  }

  private pipeline(firstStage: Binding | undefined): Expression {
    const { stream } = this;
    const stages: Stage[] = firstStage === undefined ? [] : [firstStage];
    for (;;) {
      if (stream.isKeyword("def")) {
        stages.push(parseDefinition(this));
        continue;
      }
      if (stream.isKeyword("label")) {
        stages.push(parseLabel(this));
        continue;
      }
      const item = this.expression();
      if (stream.isKeyword("as")) {
        stages.push(this.binding(item));
        continue;
      }
      stages.push(stream.isOperator(",") ? this.comma(item) : item);
      if (!stream.takeOperator("|")) break;
    }
    const first = stages[0]!;
    const last = stages.at(-1)!;
    return stages.length === 1
      ? (last as Expression)
      : { kind: "Pipeline", stages, start: first.start, end: Math.max(last.end, first.end) };
  }

  /** The items after the first; one that defines or binds something takes all that follows. */
  private comma(first: Expression): Expression {
    const { stream } = this;
    const items = [first];
    while (stream.takeOperator(",")) {
      if (stream.isKeyword("def") || stream.isKeyword("label")) {
        items.push(this.query());
        break;
      }
      const item = this.expression();
      if (stream.isKeyword("as")) {
        items.push(this.query(this.binding(item)));
        break;
      }
      items.push(item);
    }
    return { kind: "Comma", items, start: first.start, end: items.at(-1)!.end };
  }

  private binding(source: Expression): Binding {
    const { stream } = this;
    stream.take();
    const patterns = parsePatterns(this);
    const { end } = stream;
    stream.expect("|");
    return { kind: "Binding", source, patterns, start: source.start, end };
  }

  /** An expression: operands joined by the operators of `OperatorStack`. */
  expression(): Expression {
    const { stream } = this;
    const stack = new OperatorStack(this.operand());
    for (;;) {
      const token = stream.current;
      const level = levelOfToken(token);
      if (level !== undefined) {
        if (stack.conflicts(level)) {
          stream.unexpected([], chainHint(token.text, stream.previous?.text));
        }
        stream.take();
        stack.push(token, level, () => this.operand());
      } else if (atFollower(stream)) {
        return stack.finish();
      } else {
        this.skipStray();
      }
    }
  }

  /** Something stands after an operand that can't: reports it and skips to where the expression goes on. */
  private skipStray(): void {
    const { stream } = this;
    const token = stream.current;
    if (token.kind === "operator" && token.text === "?//") {
      stream.unexpected(
        ["an operator"],
        "“?//” separates the patterns after “as”; for “?” followed by “//”, write a space between them.",
        {
          fixes: [
            {
              title: "Separate “?” and “//”",
              safe: true,
              edits: [{ start: token.start + 1, end: token.start + 1, newText: " " }],
            },
          ],
        },
      );
      // Parsed as what was certainly meant.
      stream.take();
      this.operand();
      return;
    }
    stream.unexpected(["an operator such as “|”"], strayHint(token.kind, token.text, stream.previous?.text));
    do stream.skipOne();
    while (!atFollower(stream) && levelOfToken(stream.current) === undefined);
  }

  private operand(): Expression {
    const { stream } = this;
    if (stream.isOperator("-")) {
      return stream.nested<Expression>(
        () => {
          const { start } = stream.take();
          const operand = this.operand();
          return { kind: "Negation", operand, start, end: operand.end };
        },
        () => stream.missing(),
      );
    }
    if (stream.isKeyword("try")) {
      return stream.nested<Expression>(
        () => {
          const { start } = stream.take();
          const body = this.operand();
          if (!stream.takeKeyword("catch")) return { kind: "Try", body, start, end: body.end };
          const handler = this.operand();
          return { kind: "Try", body, handler, start, end: handler.end };
        },
        () => stream.missing(),
      );
    }
    return parsePostfix(this);
  }
}
