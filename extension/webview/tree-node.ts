import type { Cut } from "@configc/runtime";

/** Gives a part of what is at a place: items, members or UTF-16 units. */
export type FetchPart = (
  pointer: string,
  from: number,
  count: number,
) => Promise<{ readonly value: unknown; readonly cuts: readonly Cut[]; readonly length: number }>;

/** Entries that are fetched at once. */
const PORTION = 100;
/** UTF-16 units of a long text that are fetched: its beginning. */
const LONGEST_TEXT = 1_000_000;
/** A longer text opens into its lines. */
export const SHORT_TEXT = 120;
const COLUMNS = 120;

/** What a node says of itself where its value doesn't. */
interface Shown {
  readonly label: readonly (HTMLElement | string)[];
  /** Read aloud. */
  readonly spoken: string;
  /** Buttons of its row. */
  readonly buttons?: readonly HTMLElement[];
}

/** What a node is made of. */
interface NodeOptions {
  readonly name?: string;
  /** JSON Pointer of its value in that which `fetch` knows. */
  readonly pointer?: string;
  readonly value?: unknown;
  /** Pointers into the value. */
  readonly cuts?: readonly Cut[];
  readonly fetch?: FetchPart;
  readonly shown?: Shown;
  /** Instead of the entries of its value. */
  readonly children?: readonly TreeNode[];
  /** Its value comes as JSON text, of which more may be known to `fetch`. */
  readonly isBody?: boolean;
}

/** A value in the tree. Its entries are made when they come into sight, and fetched where only their number is known. */
export class TreeNode {
  readonly name: string | undefined;
  readonly pointer: string;
  readonly shown: Shown | undefined;
  value: unknown;
  /** Of entries: of the whole, however many are here. */
  length: number;
  isOpen = false;
  /** Rows that it takes up, its own with them. */
  rows = 1;
  parent: TreeNode | undefined;
  readonly #fetch: FetchPart | undefined;
  #cuts: readonly Cut[];
  readonly #children = new Map<number, TreeNode>();
  /** Indexes of children that take up more than a row, ascending. */
  #open: number[] = [];
  readonly #asked = new Set<number>();
  #problem: string | undefined;

  constructor({ name, pointer = "", value, cuts = [], fetch, shown, children, isBody = false }: NodeOptions) {
    this.name = name;
    this.pointer = pointer;
    this.shown = shown;
    this.value = value;
    this.#cuts = cuts;
    this.#fetch = fetch;
    if (children !== undefined) {
      this.length = children.length;
      for (const [index, child] of children.entries()) this.#adopt(index, child);
    } else if (isBody && this.#isCut) this.length = 1;
    else this.length = this.#ownLength();
    this.isUnread = isBody && this.#isCut;
  }

  /** A body of which only the beginning of the text is known: what is in it shows when it is opened. */
  isUnread: boolean;

  get isBranch(): boolean {
    return this.length > 0;
  }

  get isText(): boolean {
    return typeof this.value === "string";
  }

  /** UTF-16 units of a text, as it was. */
  get textLength(): number {
    return this.#cuts.find(({ pointer }) => pointer === "")?.length ?? String(this.value).length;
  }

  get #isCut(): boolean {
    return this.#cuts.some(({ pointer }) => pointer === "");
  }

  /**
   * A child, or why it isn't there yet.
   *
   * @param changed called when more has come
   */
  child(index: number, changed: () => void): TreeNode | { readonly waits: string } {
    const known = this.#children.get(index) ?? this.#made(index);
    if (known !== undefined) return known;
    if (this.#problem !== undefined) return { waits: this.#problem };
    if (this.#fetch === undefined) return { waits: "not kept" };
    void this.#fetchAround(index, changed);
    return { waits: "…" };
  }

  /** Rows of its children that stand before one of them. */
  rowOf(index: number): number {
    let row = index;
    for (const at of this.#open) {
      if (at >= index) break;
      row += (this.#children.get(at)?.rows ?? 1) - 1;
    }
    return row;
  }

  /** The child whose rows hold a row, counted from its first child. */
  childAt(row: number): { readonly index: number; readonly rest: number } {
    let extra = 0;
    for (const at of this.#open) {
      const rows = this.#children.get(at)?.rows ?? 1;
      if (row < at + extra) break;
      if (row < at + extra + rows) return { index: at, rest: row - at - extra };
      extra += rows - 1;
    }
    return { index: row - extra, rest: 0 };
  }

  toggle(isOpen: boolean): void {
    if (isOpen === this.isOpen || !this.isBranch) return;
    this.isOpen = isOpen;
    this.#resize(isOpen ? this.#inner() : 1 - this.rows);
  }

  #inner(): number {
    return this.#open.reduce((sum, at) => sum + (this.#children.get(at)?.rows ?? 1) - 1, this.length);
  }

  /** Its rows and those of the nodes around it. */
  #resize(by: number): void {
    this.rows += by;
    const { parent } = this;
    if (parent === undefined) return;
    parent.#note(this);
    if (parent.isOpen) parent.#resize(by);
  }

  #note(child: TreeNode): void {
    const index = child.index;
    this.#open = this.#open.filter((at) => at !== index);
    if (child.rows > 1) this.#open = [...this.#open, index].sort((a, b) => a - b);
  }

  index = 0;

  #adopt(index: number, child: TreeNode): void {
    child.parent = this;
    child.index = index;
    this.#children.set(index, child);
    if (child.rows > 1) this.#note(child);
  }

  #ownLength(): number {
    if (this.isText)
      return this.textLength > SHORT_TEXT || /\n/.test(this.value as string) ? this.#lines().length : 0;
    const cut = this.#cuts.find(({ pointer }) => pointer === "")?.length;
    return (
      cut ?? (typeof this.value === "object" && this.value !== null ? Object.keys(this.value).length : 0)
    );
  }

  /** Of a text: wrapped, since rows have one line. */
  #lines(): readonly string[] {
    const text = this.value as string;
    const lines = text
      .split("\n")
      .flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, "gsu")) ?? [""]);
    const rest = this.textLength - text.length;
    return rest <= 0 || (this.#fetch !== undefined && text.length < LONGEST_TEXT)
      ? lines
      : [...lines, `… ${rest.toLocaleString()} more characters`];
  }

  #made(index: number): TreeNode | undefined {
    if (this.isUnread) return undefined;
    if (this.isText) {
      const isRead =
        !this.#isCut || this.#fetch === undefined || (this.value as string).length >= LONGEST_TEXT;
      if (!isRead) return undefined;
      const line = this.#lines()[index];
      return line === undefined ? undefined : this.#line(index, line);
    }
    const name = this.#nameAt(index);
    if (name === undefined) return undefined;
    const child = this.#entry(name, (this.value as Readonly<Record<string, unknown>>)[name], this.#cuts);
    this.#adopt(index, child);
    return child;
  }

  #nameAt(index: number): string | undefined {
    if (Array.isArray(this.value)) return index < this.value.length ? `${index}` : undefined;
    this.#names ??= Object.keys(this.value as object);
    return this.#names[index];
  }

  #names: readonly string[] | undefined;

  #line(index: number, line: string): TreeNode {
    const child = new TreeNode({ shown: { label: [line === "" ? " " : line], spoken: line } });
    this.#adopt(index, child);
    return child;
  }

  #entry(name: string, value: unknown, cuts: readonly Cut[]): TreeNode {
    const step = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const inner = cuts.flatMap(({ pointer, length }) =>
      pointer === step || pointer.startsWith(`${step}/`)
        ? { pointer: pointer.slice(step.length), length }
        : [],
    );
    return new TreeNode({
      name,
      pointer: `${this.pointer}${step}`,
      value,
      cuts: inner,
      ...(this.#fetch === undefined ? {} : { fetch: this.#fetch }),
    });
  }

  async #fetchAround(index: number, changed: () => void): Promise<void> {
    if (this.#fetch === undefined) return;
    const isWhole = this.isUnread || this.isText;
    // From the first that isn't here: what was fetched before may have been short of its portion.
    let from = isWhole ? 0 : index - (index % PORTION);
    while (!isWhole && from < index && this.#children.has(from)) from++;
    if (this.#asked.has(from)) return;
    this.#asked.add(from);
    try {
      const part = await this.#fetch(this.pointer, from, this.isText ? LONGEST_TEXT : PORTION);
      if (isWhole) this.#read(part);
      else this.#fill(from, part.value, part.cuts);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    changed();
  }

  /** What was known by its beginning only. */
  #read({ value, cuts, length }: Awaited<ReturnType<FetchPart>>): void {
    const before = this.length;
    const isOpen = this.isOpen;
    if (isOpen) this.toggle(false);
    this.#children.clear();
    this.#open = [];
    this.isUnread = false;
    this.value = value;
    this.#names = undefined;
    const size =
      typeof value === "object" && value !== null ? Object.keys(value).length : String(value).length;
    this.#cuts = length > size ? [...cuts, { pointer: "", length }] : cuts;
    this.length = this.#ownLength();
    if (isOpen) this.toggle(this.length > 0 || before > 0);
  }

  #fill(from: number, value: unknown, cuts: readonly Cut[]): void {
    const isList = Array.isArray(value);
    for (const [at, [name, each]] of Object.entries(value as object).entries()) {
      if (this.#children.has(from + at)) continue;
      const own = cuts.flatMap(({ pointer, length }) => {
        const [, first = "", ...rest] = pointer.split("/");
        return first === (isList ? `${at}` : name.replaceAll("~", "~0").replaceAll("/", "~1"))
          ? { pointer: rest.length === 0 ? "" : `/${rest.join("/")}`, length }
          : [];
      });
      const step = isList ? `${from + at}` : name;
      const placed = own.map(({ pointer, length }) => ({
        pointer: `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}${pointer}`,
        length,
      }));
      this.#adopt(from + at, this.#entry(step, each, placed));
    }
  }
}
