import { element } from "./element.ts";
import { brief, preview, shortened } from "./preview.ts";
import { SHORT_TEXT, TreeNode } from "./tree-node.ts";
import { Windowed } from "./windowed.ts";

/** Characters of a text that are read aloud. */
const SPOKEN = 100;
/** A list inside opens at first if it is no longer: what stands behind it would be out of sight. */
const SHORT = 20;
/** So is the whole. */
const PORTION = 200;
const INDENT = 14;

let trees = 0;

/**
 * Values as a tree, which is walked through with the arrow keys, Home, End and pages; Enter opens and folds, and the keys for copying
 * take the value of the row. Only rows in sight are made. It is text throughout, never markup.
 */
export class ValueTree {
  readonly element: HTMLElement;
  readonly #id = `tree${++trees}`;
  readonly #windowed: Windowed;
  readonly #copy: (node: TreeNode) => void;
  #root: TreeNode;
  /** Of the row that the keys mean. */
  #active = 0;

  /**
   * @param label what the values are
   * @param copy puts the value of a node into the clipboard
   */
  constructor(root: TreeNode, label: string, copy: (node: TreeNode) => void) {
    this.#root = root;
    this.#copy = copy;
    this.#windowed = new Windowed({ role: "tree", "aria-label": label, class: "tree" }, (index) =>
      this.#row(index),
    );
    this.element = this.#windowed.element;
    this.element.addEventListener("keydown", (event) => this.#press(event));
    this.element.addEventListener("click", (event) => this.#click(event));
    this.#draw();
  }

  /** Opens what is short. */
  openFirst(): void {
    open(this.#root, 0, () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    this.#active = Math.min(this.#active, this.#root.rows - 1);
    this.#windowed.draw(this.#root.rows);
    this.#tellActive();
  }

  #tellActive(): void {
    this.element.setAttribute("aria-activedescendant", `${this.#id}-${this.#active}`);
  }

  /** The node of a row; a text where it isn't there yet. */
  #at(row: number): {
    readonly node: TreeNode | string;
    readonly depth: number;
    readonly around: TreeNode;
    readonly index: number;
  } {
    let around = this.#root;
    if (row === 0) return { node: around, depth: 0, around, index: 0 };
    let rest = row - 1;
    for (let depth = 1; ; depth++) {
      const { index, rest: inner } = around.childAt(rest);
      const child = around.child(index, () => this.#draw());
      if (!(child instanceof TreeNode)) return { node: child.waits, depth, around, index };
      if (inner === 0) return { node: child, depth, around, index };
      around = child;
      rest = inner - 1;
    }
  }

  #rowOf(node: TreeNode): number {
    const { parent } = node;
    return parent === undefined ? 0 : this.#rowOf(parent) + 1 + parent.rowOf(node.index);
  }

  #row(row: number): HTMLElement {
    const { node, depth, around, index } = this.#at(row);
    const isNode = node instanceof TreeNode;
    const size = depth === 0 ? 1 : around.length;
    const made = element(
      "div",
      {
        id: `${this.#id}-${row}`,
        role: "treeitem",
        "aria-label": isNode ? spoken(node) : node,
        "aria-level": `${depth + 1}`,
        "aria-setsize": `${size}`,
        "aria-posinset": `${index + 1}`,
        "aria-selected": `${row === this.#active}`,
        class: isNode && node.isBranch ? "row branch" : "row leaf",
        "data-row": `${row}`,
      },
      isNode ? shown(node) : [span("note", node)],
    );
    if (isNode && node.isBranch) made.setAttribute("aria-expanded", `${node.isOpen}`);
    if (row === this.#active) made.classList.add("active");
    made.style.paddingInlineStart = `${INDENT * (depth + 1)}px`;
    return made;
  }

  #click({ target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
    // Whoever marks a text wants to copy it.
    if (row === null || (target as Element).closest("button") !== null || getSelection()?.type === "Range")
      return;
    this.#go(Number(row.dataset["row"]));
    this.#toggle();
  }

  #go(row: number): void {
    this.#active = Math.max(0, Math.min(row, this.#root.rows - 1));
    this.#windowed.reveal(this.#active);
    this.#tellActive();
  }

  #toggle(): void {
    const { node } = this.#at(this.#active);
    if (!(node instanceof TreeNode)) return;
    node.toggle(!node.isOpen);
    this.#draw();
  }

  #press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const { node, around } = this.#at(this.#active);
    if ((ctrlKey || metaKey) && key === "c" && getSelection()?.type !== "Range") {
      if (node instanceof TreeNode) this.#copy(node);
    } else if (ctrlKey || metaKey || altKey || !this.#move(key, node, around)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns whether the key means something */
  #move(key: string, node: TreeNode | string, around: TreeNode): boolean {
    const canOpen = node instanceof TreeNode && node.isBranch;
    const { page } = this.#windowed;
    switch (key) {
      case "ArrowDown":
      case "ArrowUp":
        this.#go(this.#active + (key === "ArrowDown" ? 1 : -1));
        return true;
      case "PageDown":
      case "PageUp":
        this.#go(this.#active + (key === "PageDown" ? page : -page));
        return true;
      case "Home":
      case "End":
        this.#go(key === "Home" ? 0 : this.#root.rows - 1);
        return true;
      case "ArrowRight":
        if (canOpen && !node.isOpen) this.#toggle();
        else if (canOpen) this.#go(this.#active + 1);
        return true;
      case "ArrowLeft":
        if (canOpen && node.isOpen) this.#toggle();
        else this.#go(node === this.#root ? 0 : this.#rowOf(around));
        return true;
      case "Enter":
      case " ":
        this.#toggle();
        return true;
      default:
        return false;
    }
  }
}

/** @param changed called when an entry has come that had to be fetched */
function open(node: TreeNode, depth: number, changed: () => void): void {
  if (depth > 1 || node.isText || node.isUnread || node.length > (depth === 0 ? PORTION : SHORT)) {
    // The first of a long list are seen; the whole of it scrolls.
    if (depth === 0 && !node.isText) node.toggle(true);
    return;
  }
  node.toggle(true);
  for (let index = 0; index < node.length; index++) {
    const child = node.child(index, changed);
    if (child instanceof TreeNode) open(child, depth + 1, changed);
  }
}

/** What is at a row. */
function shown(node: TreeNode): (HTMLElement | string)[] {
  const { name, value, length } = node;
  const key = name === undefined ? [] : [span("key", name), ": "];
  if (node.shown !== undefined) return [...key, ...node.shown.label, ...(node.shown.buttons ?? [])];
  if (node.isText) {
    const text = JSON.stringify(shortened(value as string, SHORT_TEXT));
    const more = node.isUnread || node.isBranch ? [span("count", counted(node.textLength, "character"))] : [];
    return [...key, ...(node.isOpen ? [] : [span("value string", text)]), ...more];
  }
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    const [opening, closing] = isList ? "[]" : "{}";
    const inner = node.isOpen ? [] : [span("preview", preview(value)), span("bracket", closing ?? "")];
    return [
      ...key,
      span("bracket", opening ?? ""),
      ...inner,
      span("count", length === 0 ? "empty" : counted(length, isList ? "item" : "member")),
    ];
  }
  return [...key, span(`value ${value === null ? "null" : typeof value}`, brief(value))];
}

function spoken({ name, value, length, shown: own }: TreeNode): string {
  const before = name === undefined ? "" : `${name}: `;
  if (own !== undefined) return `${before}${own.spoken}`;
  if (typeof value === "object" && value !== null)
    return `${before}${counted(length, Array.isArray(value) ? "item" : "member")}`;
  return `${before}${shortened(JSON.stringify(value) ?? "nothing", SPOKEN)}`;
}

/** `5,000 items` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function span(className: string, text: string): HTMLElement {
  return element("span", { class: className }, [text]);
}
