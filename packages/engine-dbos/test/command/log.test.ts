import { expect, test } from "vitest";
import { engineLog, jsonLog } from "../../src/command/log.ts";

test("what the engine warns of is written once in a minute, and then how often it was said meanwhile", () => {
  const lines: { message: string; repeated?: number }[] = [];
  let now = 0;
  const log = engineLog(
    jsonLog("info", (text) => lines.push(JSON.parse(text))),
    () => now,
  );
  for (let tries = 1; tries <= 300; tries++) {
    now += 190;
    log.warn(`The database is away. Retrying in ${tries / 7} s (attempt ${tries})`);
    log.debug("nobody wants to know");
  }
  log.error("The queue can't be read");
  log.error(new Error("A run failed, which is reported by itself"));
  now += 60_000;
  log.warn(new Error("The database is away. Retrying in 1 s (attempt 301)"));
  expect(lines.map(({ message, repeated }) => [message, repeated])).toEqual([
    ["The database is away. Retrying in 0.14285714285714285 s (attempt 1)", undefined],
    ["The queue can't be read", undefined],
    ["The database is away. Retrying in 1 s (attempt 301)", 299],
  ]);
});
