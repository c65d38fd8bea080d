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

/** Tabs as the ARIA pattern has them: arrow keys go from one to the next, one of them is in the tab order. */
export function tabs(list: HTMLElement, place: HTMLElement, panels: readonly Panel[]) {
  let shown = 0;
  const buttons = panels.map(({ id, title }, index) =>
    h(
      "button",
      {
        type: "button",
        id: `tab-${id}`,
        onclick: () => show(index),
        onkeydown: (event) => move(event),
        attributes: { role: "tab", "aria-controls": `panel-${id}` },
      },
      title,
    ),
  );
  for (const { id, element } of panels) {
    element.id = `panel-${id}`;
    element.tabIndex = 0;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", `tab-${id}`);
  }
  list.replaceChildren(...buttons);
  place.replaceChildren(...panels.map(({ element }) => element));

  function show(index: number): void {
    if (shown !== index) panels[shown]?.left?.();
    shown = index;
    for (const [at, button] of buttons.entries()) {
      button.ariaSelected = `${at === index}`;
      button.tabIndex = at === index ? 0 : -1;
    }
    for (const [at, { element }] of panels.entries()) element.hidden = at !== index;
    panels[index]?.changed?.();
    panels[index]?.moved?.();
  }

  function move(event: KeyboardEvent): void {
    const last = panels.length - 1;
    const to = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = to < 0 ? last : to > last ? 0 : to;
    show(index);
    buttons[index]?.focus();
  }

  show(0);
  return {
    /** The panel that is seen. */
    shown: () => panels[shown]?.id,
    show: (id: string) => show(panels.findIndex((panel) => panel.id === id)),
    changed: () => panels[shown]?.changed?.(),
    moved: () => panels[shown]?.moved?.(),
  };
}
