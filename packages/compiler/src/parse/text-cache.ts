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

  get(text: string): Value | undefined {
    const value = this.recent.get(text);
    if (value !== undefined) return value;
    const old = this.older.get(text);
    if (old !== undefined) this.set(text, old);
    return old;
  }

  set(text: string, value: Value): void {
    this.size += text.length;
    if (this.size > this.capacity) {
      this.older = this.recent;
      this.recent = new Map();
      this.size = text.length;
    }
    this.recent.set(text, value);
  }
}
