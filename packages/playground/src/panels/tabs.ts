import { h } from "../dom.ts";

/** One panel beside the editor. It is asked to show itself only while it is the one that is seen. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** The document has changed, or the panel has come to the front. */
  changed?(): void;
  /** So has the cursor. */
  moved?(): void;
  /** Another panel comes to the front. */
  left?(): void;
}

/** Where tabs stand on the page. */
interface TabPlaces {
  readonly list: HTMLElement;
  readonly place: HTMLElement;
  /** What stands beside the panels where there is room, and is a tab of its own where there isn't. */
  readonly source: HTMLElement;
}

/**
 * Tabs as the ARIA pattern has them: arrow keys go from one to the next, one of them is in the tab order.
 *
 * @param narrow whether there is room for one thing at a time only
 */
export function tabs(
  { list, place, source }: TabPlaces,
  beside: readonly Panel[],
  narrow: Pick<MediaQueryList, "matches" | "addEventListener">,
) {
  const panels: readonly Panel[] = [{ id: "source", title: "Config", element: source }, ...beside];
  let shown = -1;
  for (const panel of beside) markPanel(panel);
  const buttons = panels.map((panel, index) => tabOf(panel, () => show(index), move));
  list.replaceChildren(...buttons);
  place.replaceChildren(...beside.map(({ element }) => element));

  /** The first one that is a tab now. */
  const first = (): number => (narrow.matches ? 0 : 1);

  function show(index: number): void {
    if (shown !== index) panels[shown]?.left?.();
    shown = index;
    for (const [at, button] of buttons.entries()) {
      button.ariaSelected = `${at === index}`;
      button.tabIndex = at === index ? 0 : -1;
    }
    for (const [at, { element }] of panels.entries())
      element.hidden = at !== index && (at > 0 || narrow.matches);
    place.hidden = index === 0;
    panels[index]?.changed?.();
    panels[index]?.moved?.();
  }

  function move(event: KeyboardEvent): void {
    const last = panels.length - 1;
    const to = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: first(), End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = to < first() ? last : to > last ? first() : to;
    show(index);
    buttons[index]?.focus();
  }

  /** What is written stays in sight when the window gets narrow, and so does a panel when it gets wide. */
  function adapt(): void {
    const [button] = buttons;
    if (button !== undefined) button.hidden = !narrow.matches;
    if (narrow.matches) source.setAttribute("role", "tabpanel");
    else source.removeAttribute("role");
    show(narrow.matches ? 0 : Math.max(shown, first()));
  }

  narrow.addEventListener("change", adapt);
  adapt();
  return {
    /** The panel that is seen. */
    shown: () => panels[shown]?.id,
    show: (id: string) => show(panels.findIndex((panel) => panel.id === id)),
    /** The one that is seen first. */
    showFirst: () => show(first()),
    /** Brings what is written into sight, where it isn't. */
    showSource: () => {
      if (narrow.matches) show(0);
    },
    changed: () => panels[shown]?.changed?.(),
    moved: () => panels[shown]?.moved?.(),
  };
}

/** The panel as a tab controls it. */
function markPanel({ id, element }: Panel): void {
  element.id = `panel-${id}`;
  element.tabIndex = 0;
  element.setAttribute("role", "tabpanel");
  element.setAttribute("aria-labelledby", `tab-${id}`);
}

function tabOf(
  { id, title, element }: Panel,
  onclick: () => void,
  onkeydown: (event: KeyboardEvent) => void,
): HTMLButtonElement {
  const attributes = { role: "tab", "aria-controls": element.id };
  return h("button", { type: "button", id: `tab-${id}`, onclick, onkeydown, attributes }, title);
}
