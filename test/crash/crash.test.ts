import { expect, test } from "vitest";
import { crash } from "./crash.ts";

/** `npm run crash` ends a service at 200 points; this is the same with few. */
test("a service that is ended at any point loses nothing and delivers nothing twice", async () => {
  expect(await crash({ points: 4, seed: 20_250_101, people: 120 })).toEqual({ points: 4, problems: [] });
});
