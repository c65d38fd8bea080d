import type { Failure, PartReport } from "@configc/simulate";
import { count, h, prose } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { SimulationReport } from "../tools/protocol.ts";
import type { Panel } from "./tabs.ts";

/** Random worlds for each workflow: with a fixed number the same report comes on every machine. */
const SEEDS = 20;

/** Runs the app against a simulated service, and shows the smallest worlds in which data gets lost. */
export function simulatePanel(editor: Editor, tools: ToolsClient, runner: ToolsClient): Panel {
  const start = h(
    "button",
    { type: "button", className: "primary", onclick: () => void simulate() },
    "Simulate",
  );
  const stop = h("button", { type: "button", hidden: true, onclick: () => runner.stop() }, "Stop");
  const status = h("p", { className: "summary", attributes: { role: "status" } });
  const result = h(
    "div",
    { className: "result" },
    h(
      "p",
      { className: "nothing" },
      "The app runs against a service that is derived from it, in many small worlds: records change between two pages, lists show changes late, requests fail. It runs in your browser, and nothing is sent.",
    ),
  );

  async function simulate(): Promise<void> {
    start.disabled = true;
    stop.hidden = false;
    status.replaceChildren(h("span", {}, "Simulating …"));
    runner.onProgress = ({ workflow, worlds, failures }) =>
      status.replaceChildren(
        h("strong", {}, workflow),
        h("span", {}, count(worlds, "world")),
        failures === 0 ? "" : h("span", {}, `${failures} broken`),
      );
    try {
      show(await runner.simulate(editor.source(), SEEDS));
    } catch (error) {
      status.replaceChildren();
      const message = error instanceof Error ? error.message : `${error}`;
      result.replaceChildren(
        h("div", { className: "failure", attributes: { role: "alert" } }, h("pre", {}, message)),
      );
    } finally {
      start.disabled = false;
      stop.hidden = true;
    }
  }

  function show({ report: { parts }, told, ran, neverRan }: SimulationReport): void {
    const broken = parts.reduce((sum, { failures }) => sum + failures.length, 0);
    const worlds = parts.reduce((sum, part) => sum + part.worlds, 0);
    const failing = parts.filter(({ failsAnyway = false }) => failsAnyway).length;
    const verdict =
      broken === 0 && failing > 0
        ? `${count(failing, "workflow")} can't run with any service`
        : worlds === 0
          ? "Nothing could be tried"
          : broken === 0
            ? "No law broke in what was tried"
            : `${count(broken, "way")} in which a law breaks`;
    status.replaceChildren(h("strong", {}, verdict), h("span", {}, count(worlds, "world")));
    result.replaceChildren(
      ...parts.map((part, index) => partOf(part, told[index] ?? [])),
      h("h3", {}, "Ran in any world"),
      h(
        "details",
        {},
        h("summary", {}, ran),
        h("ul", { className: "told" }, ...neverRan.map((line) => h("li", {}, line))),
      ),
    );
  }

  function partOf(
    { kind, workflow, intake, roles, assumptions, failures }: PartReport,
    told: readonly string[],
  ): HTMLElement {
    return h(
      "section",
      {},
      h(
        "h3",
        {},
        `${workflow}${kind === "setup" ? ", its guided setup" : intake === undefined ? "" : `, by ${intake}`}`,
      ),
      ...failures.map(failureOf),
      h("pre", { className: "told" }, told.join("\n")),
      roles.length === 0
        ? undefined
        : h(
            "details",
            {},
            h("summary", {}, "The service is taken for this"),
            h(
              "ul",
              { className: "told" },
              ...[...roles, ...assumptions].map((line) => h("li", {}, ...prose(line))),
            ),
          ),
    );
  }

  function failureOf({ law, message, needs, story, cure, pointer }: Failure): HTMLElement {
    const takes = needs.length === 0 ? "nothing special of the service" : needs.join(", ");
    return h(
      "article",
      { className: "failure" },
      h("strong", {}, law),
      h("p", {}, ...prose(`${message} It takes ${takes}.`)),
      h("pre", { tabIndex: 0, attributes: { "aria-label": "Story" } }, story.join("\n")),
      h("p", {}, h("strong", {}, "Cure: "), ...prose(cure)),
      h(
        "button",
        { type: "button", className: "small", onclick: () => void reveal(pointer) },
        "Go to its place",
      ),
    );
  }

  /** The nearest command around a place: parameters are within one. */
  async function reveal(pointer: string): Promise<void> {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const span = await tools.place(editor.source(), at);
      if (span !== undefined) return editor.jump(span.start, span.end);
    }
  }

  return {
    id: "simulate",
    title: "Simulate",
    element: h(
      "div",
      { className: "panel run" },
      h("div", { className: "bar" }, start, stop),
      status,
      result,
    ),
  };
}
