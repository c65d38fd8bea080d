import { acceptedBy, bracketOf } from "./recovery/accepted.ts";
import type { Expectation } from "./recovery/expectation.ts";
import type { Layout, OpenLine } from "./recovery/layout.ts";
import type { Scanner } from "./scanner.ts";
import type { SyntaxProblem, SyntaxProblemKind } from "./syntax-problem.ts";
import {
  type ArrayNode,
  type JsonNode,
  MemberNode,
  type ObjectNode,
  type Span,
  type StringNode,
} from "./syntax-tree.ts";

/** Deeper levels are skipped with one finding, so that no later pass needs to fear for its stack. */
export const MAX_NESTING = 512;

/** How far a reading of a document is: the tree so far, the containers that are open, what may follow, and the mistakes. */
export class ParserState {
  readonly text: string;
  readonly problems: SyntaxProblem[] = [];
  readonly containers: (ObjectNode | ArrayNode)[] = [];
  container: ObjectNode | ArrayNode | undefined = undefined;
  member: MemberNode | undefined = undefined;
  expect: Expectation = "value";
  root: JsonNode | undefined = undefined;
  /** End of the last token, where a missing comma or value is. */
  lastEnd = 0;
  lastComma: Span | undefined = undefined;
  /** Offset up to which nothing more is reported: one mistake, one finding. */
  quietUntil = -1;
  /** Of a careful reading: the lines, and the line of each open container. */
  readonly layout: Layout | undefined;
  readonly openLines: OpenLine[] = [];
  private readonly scanner: Scanner;
  private readonly around: number;

  constructor(text: string, scanner: Scanner, around: number, layout: Layout | undefined) {
    this.text = text;
    this.scanner = scanner;
    this.around = around;
    this.layout = layout;
  }

  /** Goes into a container that stands in the tree already. */
  enter(node: ObjectNode | ArrayNode, expect: Expectation): void {
    this.containers.push(node);
    if (this.layout !== undefined)
      this.openLines.push({ line: this.layout.at(node.start), entered: false, flat: false });
    this.container = node;
    this.member = undefined;
    this.expect = expect;
    this.lastComma = undefined;
  }

  /** Leaves the innermost container, which is a value that was read. */
  pop(end: number): void {
    this.container!.closeAt(end);
    this.containers.pop();
    this.openLines.pop();
    this.container = this.containers[this.containers.length - 1];
    this.lastComma = undefined;
    this.afterValue();
  }

  /** Begins a member of the innermost container, an object. */
  name(key: StringNode, start: number, end: number): void {
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

  /** Makes room for a value: reports a missing comma or colon. False if no value can stand here. */
  beforeValue(): boolean {
    switch (this.expect) {
      case "value":
      case "value-or-end":
        return true;
      case "comma-or-end":
        if (this.container!.kind === "array") {
          this.missingComma();
          return true;
        }
        this.unexpected();
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
        this.unexpected();
        return false;
    }
  }

  /** Puts a value where the next one belongs. */
  attach(node: JsonNode): void {
    if (this.container === undefined) this.root ??= node;
    else if (this.container.kind === "array") this.container.items.push(node);
    else this.member!.value = node;
  }

  /** What the next value belongs to; undefined for the root. */
  parent(): MemberNode | ArrayNode | undefined {
    if (this.container === undefined) return undefined;
    return this.container.kind === "array" ? this.container : this.member;
  }

  afterValue(): void {
    this.member = undefined;
    this.lastComma = undefined;
    this.expect = this.container === undefined ? "nothing" : "comma-or-end";
  }

  /** Whether nothing stands yet in the innermost container. */
  isEmpty(): boolean {
    return this.expect === "name-or-end" || (this.expect === "value-or-end" && this.lastComma === undefined);
  }

  /** Whether no container may be opened any more. */
  isFull(): boolean {
    return this.containers.length + this.around >= MAX_NESTING;
  }

  missingComma(): void {
    this.report("missing-comma", { start: Math.max(0, this.lastEnd - 1), end: this.lastEnd }, ",");
  }

  missingValue(): void {
    const member = this.member;
    if (member === undefined) this.unexpected();
    else this.report("missing-value", { start: member.key.start, end: member.key.end }, member.name);
    this.member = undefined;
  }

  unclosed(open: ObjectNode | ArrayNode): void {
    const span = { start: open.start, end: open.start + 1 };
    this.report("unclosed-bracket", span, bracketOf(open, "open"), bracketOf(open, "close"));
  }

  /**
   * Reports the current token.
   *
   * @param expected what can stand in its place
   */
  unexpected(expected: string = this.accepted()): void {
    const here = this.here();
    this.report(
      "unexpected-token",
      here,
      this.text.slice(here.start, Math.min(here.end, here.start + 80)),
      expected,
    );
  }

  /** What can stand here, for messages. */
  accepted(): string {
    return acceptedBy(this.expect, this.container?.kind);
  }

  /** The current token. */
  here(): Span {
    // The library counts the closer of a comment that has none.
    return { start: this.scanner.offset, end: Math.min(this.scanner.end, this.text.length) };
  }

  report(kind: SyntaxProblemKind, span: Span, text: string, expected?: string, other?: Span): void {
    if (span.start < this.quietUntil && kind !== "duplicate-member") return;
    this.problems.push({
      kind,
      span,
      text,
      ...(expected === undefined ? {} : { expected }),
      ...(other === undefined ? {} : { other }),
    });
  }
}
