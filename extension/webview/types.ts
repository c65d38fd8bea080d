import type { InferredType } from "@configc/language-server";
import { element } from "./element.ts";

/** What commands take and give. */
export function typesOf(title: string, types: readonly InferredType[]): HTMLElement[] {
  return [
    element("header", {}, [element("h1", { class: "state" }, [title])]),
    element(
      "div",
      { class: "scroll" },
      types.length === 0
        ? [element("p", { class: "empty" }, ["There is no command here any more."])]
        : types.map(sectionOf),
    ),
  ];
}

function sectionOf({ pointer, command, input, output }: InferredType): HTMLElement {
  const side = (name: string, type: string): HTMLElement =>
    element("div", { class: "side" }, [
      element("h3", {}, [name]),
      element("pre", { tabindex: "0", "aria-label": `${command} ${name}` }, [type]),
    ]);
  return element("section", { class: "types" }, [
    element("h2", {}, [`${command} `, element("small", {}, [pointer])]),
    element("div", { class: "sides" }, [side("takes", input), side("gives", output)]),
  ]);
}
