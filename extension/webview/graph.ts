import type { FromGraph, ToGraph } from "../src/messages.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromGraph): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;
const steps = [0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.5, 2, 3];
let zoom: number | undefined;
let picture: SVGSVGElement | undefined;
let css = "";
const search = document.createElement("input");
search.type = "search";
search.placeholder = "Find";
search.setAttribute("aria-label", "Find a text in the picture; Enter goes to the next place");
search.addEventListener("input", () => find(search.value));
search.addEventListener("keydown", ({ key }) => {
  if (key === "Enter") next();
});
const count = document.createElement("span");
count.className = "count";
count.setAttribute("role", "status");

addEventListener("message", ({ data }: MessageEvent<ToGraph>) => show(data));
// The editor's theme is a class of the page; it may change at any time.
new MutationObserver(paint).observe(document.body, { attributes: true, attributeFilter: ["class"] });
addEventListener("resize", resize);
editor.postMessage({ kind: "ready" });

/** Cards that can be closed, and those that are, by their JSON Pointers. */
let closable: readonly string[] = [];
let closed: readonly string[] = [];

function show({ svg, title, workflows, workflow, at, ...cards }: ToGraph): void {
  ({ closable, closed } = cards);
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const style = parsed.querySelector("style");
  css = style?.textContent ?? "";
  style?.remove();
  const active = document.activeElement;
  const focused = active?.getAttribute("data-pointer");
  const onFold = active?.getAttribute("data-fold");
  const onAll = active?.classList.contains("close-all");
  const isFirst = picture === undefined;
  picture = document.importNode(parsed, true) as unknown as SVGSVGElement;
  picture.setAttribute("aria-label", title);
  picture.setAttribute("role", "group");
  for (const place of picture.querySelectorAll("[data-pointer]")) makeButton(place);
  for (const pointer of closable) addFold(pointer);
  const paper = document.createElement("div");
  paper.className = "picture";
  paper.append(picture);
  const before = search.value;
  main.replaceChildren(toolbar(workflows, workflow), paper);
  find(before);
  if (focused != null) focusOn(focused);
  if (onFold != null) foldOf(onFold)?.focus();
  if (onAll === true) main.querySelector<HTMLElement>(".close-all")?.focus();
  paint();
  resize();
  // A picture that is larger than the panel begins in a corner that may have nothing but arrows.
  if (!isFirst) return;
  const first = (at !== undefined && cardAt(at)) || picture.querySelector(".card[data-pointer]");
  first?.scrollIntoView({ inline: "nearest", block: at === undefined ? "start" : "center" });
  if (at !== undefined) first?.classList.add("at");
}

function focusOn(pointer: string): void {
  cardAt(pointer)?.focus();
}

function foldOf(pointer: string): SVGElement | undefined {
  const folds = picture?.querySelectorAll<SVGElement>("[data-fold]") ?? [];
  return [...folds].find((fold) => fold.getAttribute("data-fold") === pointer);
}

/** A button at the corner of a card, which shows its title alone, or its rows again. */
function addFold(pointer: string): void {
  const card = cardAt(pointer);
  const frame = card?.querySelector(":scope > .frame");
  if (card === undefined || frame == null) return;
  const isClosed = closed.includes(pointer);
  const title = card.querySelector(":scope > .title")?.textContent ?? "";
  const fold = svgElement("g", {
    class: "fold",
    transform: `translate(${frame.getAttribute("width")} 0)`,
    tabindex: "0",
    role: "button",
    "aria-expanded": `${!isClosed}`,
    "aria-label": isClosed ? `Show the parts of ${title}` : `Show the title of ${title} only`,
    "data-fold": pointer,
  });
  fold.append(
    svgElement("circle", { r: "12", class: "hit" }),
    svgElement("circle", { r: "8", class: "disc" }),
    svgElement("path", { d: isClosed ? "M -4 0 H 4 M 0 -4 V 4" : "M -4 0 H 4" }),
  );
  const turn = (event: Event): void => {
    event.stopPropagation();
    close(isClosed ? closed.filter((each) => each !== pointer) : [...closed, pointer]);
  };
  fold.addEventListener("click", turn);
  fold.addEventListener("keydown", (event) => {
    // The card would go to the source.
    event.stopPropagation();
    const { key } = event as KeyboardEvent;
    if (key !== "Enter" && key !== " ") return;
    event.preventDefault();
    turn(event);
  });
  card.append(fold);
}

function close(pointers: readonly string[]): void {
  editor.postMessage({ kind: "close", closed: pointers });
}

function svgElement(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

function cardAt(pointer: string): SVGElement | undefined {
  const places = picture?.querySelectorAll<SVGElement>("[data-pointer]") ?? [];
  return [...places].find((place) => place.getAttribute("data-pointer") === pointer);
}

/** Of the cards that have the text that is looked for. */
let found: readonly Element[] = [];
let shownFound = 0;

/** Marks the cards that have a text, and goes to the first of them. */
function find(text: string): void {
  const wanted = text.trim().toLowerCase();
  const cards = [...(picture?.querySelectorAll(".card") ?? [])];
  found = wanted === "" ? [] : cards.filter((card) => card.textContent?.toLowerCase().includes(wanted));
  for (const card of cards) card.classList.toggle("dim", wanted !== "" && !found.includes(card));
  shownFound = 0;
  count.textContent = wanted === "" ? "" : found.length === 0 ? "nothing" : `1 of ${found.length}`;
  goToFound();
}

function next(): void {
  if (found.length === 0) return;
  shownFound = (shownFound + 1) % found.length;
  count.textContent = `${shownFound + 1} of ${found.length}`;
  goToFound();
}

function goToFound(): void {
  found[shownFound]?.scrollIntoView({ inline: "center", block: "center" });
}

function makeButton(place: Element): void {
  place.setAttribute("tabindex", "0");
  place.setAttribute("role", "button");
  const texts = [...place.querySelectorAll(":scope > text")].map((text) => text.textContent);
  place.setAttribute("aria-label", `${texts.join(", ")}: go to the source`);
  const go = (event: Event): void => {
    event.stopPropagation();
    const [start, end] = ["data-start", "data-end"].map((name) => Number(place.getAttribute(name)));
    editor.postMessage({ kind: "reveal", start: start ?? 0, end: end ?? 0 });
  };
  place.addEventListener("click", go);
  place.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== "Enter" && key !== " ") return;
    go(event);
    // The page would scroll.
    event.preventDefault();
  });
}

/** All workflows, or one with what it has to do with. */
function chooser(workflows: readonly string[], chosen: string | undefined): HTMLElement {
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Workflows");
  for (const name of [undefined, ...workflows]) {
    const option = new Option(name ?? "All workflows", name ?? "", false, name === chosen);
    select.append(option);
  }
  select.addEventListener("change", () =>
    editor.postMessage({ kind: "choose", ...(select.value === "" ? {} : { workflow: select.value }) }),
  );
  return select;
}

/** Titles alone, of all cards; where none has rows any more, the rows of all. */
function closeAll(): HTMLElement {
  const areClosed = closable.every((pointer) => closed.includes(pointer));
  const button = document.createElement("button");
  button.type = "button";
  button.className = "action close-all";
  button.textContent = areClosed ? "Expand all" : "Collapse all";
  button.addEventListener("click", () => close(areClosed ? [] : closable));
  return button;
}

function toolbar(workflows: readonly string[], workflow: string | undefined): HTMLElement {
  const bar = document.createElement("div");
  bar.className = "toolbar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "What is drawn, and how large");
  bar.append(search, count, ...(workflows.length > 1 ? [chooser(workflows, workflow)] : []));
  if (closable.length > 1) bar.append(closeAll());
  for (const [label, text, act] of [
    ["Smaller", "−", () => step(-1)],
    ["Larger", "+", () => step(1)],
    ["Fit", "Fit", () => fit()],
  ] as const) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "action";
    button.textContent = text;
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    bar.append(button);
  }
  return bar;
}

function natural(): number {
  return Number(picture?.viewBox.baseVal.width ?? 0) || 1;
}

/** Smaller, its texts can't be read; then one scrolls. */
const SMALLEST_FIT = 0.6;

/** What a picture is shown at that fits: never larger than it is drawn. */
function fitting(): number {
  return Math.max(SMALLEST_FIT, Math.min(1, (main.clientWidth - 16) / natural()));
}

function step(direction: 1 | -1): void {
  const now = zoom ?? fitting();
  const next =
    direction > 0 ? steps.find((each) => each > now + 0.01) : steps.findLast((each) => each < now - 0.01);
  zoom = next ?? now;
  resize();
}

function fit(): void {
  zoom = undefined;
  resize();
}

function resize(): void {
  const width = natural() * (zoom ?? fitting());
  picture?.setAttribute("width", `${width}`);
  picture?.removeAttribute("height");
}

/** The picture follows the system's light or dark; here it has to follow the editor's. */
function paint(): void {
  const { classList } = document.body;
  const dark =
    classList.contains("vscode-dark") ||
    (classList.contains("vscode-high-contrast") && !classList.contains("vscode-high-contrast-light"));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    css
      .replace("@media (prefers-color-scheme: dark)", dark ? "@media all" : "@media not all")
      .concat("\nsvg { --paper: var(--vscode-editor-background) !important; }"),
  );
  document.adoptedStyleSheets = [sheet];
}
