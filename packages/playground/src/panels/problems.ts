import { count, h, prose } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import { applyFix } from "../editor/fixes.ts";
import type { Problem, Severity } from "../editor/problems.ts";

const order: readonly Severity[] = ["error", "warning", "info", "hint"];

interface ProblemsPanel {
  show(problems: readonly Problem[]): void;
}

/** The list of findings: a click goes to the place, the rule's name to what it says. */
export function problemsPanel(
  { summary, list }: { readonly summary: HTMLElement; readonly list: HTMLElement },
  editor: Editor,
  explain: (rule: string) => void,
): ProblemsPanel {
  return {
    show(problems) {
      summary.replaceChildren(...summaryOf(problems));
      list.replaceChildren(
        ...(problems.length === 0
          ? [h("li", { className: "nothing" }, "Nothing to complain about.")]
          : problems.map((problem) => row(problem, editor, explain))),
      );
    },
  };
}

function summaryOf(problems: readonly Problem[]): Node[] {
  return order.flatMap((severity) => {
    const number = problems.filter((problem) => problem.severity === severity).length;
    return number === 0 ? [] : [h("span", { className: `badge ${severity}` }, count(number, severity))];
  });
}

function row(problem: Problem, editor: Editor, explain: (rule: string) => void): HTMLElement {
  const { severity, message, help, rule, line, column, from, to, fixes } = problem;
  const fix = fixes.find(({ preferred }) => preferred);
  return h(
    "li",
    { className: `problem ${severity}` },
    h(
      "button",
      { className: "place", type: "button", onclick: () => editor.jump(from, to) },
      h("span", { className: "dot", attributes: { role: "img", "aria-label": severity } }),
      h("span", { className: "message" }, ...prose(message)),
      h("span", { className: "line" }, `${line}:${column}`),
    ),
    h(
      "div",
      { className: "more" },
      help === undefined ? undefined : h("span", { className: "help" }, ...prose(help)),
      h("button", { className: "rule link", type: "button", onclick: () => explain(rule) }, rule),
      fix === undefined
        ? undefined
        : h(
            "button",
            { className: "small", type: "button", onclick: () => applyFix(editor.view, fix) },
            ...prose(fix.title),
          ),
    ),
  );
}
