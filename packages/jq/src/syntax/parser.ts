import { diagnostic } from "../diagnostics.ts";
import { excerpt } from "../excerpt.ts";
import type { ParseOptions, ParseResult } from "../options.ts";
import type {
  Binding,
  Definition,
  Expression,
  IfBranch,
  Label,
  ModuleDirective,
  Name,
  Parameter,
  Program,
  Stage,
  Suffix,
  Term,
} from "../syntax-tree.ts";
import { chainHint, missingTermHint, parameterHint, strayHint } from "./hints.ts";
import { lex } from "./lexer.ts";
import { atKey, lineAt, parseObject } from "./objects.ts";
import { levelOfToken, OperatorStack } from "./operators.ts";
import { parsePatterns } from "./patterns.ts";
import { atString, parseFormat, parseHole, parseString } from "./strings.ts";
import { type Grammar, TokenStream } from "./token-stream.ts";

/**
 * Parses a jq 1.8 program with recovery: always gives a tree, with exact spans on every node, and one
 * diagnostic for each mistake. Never throws, whatever the text. Expansions are holes (decision D10).
 */
export function parse(text: string, options: ParseOptions = {}): ParseResult {
  return parseTokens(new TokenStream(text, lex(text, options.holes)));
}

/** `parse` behind the lexer. The stream has counted the parser's steps afterwards. */
export function parseTokens(stream: TokenStream): ParseResult {
  const program = new Parser(stream).program();
  const diagnostics = stream.diagnostics.sort((a, b) => a.start - b.start);
  return { program, diagnostics };
}

/** Tokens at which an expression ends, besides the binary operators. */
const followers: ReadonlySet<string> = new Set([..."|,)]};:", "as", "then", "elif", "else", "end", "catch"]);
const aFilter = ["a filter such as “.”"];

class Parser implements Grammar {
  readonly stream: TokenStream;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  program(): Program {
    const { stream } = this;
    const directives: ModuleDirective[] = [];
    while (["module", "import", "include"].some((word) => stream.isKeyword(word))) {
      directives.push(this.directive());
    }
    const parts = [this.query()];
    while (!stream.atEnd) {
      stream.unexpected(["an operator", "the end of the program"]);
      stream.take();
      while (this.atFollower() && !stream.atEnd) stream.take();
      if (!stream.atEnd) parts.push(this.query());
    }
    const first = parts[0]!;
    const body: Expression =
      parts.length === 1
        ? first
        : { kind: "Pipeline", stages: parts, start: first.start, end: parts.at(-1)!.end };
    return { kind: "Program", directives, body, start: 0, end: stream.text.length };
  }

  private directive(): ModuleDirective {
    const { stream } = this;
    const keyword = stream.take();
    const directive = keyword.text as ModuleDirective["directive"];
    stream.diagnostics.push(diagnostic("module-directive", keyword, { directive }));
    let result: Omit<ModuleDirective, "end"> = { kind: "ModuleDirective", directive, start: keyword.start };
    if (directive !== "module") {
      if (atString(this)) result = { ...result, path: parseString(this) };
      else stream.unexpected(["a string"]);
    }
    if (directive === "import" && stream.expect("as")) {
      const { kind, text, start, end } = stream.current;
      if (kind === "identifier" || kind === "variable") {
        stream.take();
        const alias: Name = { kind: "Name", text: kind === "variable" ? `$${text}` : text, start, end };
        result = { ...result, alias };
      } else stream.unexpected(["a name"]);
    }
    if (!stream.isOperator(";")) result = { ...result, metadata: this.query() };
    stream.expect(";");
    return { ...result, end: stream.end };
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
        stages.push(this.definition());
        continue;
      }
      if (stream.isKeyword("label")) {
        stages.push(this.label());
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

  private label(): Label {
    const { stream } = this;
    const { start } = stream.take();
    const name = this.labelName("a label such as “$out”");
    const { end } = stream;
    stream.expect("|");
    return { kind: "Label", name, start, end };
  }

  private labelName(expected: string): Name {
    const { stream } = this;
    const { kind, text, start, end } = stream.current;
    if (kind === "variable") {
      stream.take();
      return { kind: "Name", text, start, end };
    }
    const hint = kind === "identifier" ? `Write $${excerpt(text)}: labels begin with $.` : undefined;
    stream.unexpected([expected], hint);
    if (kind === "identifier") stream.take();
    return { kind: "Name", text: "", start, end: start };
  }

  private definition(): Definition {
    const { stream } = this;
    const { start } = stream.take();
    const name = this.definitionName();
    const parameters: Parameter[] = [];
    if (stream.isOperator("(")) {
      const opener = stream.take();
      do {
        const { kind, text, start, end } = stream.current;
        if (kind !== "identifier" && kind !== "variable") {
          stream.unexpected(["a parameter"], parameterHint(stream));
          break;
        }
        stream.take();
        parameters.push({ kind: "Parameter", name: text, byValue: kind === "variable", start, end });
      } while (stream.takeOperator(";"));
      stream.close(opener, ")", ["“;”", "“)”"]);
    }
    stream.expect(":");
    const body = this.query();
    stream.expect(";");
    return { kind: "Definition", name, parameters, body, start, end: stream.end };
  }

  private definitionName(): Name {
    const { stream } = this;
    const { kind, text, start, end } = stream.current;
    if (kind === "identifier") {
      stream.take();
      return { kind: "Name", text, start, end };
    }
    const hint =
      kind === "keyword" ? `“${text}” is a word of the language and can't be redefined.` : undefined;
    stream.unexpected(["a function's name"], hint);
    if (kind === "keyword" || kind === "variable") stream.take();
    return { kind: "Name", text: "", start, end: start };
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
      } else if (this.atFollower()) {
        return stack.finish();
      } else {
        this.skipStray();
      }
    }
  }

  private atFollower(): boolean {
    if (atKey(this.stream)) return true;
    const { kind, text } = this.stream.current;
    if (kind === "operator" || kind === "keyword") return followers.has(text);
    return kind === "end" || kind === "interpolation-end" || kind === "string-end" || kind === "string-text";
  }

  /** Something stands after an operand that can't: reports it and skips to where the expression goes on. */
  private skipStray(): void {
    const { stream } = this;
    const token = stream.current;
    if (token.kind === "operator" && token.text === "?//") {
      stream.unexpected(
        ["an operator"],
        "“?//” separates the patterns after “as”; for “?” followed by “//” write a blank between them.",
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
    while (!this.atFollower() && levelOfToken(stream.current) === undefined);
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
    return this.postfix();
  }

  private postfix(): Expression {
    const { stream } = this;
    const { start } = stream.current;
    const suffixes: Suffix[] = [];
    const head = this.head(suffixes);
    while (this.suffix(suffixes));
    if (suffixes.length === 0) return head;
    return { kind: "Postfix", head, suffixes, start, end: stream.end };
  }

  /** The head of a postfix expression; for `.name` also its first suffix. */
  private head(suffixes: Suffix[]): Term {
    const { stream } = this;
    const token = stream.current;
    const { start, end } = token;
    if (token.kind === "field") {
      this.suffix(suffixes);
      return { kind: "Identity", start, end: start };
    }
    if (token.kind === "operator" && token.text === ".") {
      const { next } = stream;
      const named =
        next.kind === "string-start" ||
        next.kind === "format" ||
        (next.kind === "hole" && next.start === token.end);
      if (named && this.suffix(suffixes)) return { kind: "Identity", start, end: start };
      stream.take();
      return { kind: "Identity", start, end };
    }
    return this.term();
  }

  private suffix(suffixes: Suffix[]): boolean {
    const { stream } = this;
    const token = stream.current;
    const { start, end } = token;
    if (token.kind === "field") {
      stream.take();
      const key: Name = { kind: "Name", text: token.text, start: start + 1, end };
      suffixes.push({ kind: "Field", key, start, end });
      return true;
    }
    if (token.kind !== "operator") return false;
    switch (token.text) {
      case "?":
        stream.take();
        suffixes.push({ kind: "Optional", start, end });
        return true;
      case "[":
        suffixes.push(this.bracketSuffix(start));
        return true;
      case ".":
        stream.take();
        if (stream.current.kind === "hole" && stream.current.start === end) {
          suffixes.push({ kind: "Field", key: parseHole(this), start, end: stream.end });
          return true;
        }
        if (atString(this)) {
          suffixes.push({ kind: "Field", key: parseString(this), start, end: stream.end });
          return true;
        }
        if (stream.isOperator("[")) {
          suffixes.push(this.bracketSuffix(start));
          return true;
        }
        this.unexpectedMember();
        return true;
      default:
        return false;
    }
  }

  private unexpectedMember(): void {
    const { stream } = this;
    const { kind, text } = stream.current;
    const spaced = kind === "identifier" || kind === "keyword";
    stream.unexpected(
      ["a member's name", "a string", "“[”"],
      spaced ? `A member is written without a blank after the dot: .${excerpt(text)}` : undefined,
    );
    if (spaced) stream.take();
  }

  /** `[]`, `[index]` or `[from:to]`; `start` is that of the bracket or of a dot before it. */
  private bracketSuffix(start: number): Suffix {
    const { stream } = this;
    const opener = stream.take();
    if (stream.takeOperator("]")) return { kind: "Iterate", start, end: stream.end };
    if (stream.takeOperator(":")) {
      const to = this.query();
      stream.close(opener, "]");
      return { kind: "Slice", to, start, end: stream.end };
    }
    const index = this.query();
    if (!stream.takeOperator(":")) {
      stream.close(opener, "]");
      return { kind: "Index", index, start, end: stream.end };
    }
    if (stream.takeOperator("]")) return { kind: "Slice", from: index, start, end: stream.end };
    const to = this.query();
    stream.close(opener, "]");
    return { kind: "Slice", from: index, to, start, end: stream.end };
  }

  private term(): Term {
    const { stream } = this;
    const token = stream.current;
    const { start, end } = token;
    if (atString(this)) return parseString(this);
    switch (token.kind) {
      case "number":
        stream.take();
        return { kind: "Number", value: Number(token.text), text: token.text, start, end };
      case "format":
        return parseFormat(this);
      case "variable":
        stream.take();
        return token.text === "__loc__"
          ? { kind: "SourceLocation", line: lineAt(stream.text, start), start, end }
          : { kind: "Variable", name: token.text, start, end };
      case "identifier":
        return this.call();
      case "hole":
        return parseHole(this);
      case "keyword":
        return this.keywordTerm();
      case "operator":
        return this.bracketTerm();
      default:
        return this.noTerm();
    }
  }

  private bracketTerm(): Term {
    const { stream } = this;
    const { text, start, end } = stream.current;
    switch (text) {
      case "..":
        stream.take();
        return { kind: "RecurseDefault", start, end };
      case "(": {
        const opener = stream.take();
        const body = this.query();
        stream.close(opener, ")");
        return { kind: "Group", body, start, end: stream.end };
      }
      case "[": {
        const opener = stream.take();
        if (stream.takeOperator("]")) return { kind: "Array", start, end: stream.end };
        const body = this.query();
        stream.close(opener, "]");
        return { kind: "Array", body, start, end: stream.end };
      }
      case "{":
        return stream.nested<Term>(
          () => parseObject(this),
          () => stream.missing(),
        );
      default:
        return this.noTerm();
    }
  }

  private keywordTerm(): Term {
    const { stream } = this;
    switch (stream.current.text) {
      case "if":
        return this.conditional();
      case "reduce":
      case "foreach":
        return stream.nested<Term>(
          () => this.fold(),
          () => stream.missing(),
        );
      case "break": {
        const { start } = stream.take();
        const label = this.labelName("the label to break to, such as “$out”");
        return { kind: "Break", label, start, end: stream.end };
      }
      default:
        return this.noTerm();
    }
  }

  /** No term begins here. An operator or closer is left for whoever expects it. */
  private noTerm(): Term {
    const { stream } = this;
    const token = stream.current;
    stream.unexpected(aFilter, missingTermHint(token.kind, token.text, stream.previous?.text));
    const result = stream.missing();
    if (token.kind === "keyword" && (token.text === "def" || token.text === "label")) {
      this.skipNestedDefinition();
    } else if (token.kind === "invalid") {
      // What a stray sign stands before is still parsed: `!x` without the sign.
      while (stream.current.kind === "invalid") stream.take();
      const suffix = stream.current.kind === "field" || stream.isOperator(".");
      if (!suffix && !this.atFollower() && levelOfToken(stream.current) === undefined) return this.term();
    } else if (!this.atFollower() && levelOfToken(token) === undefined) {
      stream.take();
    }
    return result;
  }

  /** A definition or label where only parentheses would allow it. */
  private skipNestedDefinition(): void {
    if (this.stream.isKeyword("def")) this.definition();
    else this.label();
    this.stream.nested(
      () => this.expression(),
      () => this.stream.missing(),
    );
  }

  private call(): Term {
    const { stream } = this;
    const { text, start, end } = stream.take();
    const name: Name = { kind: "Name", text, start, end };
    if (!stream.isOperator("(")) return { kind: "Call", name, arguments: [], start, end };
    const opener = stream.take();
    const args: Expression[] = [];
    if (stream.isOperator(")")) {
      stream.unexpected(
        ["an argument"],
        `Without arguments, a function is called by its name alone: ${excerpt(text)}`,
      );
    } else {
      do args.push(this.query());
      while (stream.takeOperator(";"));
    }
    stream.close(opener, ")", ["an operator", "“;”", "“)”"]);
    return { kind: "Call", name, arguments: args, start, end: stream.end };
  }

  private conditional(): Term {
    const { stream } = this;
    const opener = stream.take();
    const branches: IfBranch[] = [];
    let { start } = opener;
    do {
      const condition = this.query();
      stream.expect("then");
      const body = this.query();
      branches.push({ kind: "Branch", condition, body, start, end: stream.end });
      ({ start } = stream.current);
    } while (stream.takeKeyword("elif"));
    const otherwise = stream.takeKeyword("else") ? this.query() : undefined;
    stream.close(
      opener,
      "end",
      otherwise === undefined ? ["an operator", "“elif”", "“else”", "“end”"] : ["an operator", "“end”"],
    );
    const node = { kind: "If", branches, start: opener.start, end: stream.end } as const;
    return otherwise === undefined ? node : { ...node, otherwise };
  }

  private fold(): Term {
    const { stream } = this;
    const keyword = stream.take();
    const { start } = keyword;
    const source = this.expression();
    const bound = stream.expect("as");
    const patterns = bound ? parsePatterns(this) : [];
    const opener = stream.current;
    if (!stream.expect("(")) {
      const nothing = stream.missing();
      const kind = keyword.text === "reduce" ? "Reduce" : "Foreach";
      return { kind, source, patterns, initial: nothing, update: nothing, start, end: stream.end };
    }
    const initial = this.query();
    const update = stream.expect(";") ? this.query() : stream.missing();
    if (keyword.text === "reduce") {
      stream.close(opener, ")");
      return { kind: "Reduce", source, patterns, initial, update, start, end: stream.end };
    }
    const extract = stream.takeOperator(";") ? this.query() : undefined;
    stream.close(opener, ")", ["an operator", ...(extract === undefined ? ["“;”"] : []), "“)”"]);
    const node = { kind: "Foreach", source, patterns, initial, update, start, end: stream.end } as const;
    return extract === undefined ? node : { ...node, extract };
  }
}
