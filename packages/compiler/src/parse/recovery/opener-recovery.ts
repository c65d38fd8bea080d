import type { ParserState } from "../parser-state.ts";
import type { JsonNode } from "../syntax-tree.ts";
import { arrayAroundLast, copyOf, lastValue, objectInPlaceOf } from "./openers.ts";

/** Opens the containers whose opening bracket is missing, once what follows shows it. */
export class OpenerRecovery {
  private readonly state: ParserState;

  constructor(state: ParserState) {
    this.state = state;
  }

  /** `"a": "b": 1`: what was taken for a value is the first name of an object whose brace is missing. */
  openObject(): boolean {
    const { state } = this;
    const name = lastValue(state.container);
    if (state.expect !== "comma-or-end" || state.isFull()) return false;
    if (name?.kind !== "string" || name.end !== state.lastEnd) return false;
    // A name behind other items is rather one of an object further out that was closed too early.
    if (state.container?.kind === "array" && state.container.items.length > 1) return false;
    this.report(name, "{");
    state.enter(objectInPlaceOf(name), "name");
    state.name(copyOf(name), name.start, name.end);
    state.expect = "value";
    return true;
  }

  /** `"a": {…}, {` or `"a": "b", "c"]`: what was taken for the value is the first item of a list whose bracket is missing. */
  openArray(): boolean {
    const { state } = this;
    const { container, expect } = state;
    if (container?.kind !== "object" || state.isFull()) return false;
    const array = arrayAroundLast(container, expect === "colon");
    if (array === undefined) return false;
    this.report(array.items[0]!, "[");
    state.enter(array, expect === "name" ? "value" : "comma-or-end");
    return true;
  }

  /** Whether a `]` may close a list that was never opened: of texts, or of one object. */
  mayEndArray(): boolean {
    const { expect, container } = this.state;
    if (expect === "colon") return true;
    return expect === "comma-or-end" && lastValue(container)?.kind === "object";
  }

  private report(first: JsonNode, bracket: string): void {
    const owner = first.parent?.kind === "array" ? first.parent.parent : first.parent;
    const { start, end } = owner?.kind === "member" ? owner.key : first;
    const place = { start: first.start, end: first.start };
    this.state.report("missing-opener", { start, end }, bracket, undefined, place);
  }
}
