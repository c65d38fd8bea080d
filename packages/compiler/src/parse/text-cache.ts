import { ownCopy } from "@configc/jq/internal";

/**
 * What was made of texts, for those that were asked for last: at least so many characters of them, and at most twice as many. Old entries go
 * together, so that asking costs no more than a map does.
 */
export class TextCache<Value> {
  private readonly capacity: number;
  private size = 0;
  private recent = new Map<string, Value>();
  private older: ReadonlyMap<string, Value> = new Map();

  /** @param capacity in characters */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /**
   * What was made of a text, or is made now.
   *
   * @param make is given a copy of the text that keeps no other text alive, and should keep nothing but parts of it
   */
  of(text: string, make: (text: string) => Value): Value {
    const value = this.recent.get(text);
    if (value !== undefined) return value;
    const old = this.older.get(text);
    const own = ownCopy(text);
    const made = old ?? make(own);
    this.set(own, made);
    return made;
  }

  private set(text: string, value: Value): void {
    this.size += text.length;
    if (this.size > this.capacity) {
      this.older = this.recent;
      this.recent = new Map();
      this.size = text.length;
    }
    this.recent.set(text, value);
  }
}
