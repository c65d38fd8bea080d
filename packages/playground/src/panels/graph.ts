import { h } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { Panel } from "./tabs.ts";

/** The app as a picture; a click on a part of it goes to its place in the document. */
export function graphPanel(editor: Editor, tools: ToolsClient): Panel {
  const frame = h("div", { className: "picture" });
  const fit = h("button", { type: "button", className: "small" }, "Full size");
  const element = h("div", { className: "panel graph" }, h("div", { className: "bar" }, fit), frame);
  // Its styles are the picture's own: they must not meet those of the page.
  const shadow = frame.attachShadow({ mode: "open" });
  let shown = "";
  fit.onclick = () => {
    const full = frame.classList.toggle("full");
    fit.textContent = full ? "Fit" : "Full size";
  };
  shadow.addEventListener("click", (event) => {
    const part = (event.target as Element).closest<SVGElement>("[data-start]");
    const start = part?.dataset["start"];
    if (start !== undefined) editor.jump(Number(start));
  });
  async function refresh(): Promise<void> {
    const svg = await tools.graph({ name: editor.name, text: editor.text() });
    if (svg === shown) return;
    shown = svg;
    // A style element would be against the page's policy; a sheet that the page makes isn't.
    const sheet = new CSSStyleSheet();
    const plain = svg.replace(/<style>(.*?)<\/style>/s, (_, style: string) => {
      sheet.replaceSync(`${style} ${fitting}`);
      return "";
    });
    const picture = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(picture);
  }
  return { id: "graph", title: "Graph", element, changed: () => void refresh() };
}

const fitting = ":host svg { max-width: 100%; height: auto; } :host(.full) svg { max-width: none; }";
