import { expect, test } from "vitest";
import { crash } from "./crash.ts";
import { phases } from "./phases.ts";

/** `npm run crash` ends a service at 300 points; this is the same with few. */
test("a service that is ended in any phase loses nothing and delivers nothing twice", async () => {
  const { kills, problems } = await crash({ points: 30, seed: 20_250_101, people: 40, contacts: 2 });
  expect(problems).toEqual([]);
  expect(kills).toHaveLength(30);
  expect(new Set(kills.map(({ phase }) => phase))).toEqual(new Set(phases));
}, 600_000);
