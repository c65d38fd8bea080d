import { h } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import { tellFailure } from "../toast.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { Panel } from "./tabs.ts";

/** The picture isn't made smaller than this, by its own size: its texts are to be read. */
const SMALLEST = 0.75;

/** The picture on the page's paper. */
const fitting = `
svg { --paper: inherit; --text: inherit; --soft: inherit; max-width: 100%; height: auto; }
.paper { fill: transparent; }`;

/**
 * The app as a picture; a click on a part of it goes to its place in the document.
 *
 * @param enlarge shows the panels without the editor, or beside it again; by default the other of both
 */
export function graphPanel(editor: Editor, tools: ToolsClient, enlarge: (large?: boolean) => boolean): Panel {
  const frame = h("div", { className: "picture", tabIndex: 0 });
  const size = h("button", { type: "button", className: "small", onclick: () => resize() }, "Enlarge");
  const element = h("div", { className: "panel graph" }, h("div", { className: "bar" }, size), frame);
  // Its styles are the picture's own: they must not meet those of the page.
  const shadow = frame.attachShadow({ mode: "open" });
  let shown = "";

  function resize(large?: boolean): void {
    size.textContent = enlarge(large) ? "Beside the editor" : "Enlarge";
  }

  shadow.addEventListener("click", (event) => {
    const start = (event.target as Element).closest<SVGElement>("[data-start]")?.dataset["start"];
    if (start === undefined) return;
    resize(false);
    editor.jump(Number(start));
  });

  async function refresh(): Promise<void> {
    const svg = await tools.graph(editor.source());
    if (svg === shown) return;
    shown = svg;
    // A style element would be against the page's policy; a sheet that the page makes isn't.
    const sheet = new CSSStyleSheet();
    const plain = svg.replace(/<style>(.*?)<\/style>/s, (_, style: string) => {
      sheet.replaceSync(style + fitting);
      return "";
    });
    const picture = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
    picture.style.minWidth = `${Number(picture.getAttribute("width")) * SMALLEST}px`;
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(picture);
  }
  return {
    id: "graph",
    title: "Graph",
    element,
    changed: () => refresh().catch(tellFailure),
    left: () => resize(false),
  };
}
