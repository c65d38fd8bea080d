import type { SetupResult } from "@configc/language-server";
import { element } from "./element.ts";

export type Failure = NonNullable<SetupResult["failure"]>;

/** Something that keeps the setup from going on, read aloud as it comes. */
export function problemOf(...text: readonly (Node | string)[]): HTMLElement {
  return element("p", { class: "problem", role: "alert" }, text);
}

/** Where the command of the app stands that failed. */
export function failureLink(failure: Failure, reveal: (failure: Failure) => void): HTMLElement | string {
  if (failure.range === undefined) return "";
  const link = element("button", { type: "button", class: "link" }, ["Go to the command"]);
  link.addEventListener("click", () => reveal(failure));
  return link;
}
