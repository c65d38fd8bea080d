/** Items of a list or object that are shown at once. */
const PORTION = 200;
/** Characters of a text that are shown at once. */
const LONG = 500;
/** How deep it is open at first. */
const OPEN_DEPTH = 1;
/** A longer list inside stays folded at first: what stands behind it would be out of sight. */
const SHORT = 20;

/** JSON as a tree: what is folded isn't made yet. It is text throughout, never markup. */
export function jsonTree(value: unknown, name?: string, depth = 0): HTMLElement {
  if (typeof value !== "object" || value === null) return leaf(value, name);
  const entries = Array.isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return row(name, span("value", `${open}${close}`));
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  if (name !== undefined) summary.append(span("key", name), ": ");
  const noun = Array.isArray(value) ? "item" : "member";
  summary.append(
    span("bracket", open),
    span("preview", preview(value)),
    span("bracket close", close),
    span("count", `${entries.length} ${noun}${entries.length === 1 ? "" : "s"}`),
  );
  details.append(summary);
  let made = false;
  const fill = (): void => {
    if (made || !details.open) return;
    made = true;
    details.append(children(entries, depth + 1));
  };
  details.addEventListener("toggle", fill);
  details.open = depth <= OPEN_DEPTH && entries.length <= (depth === 0 ? PORTION : SHORT);
  fill();
  return details;
}

function children(entries: readonly (readonly [string, unknown])[], depth: number): HTMLElement {
  const list = document.createElement("div");
  list.className = "children";
  let shown = 0;
  const more = document.createElement("button");
  const add = (): void => {
    for (const [key, item] of entries.slice(shown, shown + PORTION)) list.append(jsonTree(item, key, depth));
    shown += PORTION;
    more.remove();
    more.textContent = `${entries.length - shown} more`;
    if (shown < entries.length) list.append(more);
  };
  more.addEventListener("click", add);
  add();
  return list;
}

function leaf(value: unknown, name: string | undefined): HTMLElement {
  const kind = value === null ? "null" : typeof value;
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  if (text.length <= LONG) return row(name, span(`value ${kind}`, text));
  const shown = span(`value ${kind}`, `${text.slice(0, LONG)}…`);
  const more = document.createElement("button");
  more.textContent = `${(text.length - LONG).toLocaleString()} more characters`;
  more.addEventListener("click", () => {
    shown.textContent = text;
    more.remove();
  });
  const element = row(name, shown);
  element.append(" ", more);
  return element;
}

function row(name: string | undefined, value: HTMLElement): HTMLElement {
  const element = document.createElement("div");
  element.className = "leaf";
  if (name !== undefined) element.append(span("key", name), ": ");
  element.append(value);
  return element;
}

function span(className: string, text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

/** What is in it, on one line. */
function preview(value: object): string {
  const parts = Array.isArray(value)
    ? value.slice(0, 3).map(brief)
    : Object.entries(value)
        .slice(0, 4)
        .map(([key, item]) => `${key}: ${brief(item)}`);
  const text = parts.join(", ");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function brief(item: unknown): string {
  if (Array.isArray(item)) return item.length === 0 ? "[]" : "[…]";
  if (typeof item === "object" && item !== null) return Object.keys(item).length === 0 ? "{}" : "{…}";
  const text = JSON.stringify(item) ?? "";
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
