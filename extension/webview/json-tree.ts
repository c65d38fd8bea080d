import { element } from "./element.ts";
import { moveByKeys } from "./tree-keys.ts";

/** Items of a list or object that are shown at once. */
const PORTION = 200;
/** Characters of a text that are shown at once. */
const LONG = 500;
/** Characters of a text that are read aloud. */
const SPOKEN = 100;
/** How deep it is open at first. */
const OPEN_DEPTH = 1;
/** A longer list inside stays folded at first: what stands behind it would be out of sight. */
const SHORT = 20;

/**
 * JSON as a tree, which is walked through with the arrow keys. What is folded isn't made yet. It is text throughout, never markup.
 *
 * @param label what the value is
 */
export function jsonTree(value: unknown, label: string): HTMLElement {
  const tree = element("div", { role: "tree", "aria-label": label, class: "tree" }, [
    item(value, undefined, 0),
  ]);
  tree.firstElementChild?.setAttribute("tabindex", "0");
  moveByKeys(tree);
  return tree;
}

function item(value: unknown, name: string | undefined, depth: number): HTMLElement {
  const entries = entriesOf(value);
  return entries.length === 0 ? leaf(value, name) : branch(value as object, entries, name, depth);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((each, index) => [String(index), each] as const);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function branch(
  value: object,
  entries: readonly (readonly [string, unknown])[],
  name: string | undefined,
  depth: number,
): HTMLElement {
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const noun = Array.isArray(value) ? "item" : "member";
  const count = `${entries.length.toLocaleString()} ${noun}${entries.length === 1 ? "" : "s"}`;
  const group = element("div", { role: "group", class: "children" }, []);
  const made = treeItem(named(name, count), [
    element("div", { class: "row branch" }, [
      ...keyOf(name),
      span("bracket", open ?? ""),
      span("preview", preview(value)),
      span("bracket close", close ?? ""),
      span("count", count),
    ]),
    group,
  ]);
  // Opened and folded by a click, or by the keys.
  const fold = (isOpen: boolean): void => {
    made.setAttribute("aria-expanded", `${isOpen}`);
    if (isOpen && group.childElementCount === 0) add(group, entries, depth + 1);
  };
  made.addEventListener("fold", (event) => {
    event.stopPropagation();
    fold(made.getAttribute("aria-expanded") !== "true");
  });
  fold(depth <= OPEN_DEPTH && entries.length <= (depth === 0 ? PORTION : SHORT));
  return made;
}

/** Adds a portion of the entries, and a place to have more of them. */
function add(group: HTMLElement, entries: readonly (readonly [string, unknown])[], depth: number): void {
  for (const [key, value] of entries.slice(0, PORTION)) group.append(item(value, key, depth));
  const rest = entries.slice(PORTION);
  if (rest.length > 0)
    group.append(action(`${rest.length.toLocaleString()} more`, () => add(group, rest, depth)));
}

function leaf(value: unknown, name: string | undefined): HTMLElement {
  const kind = value === null ? "null" : typeof value;
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  const shown = span(`value ${kind}`, shortened(text, LONG));
  const row = element("div", { class: "row leaf" }, [...keyOf(name), shown]);
  const made = treeItem(named(name, shortened(text, SPOKEN)), [row]);
  if (text.length > LONG) {
    const more = span("more", ` ${(text.length - LONG).toLocaleString()} more characters`);
    row.append(more);
    made.addEventListener(
      "fold",
      () => {
        shown.textContent = text;
        more.remove();
      },
      { once: true },
    );
  }
  return made;
}

/** A place in the tree that is replaced by what it does. */
function action(text: string, act: () => void): HTMLElement {
  const made = treeItem(text, [element("div", { class: "row leaf more" }, [text])]);
  made.addEventListener("fold", () => {
    const hadFocus = made === document.activeElement;
    const before = made.previousElementSibling;
    made.remove();
    act();
    if (hadFocus && before?.nextElementSibling instanceof HTMLElement) before.nextElementSibling.focus();
  });
  return made;
}

function treeItem(label: string, inner: readonly HTMLElement[]): HTMLElement {
  return element("div", { role: "treeitem", tabindex: "-1", "aria-label": label }, inner);
}

function named(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}: ${text}`;
}

function keyOf(name: string | undefined): (HTMLElement | string)[] {
  return name === undefined ? [] : [span("key", name), ": "];
}

function span(className: string, text: string): HTMLElement {
  return element("span", { class: className }, [text]);
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** What is in it, on one line. */
function preview(value: object): string {
  const parts = Array.isArray(value)
    ? value.slice(0, 3).map(brief)
    : Object.entries(value)
        .slice(0, 4)
        .map(([key, each]) => `${key}: ${brief(each)}`);
  return shortened(parts.join(", "), 80);
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0 ? "{}" : "{…}";
  return shortened(JSON.stringify(value) ?? "", 30);
}
