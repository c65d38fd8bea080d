import type { App } from "@configc/compiler";
import { numbersApp } from "../../../../test/support/numbers-app.ts";

/** Polls three pages of two; the version is in each item. */
export function numbers(version: string): App {
  return numbersApp({ items: 6, page: 2, frequency: 1800, version });
}
