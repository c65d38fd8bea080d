import type { App } from "@configc/compiler";
import { numbersApp } from "../../support/numbers-app.ts";

/** Items of one installation, in pages of ten. */
export const ITEMS = 50;

export function benchApp(): App {
  return numbersApp({ items: ITEMS, page: 10, frequency: 86_400, version: "1" });
}
