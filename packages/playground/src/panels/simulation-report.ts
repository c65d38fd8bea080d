import type { Failure, PartReport } from "@configc/simulate";
import { count, h, prose } from "../dom.ts";
import type { SimulationReport } from "../tools/protocol.ts";

/** What a simulation came to, in a few words. */
export function verdictOf({ report: { parts } }: SimulationReport): readonly Node[] {
  const all = parts.flatMap(({ failures }) => failures);
  const broken = all.filter(({ isDoubtful }) => !isDoubtful).length;
  const doubtful = all.length - broken;
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
  const doubts = doubtful === 0 ? "" : `, ${count(doubtful, "way")} in doubt`;
  return [h("strong", {}, verdict + doubts), h("span", {}, count(worlds, "world"))];
}

/** What was found of each workflow. @param reveal shows the place of a JSON Pointer */
export function simulationReport(
  { report: { parts }, told, ran, neverRan }: SimulationReport,
  reveal: (pointer: string) => void,
): readonly Node[] {
  return [
    ...parts.map((part, index) => partOf(part, told[index] ?? [], reveal)),
    h("h3", {}, "Ran in any world"),
    h(
      "details",
      {},
      h("summary", {}, ran),
      h("ul", { className: "told" }, ...neverRan.map((line) => h("li", {}, line))),
    ),
  ];
}

function partOf(part: PartReport, told: readonly string[], reveal: (pointer: string) => void): HTMLElement {
  const { kind, workflow, intake, roles, assumptions, failures } = part;
  const by = kind === "setup" ? ", its guided setup" : intake === undefined ? "" : `, by ${intake}`;
  return h(
    "section",
    {},
    h("h3", {}, `${workflow}${by}`),
    ...failures.map((failure) => failureOf(failure, reveal)),
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

function failureOf(
  { law, message, needs, isDoubtful, story, cure, pointer }: Failure,
  reveal: (pointer: string) => void,
): HTMLElement {
  const takes = needs.length === 0 ? "nothing special of the service" : needs.join(", ");
  return h(
    "article",
    { className: "failure" },
    h("strong", {}, isDoubtful ? `Doubtful: ${law}` : law),
    h("p", {}, ...prose(`${message} It takes ${takes}.`)),
    h("pre", { tabIndex: 0, attributes: { "aria-label": "Story" } }, story.join("\n")),
    h("p", {}, h("strong", {}, "Cure: "), ...prose(cure)),
    h("button", { type: "button", className: "small", onclick: () => reveal(pointer) }, "Go to its place"),
  );
}
