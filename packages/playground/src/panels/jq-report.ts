import { h } from "../dom.ts";
import type { JqProblem, JqReport } from "../tools/protocol.ts";
import { jsonText } from "./json.ts";
import type { TextField } from "./text-field.ts";

/** What a person writes, by what problems call it. */
export type JqFields = Readonly<Record<"program" | "input" | "type", TextField>>;

/** Underlines each problem where it is. */
export function markProblems(fields: JqFields, problems: readonly JqProblem[]): void {
  for (const [name, field] of Object.entries(fields))
    field.mark(
      problems
        .filter(({ in: place }) => place === name || (name === "program" && place === "run"))
        .map(({ severity, message, start: from, end: to }) => ({ severity, message, from, to })),
    );
}

const places = { run: "This run failed", input: "The input", type: "The type of an input" } as const;

/** A line of the list of problems, which leads to its place. */
export function problemRow({ in: place, severity, message, start, end }: JqProblem, fields: JqFields) {
  const field = fields[place === "run" ? "program" : place];
  const said = place === "program" ? message : `${places[place]}: ${message}`;
  return h(
    "li",
    { className: `problem ${severity}` },
    h(
      "button",
      { className: "place", type: "button", onclick: () => field.select(start, end) },
      h("span", { className: "dot", attributes: { role: "img", "aria-label": severity } }),
      h("span", { className: "message" }, said),
    ),
  );
}

export function outputsShown({ outputs, left }: JqReport): readonly Node[] {
  const nothing = (text: string): Node => h("p", { className: "nothing" }, text);
  return [
    ...(outputs.length === 0 ? [nothing("There is no output.")] : outputs.map(jsonText)),
    ...(left === 0 ? [] : [nothing("There are more outputs, which aren't shown.")]),
  ];
}

/** What the program takes and gives. */
export function typesShown({ input, output }: JqReport): readonly Node[] {
  return [
    h("span", { className: "label" }, "takes"),
    h("pre", { className: "type" }, input),
    h("span", { className: "label" }, "gives"),
    h("pre", { className: "type" }, output),
  ];
}
