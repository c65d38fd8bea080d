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

/** Says that something failed which nobody waits for. The next answer may come all the same. */
export function tellFailure(error: unknown): void {
  // The client library rejects with what the server answered, which is no Error.
  const { message } = error as { readonly message?: unknown };
  toast(`There is no answer: ${typeof message === "string" ? message : String(error)}`);
}
