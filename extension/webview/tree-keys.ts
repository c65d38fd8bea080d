/**
 * The keys of a tree, as the pattern of ARIA has them: up and down go from row to row, right opens or goes in, left folds or
 * goes out, Home and End go to the ends, Enter and Space do what a click does. Only one row is a stop of Tab.
 *
 * @param tree has the role `tree`; its items take an event `fold` to be opened, folded or done
 */
export function moveByKeys(tree: HTMLElement): void {
  tree.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest(".row") : null;
    const chosen = row?.parentElement;
    // Whoever marks a text wants to copy it.
    if (chosen == null || getSelection()?.type === "Range") return;
    go(chosen);
    chosen.dispatchEvent(new Event("fold"));
  });
  tree.addEventListener("focusin", ({ target }) => {
    for (const each of tree.querySelectorAll("[tabindex='0']")) each.setAttribute("tabindex", "-1");
    if (target instanceof HTMLElement) target.tabIndex = 0;
  });
  tree.addEventListener("keydown", (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.role !== "treeitem") return;
    const { ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !press(tree, target, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @returns whether the key means something */
function press(tree: HTMLElement, item: HTMLElement, key: string): boolean {
  const expanded = item.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return go(neighbour(tree, item, 1));
    case "ArrowUp":
      return go(neighbour(tree, item, -1));
    case "Home":
      return go(shown(tree)[0]);
    case "End":
      return go(shown(tree).at(-1));
    case "ArrowRight":
      if (expanded === "false") item.dispatchEvent(new Event("fold"));
      else if (expanded === "true") go(neighbour(tree, item, 1));
      return true;
    case "ArrowLeft":
      if (expanded === "true") item.dispatchEvent(new Event("fold"));
      else go(item.parentElement?.closest("[role=treeitem]"));
      return true;
    case "Enter":
    case " ":
      item.dispatchEvent(new Event("fold"));
      return true;
    default:
      return false;
  }
}

function neighbour(tree: HTMLElement, item: HTMLElement, step: 1 | -1): Element | undefined {
  const all = shown(tree);
  return all[all.indexOf(item) + step];
}

/** The items that aren't folded away. */
function shown(tree: HTMLElement): Element[] {
  return [...tree.querySelectorAll("[role=treeitem]")].filter(
    (each) => each.parentElement?.closest("[aria-expanded=false]") == null,
  );
}

function go(to: Element | null | undefined): true {
  if (!(to instanceof HTMLElement)) return true;
  to.focus({ preventScroll: true });
  // What is in it may be longer than the panel.
  to.querySelector(".row")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}
