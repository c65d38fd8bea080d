/**
 * What is said of samples that can't be used, each text once. While files are checked on several threads it waits, so that it
 * is said in the order of the files.
 */
export class SampleNotes {
  private readonly note: (text: string) => void;
  private readonly said = new Set<string>();
  private waiting: { index: number; text: string }[] | undefined;

  constructor(note: (text: string) => void) {
    this.note = note;
  }

  /** @param index of the file that it was found for */
  tell(index: number, text: string): void {
    if (this.waiting !== undefined) this.waiting.push({ index, text });
    else this.say(text);
  }

  /** From now on, files may be checked in another order. */
  wait(): void {
    this.waiting ??= [];
  }

  /** Says what has waited. */
  end(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    // Sorting is stable: what was said of one file stays in its order.
    for (const { text } of waiting.sort((a, b) => a.index - b.index)) this.say(text);
  }

  private say(text: string): void {
    if (this.said.has(text)) return;
    this.said.add(text);
    this.note(text);
  }
}
