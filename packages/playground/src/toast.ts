import { byId } from "./dom.ts";

const SHOWN = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something in passing; screen readers say it too. */
export function toast(message: string): void {
  const element = byId("toast");
  element.textContent = message;
  element.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove("shown"), SHOWN);
}
