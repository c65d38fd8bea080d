import { count, h } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import type { ToolsClient } from "../tools/client.ts";
import { simulationReport, verdictOf } from "./simulation-report.ts";
import { StartStop } from "./start-stop.ts";
import type { Panel } from "./tabs.ts";

/** Random worlds for each workflow: with a fixed number the same report comes on every machine. */
const SEEDS = 20;

const ABOUT =
  "The app runs against a service that is derived from it, in many small worlds: records change between two pages, lists show changes late, requests fail. It runs in your browser, and nothing is sent.";

/** Runs the app against a simulated service, and shows the smallest worlds in which data gets lost. */
export function simulatePanel(editor: Editor, tools: ToolsClient, runner: ToolsClient): Panel {
  const buttons = new StartStop(
    "Simulate",
    () => void buttons.during(simulate),
    () => runner.stop(),
  );
  const status = h("p", { className: "summary", attributes: { role: "status" } });
  const result = h("div", { className: "result" }, h("p", { className: "nothing" }, ABOUT));

  async function simulate(): Promise<void> {
    status.replaceChildren(h("span", {}, "Simulating …"));
    runner.onProgress = ({ workflow, worlds, failures }) =>
      status.replaceChildren(
        h("strong", {}, workflow),
        h("span", {}, count(worlds, "world")),
        failures === 0 ? "" : h("span", {}, `${failures} broken`),
      );
    try {
      const report = await runner.simulate(editor.source(), SEEDS);
      status.replaceChildren(...verdictOf(report));
      result.replaceChildren(...simulationReport(report, (pointer) => void reveal(pointer)));
    } catch (error) {
      status.replaceChildren();
      const message = error instanceof Error ? error.message : `${error}`;
      result.replaceChildren(
        h("div", { className: "failure", attributes: { role: "alert" } }, h("pre", {}, message)),
      );
    }
  }

  /** The nearest command around a place: parameters are within one. */
  async function reveal(pointer: string): Promise<void> {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const span = await tools.place(editor.source(), at);
      if (span !== undefined) return editor.jump(span.start, span.end);
    }
  }

  const bar = h("div", { className: "bar" }, buttons.start, buttons.stop);
  const element = h("div", { className: "panel run" }, bar, status, result);
  return { id: "simulate", title: "Simulate", element };
}
