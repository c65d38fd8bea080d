import { acceptedBy, bracketOf } from "./recovery/accepted.ts";
import type { Expectation } from "./recovery/expectation.ts";
import { behindLine, Layout, type Line, type OpenLine } from "./recovery/layout.ts";
import { arrayAroundLast, copyOf, lastValue, objectInPlaceOf } from "./recovery/openers.ts";
import { LineRepair } from "./recovery/repair-line.ts";
import { ReplayingScanner } from "./recovery/replaying-scanner.ts";
import { ScanError, Scanner, Token } from "./scanner.ts";
import { misleading, type SyntaxProblem, type SyntaxProblemKind } from "./syntax-problem.ts";
import {
  ArrayNode,
  BooleanNode,
  type JsonNode,
  MemberNode,
  NullNode,
  NumberNode,
  ObjectNode,
  type Span,
  StringNode,
} from "./syntax-tree.ts";

/** Deeper levels are skipped with one finding, so that no later pass needs to fear for its stack. */
export const MAX_NESTING = 512;

export interface Tree {
  readonly root: JsonNode | undefined;
  readonly problems: readonly SyntaxProblem[];
}

/**
 * Builds a syntax tree of any text (D2): what is broken is reported once and skipped, everything else stands in the tree.
 *
 * Iterative: the depth of the document never becomes depth of the stack.
 *
 * @param text the document; a byte order mark is accepted
 * @param jsonc whether comments and trailing commas are part of the format (`.jsonc`, D1)
 * @param around how many containers there are around the text, which count for the nesting
 */
export function buildTree(text: string, jsonc: boolean, around = 0): Tree {
  const plain = new TreeBuilder(text, jsonc, "plain", around).build();
  if (!plain.problems.some(({ kind }) => misleading.has(kind))) return plain;
  // A quote or bracket changes the meaning of what follows: the reading with the fewest mistakes is the likeliest.
  let best = plain;
  for (const care of ["lines", "layout"] as const) {
    const tree = new TreeBuilder(text, jsonc, care, around).build();
    if (tree.problems.length <= best.problems.length) best = tree;
  }
  for (const care of ["closers", "openers"] as const) {
    if (best.problems.length === 1) break;
    const tree = new TreeBuilder(text, jsonc, care, around).build();
    if (tree.problems.length < best.problems.length) best = tree;
  }
  return best;
}

/**
 * With an eye on the lines, each of which may have a slip with a quote, and on their indentation as well; on closing brackets of
 * the wrong kind; or on opening ones that are missing.
 */
type Care = "plain" | "lines" | "layout" | "closers" | "openers";

class TreeBuilder {
  private readonly problems: SyntaxProblem[] = [];
  private readonly containers: (ObjectNode | ArrayNode)[] = [];
  private container: ObjectNode | ArrayNode | undefined = undefined;
  private member: MemberNode | undefined = undefined;
  private expect: Expectation = "value";
  private root: JsonNode | undefined = undefined;
  /** End of the last token, where a missing comma or value is. */
  private lastEnd = 0;
  private lastComma: Span | undefined = undefined;
  /** Offset up to which nothing more is reported: one mistake, one finding. */
  private quietUntil = -1;
  private reportedNesting = false;
  private readonly scanner;
  private readonly text: string;
  private readonly jsonc: boolean;
  /** Of a careful reading: the lines, their repairs, and the line of each open container. */
  private readonly care: Care;
  private readonly layout: Layout | undefined;
  private readonly repairs: LineRepair | undefined;
  private readonly openLines: OpenLine[] = [];
  private line: Line | undefined = undefined;

  private readonly around: number;

  constructor(text: string, jsonc: boolean, care: Care, around: number) {
    this.around = around;
    this.text = text;
    this.jsonc = jsonc;
    this.care = care;
    const careful = care === "lines" || care === "layout";
    // Without a slash outside a URL there is no comment to see.
    const comments = !jsonc && /\/\*|(?:^|[^:])\/\//.test(text);
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    this.scanner = careful ? new ReplayingScanner(text, start, comments) : new Scanner(text, start, comments);
    this.layout = careful ? new Layout(text) : undefined;
    this.repairs = careful ? new LineRepair(text, jsonc) : undefined;
  }

  build(): Tree {
    const { scanner } = this;
    for (;;) {
      const token = scanner.scan();
      if (token === Token.End) break;
      if (token === Token.LineComment || token === Token.BlockComment) {
        this.comment();
        continue;
      }
      if (this.layout !== undefined && this.beginLine(this.layout)) continue;
      this.token(token);
      this.lastEnd = scanner.end;
    }
    this.finish();
    return { root: this.root, problems: this.problems };
  }

  /** In a careful reading, at each token: true if the line was repaired, so that its tokens are to be read anew. */
  private beginLine(layout: Layout): boolean {
    const { offset } = this.scanner;
    const line = layout.at(offset);
    if (line.start === this.line?.start) return false;
    const first = this.line === undefined;
    this.line = line;
    if (line.first !== offset || first) return false;
    if (this.care === "layout") this.closeByLayout(line);
    const repaired = this.repairs!.repair(
      offset,
      this.containers.map(({ kind }) => kind),
      this.expect,
    );
    if (repaired === undefined) return false;
    this.problems.push(repaired.problem);
    (this.scanner as ReplayingScanner).replay(repaired);
    return true;
  }

  /** Closes the containers that this line, by its indentation, stands outside of. */
  private closeByLayout({ first, indentation }: Line): void {
    const closes = this.text[first] === "}" || this.text[first] === "]";
    for (;;) {
      const open = this.openLines[this.openLines.length - 1];
      if (open === undefined || this.openLines.length === 1 || open.flat) return;
      if (!open.entered) {
        open.entered = true;
        // Nothing stands in it yet: without indentation inside, its layout tells nothing.
        if (indentation <= open.line.indentation && !closes && this.isEmpty()) {
          open.flat = true;
          return;
        }
      }
      if (closes ? indentation >= open.line.indentation : indentation > open.line.indentation) return;
      if (closes && !this.openLines.some(({ line }) => line.indentation === indentation)) return;
      const separated = this.lastComma !== undefined;
      if (this.expect === "colon" || this.expect === "value") this.missingValue();
      this.unclosed(this.container!);
      this.pop(this.lastEnd);
      // The comma after the last member, or the one that was lost with the bracket, stands for the one that follows it.
      if (!closes && (separated || this.text[first] !== ",")) {
        this.expect = this.container!.kind === "object" ? "name" : "value";
      }
    }
  }

  private isEmpty(): boolean {
    return this.expect === "name-or-end" || (this.expect === "value-or-end" && this.lastComma === undefined);
  }

  /** In a careful reading: whether what follows shows that the container isn't at its end. */
  private isStrayCloser(container: ObjectNode | ArrayNode): boolean {
    const { layout } = this;
    if (layout === undefined || this.care !== "layout") return false;
    const open = this.openLines[this.containers.indexOf(container)]!;
    if (open.flat || open.line.start === layout.at(this.scanner.offset).start) return false;
    const next = layout.next(this.scanner.end);
    if (next === undefined) return false;
    return next.indentation > open.line.indentation;
  }

  private token(token: number): void {
    switch (token) {
      case Token.OpenBrace:
      case Token.OpenBracket:
        this.open(token);
        break;
      case Token.CloseBrace:
      case Token.CloseBracket:
        this.close(token);
        break;
      case Token.Comma:
        this.comma();
        break;
      case Token.Colon:
        this.colon();
        break;
      case Token.String:
        this.string();
        break;
      default:
        this.scalar(token);
    }
  }

  private open(token: number): void {
    if (this.expect === "name") this.openedArray();
    if (!this.beforeValue()) return this.skipContainer();
    if (this.containers.length + this.around >= MAX_NESTING) {
      if (!this.reportedNesting) this.report("nesting", this.here(), `${MAX_NESTING}`);
      this.reportedNesting = true;
      this.skipContainer();
      this.afterValue();
      return;
    }
    const start = this.scanner.offset;
    const node =
      token === Token.OpenBrace ? new ObjectNode(start, this.parent()) : new ArrayNode(start, this.parent());
    this.attach(node);
    this.enter(node, token === Token.OpenBrace ? "name-or-end" : "value-or-end");
  }

  private enter(node: ObjectNode | ArrayNode, expect: Expectation): void {
    this.containers.push(node);
    if (this.layout !== undefined)
      this.openLines.push({ line: this.layout.at(node.start), entered: false, flat: false });
    this.container = node;
    this.member = undefined;
    this.expect = expect;
    this.lastComma = undefined;
  }

  /** `"a": "b": 1`: what was taken for a value is the first name of an object whose brace is missing. */
  private openedObject(): boolean {
    const name = lastValue(this.container);
    if (this.care !== "openers" || this.expect !== "comma-or-end" || this.isFull()) return false;
    if (name?.kind !== "string" || name.end !== this.lastEnd) return false;
    // A name behind other items is rather one of an object further out that was closed too early.
    if (this.container?.kind === "array" && this.container.items.length > 1) return false;
    this.missingOpener(name, "{");
    this.enter(objectInPlaceOf(name), "name");
    this.name(copyOf(name), name.start, name.end);
    this.expect = "value";
    return true;
  }

  /** `"a": {…}, {` or `"a": "b", "c"]`: what was taken for the value is the first item of a list whose bracket is missing. */
  private openedArray(): boolean {
    const { container, expect } = this;
    if (this.care !== "openers" || container?.kind !== "object" || this.isFull()) return false;
    const array = arrayAroundLast(container, expect === "colon");
    if (array === undefined) return false;
    this.missingOpener(array.items[0]!, "[");
    this.enter(array, expect === "name" ? "value" : "comma-or-end");
    return true;
  }

  /** Whether a `]` may close a list that was never opened: of texts, or of one object. */
  private mayEndList(): boolean {
    if (this.expect === "colon") return true;
    return this.expect === "comma-or-end" && lastValue(this.container)?.kind === "object";
  }

  private isFull(): boolean {
    return this.containers.length + this.around >= MAX_NESTING;
  }

  private missingOpener(first: JsonNode, bracket: string): void {
    const owner = first.parent?.kind === "array" ? first.parent.parent : first.parent;
    const { start, end } = owner?.kind === "member" ? owner.key : first;
    const place = { start: first.start, end: first.start };
    this.report("missing-opener", { start, end }, bracket, undefined, place);
  }

  private close(token: number): void {
    const closes = token === Token.CloseBrace ? "object" : "array";
    if (this.container === undefined) return this.unexpected(this.accepted());
    if (closes === "array" && this.mayEndList()) this.openedArray();
    if (this.care === "closers" && this.container.kind !== closes) {
      this.unexpected(bracketOf(this.container, "close"));
      this.beforeClose();
      return this.pop(this.scanner.offset + 1);
    }
    const closed = this.containers.findLast(({ kind }) => kind === closes);
    if (closed !== undefined && this.isStrayCloser(closed)) return this.unexpected("no bracket");
    if (this.container.kind !== closes) {
      // `[ … }`: if a container of that kind is open further out, the inner ones were left open; else the token is stray.
      if (!this.containers.some((open) => open.kind === closes))
        return this.unexpected(bracketOf(this.container, "close"));
      while (this.container !== undefined && this.container.kind !== closes) {
        this.unclosed(this.container);
        this.pop(this.lastEnd);
      }
    } else {
      this.beforeClose();
    }
    this.pop(this.scanner.offset + 1);
  }

  /** Reports what is missing or too much right before a closing bracket. */
  private beforeClose(): void {
    if (this.expect === "colon" || this.expect === "value") this.missingValue();
    else if (
      this.lastComma !== undefined &&
      (this.expect === "name" || (this.expect === "value-or-end" && this.container!.kind === "array"))
    ) {
      if (!this.jsonc) this.report("trailing-comma", this.lastComma, ",");
    }
  }

  private pop(end: number): void {
    this.container!.closeAt(end);
    this.containers.pop();
    this.openLines.pop();
    this.container = this.containers[this.containers.length - 1];
    this.lastComma = undefined;
    this.afterValue();
  }

  private colon(): void {
    if (this.expect === "colon") this.expect = "value";
    else if (!this.openedObject() && !this.memberOfOuter() && !this.nextMember())
      this.unexpected(this.accepted());
  }

  /** `"a":` and `"b": 1` on the next line: what was taken for the value of `a` is the next name, and `a` has none. */
  private nextMember(): boolean {
    const { container } = this;
    if (container?.kind !== "object" || this.expect !== "comma-or-end") return false;
    const last = container.members[container.members.length - 1];
    const key = last?.value;
    if (last === undefined || key?.kind !== "string" || key.end !== this.lastEnd) return false;
    if (!this.text.slice(last.key.end, key.start).includes("\n")) return false;
    last.value = undefined;
    this.report("missing-value", { start: last.key.start, end: last.key.end }, last.name);
    this.name(copyOf(key), key.start, key.end);
    this.expect = "value";
    return true;
  }

  /** `["a", "name": …`: a name in an array belongs to the object around it, so the array was left open. */
  private memberOfOuter(): boolean {
    const { container } = this;
    if (this.layout === undefined || container?.kind !== "array" || container.parent?.kind !== "member")
      return false;
    const key = container.items[container.items.length - 1];
    if (this.expect !== "comma-or-end" || key?.kind !== "string" || key.end !== this.lastEnd) return false;
    container.items.pop();
    this.unclosed(container);
    this.pop(container.items[container.items.length - 1]?.end ?? container.start + 1);
    this.name(copyOf(key), key.start, key.end);
    this.expect = "value";
    return true;
  }

  private comma(): void {
    const here = this.here();
    if (this.layout !== undefined && this.containers.length > 1 && this.isEmpty()) {
      // `{,`: it was closed once.
      this.unclosed(this.container!);
      this.pop(this.container!.start + 1);
    }
    switch (this.expect) {
      case "comma-or-end":
        this.lastComma = here;
        this.expect = this.container!.kind === "object" ? "name" : "value-or-end";
        return;
      case "colon":
      case "value":
        if (this.container === undefined) return this.unexpected(this.accepted());
        if (this.expect === "colon" && this.openedArray()) return this.comma();
        this.missingValue();
        this.lastComma = here;
        this.expect = this.container.kind === "object" ? "name" : "value-or-end";
        this.member = undefined;
        return;
      default:
        this.unexpected(this.accepted());
    }
  }

  private string(): void {
    const { scanner, text } = this;
    const { offset: start, end, value, error, quotes } = scanner;
    const valid = error === ScanError.None;
    // Without an escape the source is the value and two quotes.
    const escaped = end - start !== value.length + quotes;
    const { expect } = this;
    const isName =
      this.container?.kind === "object" &&
      (expect === "name" || expect === "name-or-end" || expect === "comma-or-end");
    if (isName) {
      if (expect === "comma-or-end") this.missingComma();
      this.name(new StringNode(start, end, value, escaped, valid, undefined), start, end);
    } else {
      if (!this.beforeValue()) return;
      this.attach(new StringNode(start, end, value, escaped, valid, this.parent()));
      this.afterValue();
    }
    if (!valid) {
      const kind = error === ScanError.UnexpectedEndOfString ? "unclosed-string" : "invalid-string";
      this.report(kind, { start, end }, text.slice(start, Math.min(end, start + 80)));
      // An unclosed string swallowed the rest of its line: what it hid isn't a second mistake.
      if (kind === "unclosed-string") this.quietUntil = behindLine(text, end);
    }
  }

  private name(key: StringNode, start: number, end: number): void {
    const object = this.container as ObjectNode;
    const first = object.member(key.value);
    const member = new MemberNode(key, object, first !== undefined);
    object.add(member);
    this.member = member;
    this.expect = "colon";
    this.lastComma = undefined;
    if (first !== undefined) {
      this.report("duplicate-member", { start, end }, key.value, undefined, {
        start: first.key.start,
        end: first.key.end,
      });
    }
  }

  private scalar(token: number): void {
    const { scanner } = this;
    const { offset: start, end } = scanner;
    const inObject = this.container?.kind === "object";
    if (this.expect === "colon" && this.text[start] === "=") return this.equalsSign(start);
    const nameExpected =
      inObject && (this.expect === "name" || this.expect === "name-or-end" || this.expect === "comma-or-end");
    if (nameExpected) return this.unquotedName(start, end);
    if (!this.beforeValue()) return;
    switch (token) {
      case Token.Null:
        this.attach(new NullNode(start, end, this.parent()));
        break;
      case Token.True:
      case Token.False:
        this.attach(new BooleanNode(start, end, token === Token.True, this.parent()));
        break;
      case Token.Number:
        if (scanner.error !== ScanError.None) this.report("invalid-number", { start, end }, scanner.value);
        this.attach(new NumberNode(start, end, Number(this.text.slice(start, end)) || 0, this.parent()));
        break;
      default:
        this.report(
          "unexpected-token",
          { start, end },
          this.text.slice(start, Math.min(end, start + 80)),
          this.accepted(),
        );
    }
    this.afterValue();
  }

  /** `"name" = 1`: read as the colon that it should be. */
  private equalsSign(start: number): void {
    const end = start + (this.text[start + 1] === ">" ? 2 : 1);
    this.report("unexpected-token", { start, end }, this.text.slice(start, end), this.accepted());
    this.scanner.end = end;
    this.expect = "value";
  }

  /** `name: 1` or `'name': 1`: taken as a name if a colon follows, else skipped. */
  private unquotedName(start: number, end: number): void {
    const source = this.text.slice(start, end);
    // The scanner ends an unknown token only at punctuation or a blank, so the colon is the next character but blanks.
    if (!/^\s*:/.test(this.text.slice(end, end + 32))) {
      this.report("unexpected-token", { start, end }, source.slice(0, 80), this.accepted());
      return;
    }
    if (this.expect === "comma-or-end") this.missingComma();
    const name = source.replace(/^'|'$/g, "");
    this.report("unquoted-name", { start, end }, source.slice(0, 80), JSON.stringify(name));
    this.name(new StringNode(start, end, name, true, false, undefined), start, end);
  }

  /** Makes room for a value: reports a missing comma or colon. False if no value can stand here. */
  private beforeValue(): boolean {
    switch (this.expect) {
      case "value":
      case "value-or-end":
        return true;
      case "comma-or-end":
        if (this.container!.kind === "array") {
          this.missingComma();
          return true;
        }
        this.unexpected(this.accepted());
        return false;
      case "colon":
        this.report("missing-colon", { start: this.member!.key.start, end: this.lastEnd }, this.member!.name);
        return true;
      case "nothing":
        this.report(
          "content-after-end",
          this.here(),
          this.text.slice(this.here().start, this.here().start + 40),
        );
        this.quietUntil = this.text.length;
        return false;
      default:
        this.unexpected(this.accepted());
        return false;
    }
  }

  private attach(node: JsonNode): void {
    if (this.container === undefined) this.root ??= node;
    else if (this.container.kind === "array") this.container.items.push(node);
    else this.member!.value = node;
  }

  private afterValue(): void {
    this.member = undefined;
    this.lastComma = undefined;
    this.expect = this.container === undefined ? "nothing" : "comma-or-end";
  }

  private parent(): MemberNode | ArrayNode | undefined {
    if (this.container === undefined) return undefined;
    return this.container.kind === "array" ? this.container : this.member;
  }

  /** Skips a container that stands where none can, or too deep. */
  private skipContainer(): void {
    let depth = 1;
    while (depth > 0) {
      const token = this.scanner.scan();
      if (token === Token.End) return;
      if (token === Token.OpenBrace || token === Token.OpenBracket) depth++;
      else if (token === Token.CloseBrace || token === Token.CloseBracket) depth--;
    }
    this.quietUntil = Math.max(this.quietUntil, this.scanner.offset + 1);
  }

  private finish(): void {
    const end = this.text.length;
    if (this.root === undefined && this.problems.length === 0) {
      this.report("empty-document", { start: 0, end: Math.min(end, 1) }, "");
      return;
    }
    if (this.containers.length > 0) {
      if (this.expect === "colon" || this.expect === "value") this.missingValue();
      // Only the outermost: the inner ones are open for the same reason.
      this.unclosed(this.containers[0]!);
      for (const open of this.containers) open.closeAt(end);
    }
  }

  private missingComma(): void {
    this.report("missing-comma", { start: Math.max(0, this.lastEnd - 1), end: this.lastEnd }, ",");
  }

  private missingValue(): void {
    const member = this.member;
    if (member === undefined) this.unexpected(this.accepted());
    else this.report("missing-value", { start: member.key.start, end: member.key.end }, member.name);
    this.member = undefined;
  }

  private unclosed(open: ObjectNode | ArrayNode): void {
    const span = { start: open.start, end: open.start + 1 };
    this.report("unclosed-bracket", span, bracketOf(open, "open"), bracketOf(open, "close"));
  }

  private unexpected(expected: string): void {
    const here = this.here();
    this.report(
      "unexpected-token",
      here,
      this.text.slice(here.start, Math.min(here.end, here.start + 80)),
      expected,
    );
  }

  private comment(): void {
    const here = this.here();
    this.problems.push({ kind: "comment", span: here, text: this.text.slice(here.start, here.start + 80) });
  }

  private here(): Span {
    // The library counts the closer of a comment that has none.
    return { start: this.scanner.offset, end: Math.min(this.scanner.end, this.text.length) };
  }

  private report(kind: SyntaxProblemKind, span: Span, text: string, expected?: string, other?: Span): void {
    if (span.start < this.quietUntil && kind !== "duplicate-member") return;
    this.problems.push({
      kind,
      span,
      text,
      ...(expected === undefined ? {} : { expected }),
      ...(other === undefined ? {} : { other }),
    });
  }

  private accepted(): string {
    return acceptedBy(this.expect, this.container?.kind);
  }
}
