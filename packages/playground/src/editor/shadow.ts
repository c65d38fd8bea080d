import { h } from "../dom.ts";

/**
 * A shadow root for an editor. Only there does the editor's library make its styles as sheets of its own; in the page itself it
 * would write a style element, which the page's policy forbids.
 */
export function shadowIn(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: "open" });
  root.append(h("link", { rel: "stylesheet", href: "editor.css" }));
  return root;
}
