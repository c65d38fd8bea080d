import { once } from "node:events";
import { expect, test } from "vitest";
import { startConfigc } from "./support/cli.ts";

/** What `configc jq` reads and writes may be larger than its memory: many megabytes go through pipes. */

test.each([
  ["each value", ["-n", "reduce inputs as $x (0; . + 1)"], "", "\n", "", "200000\n"],
  ["the items of one", ["--stream", "-n", "reduce inputs as $x (0; . + 1)"], "[", ",", "]", "600001\n"],
])("of a long input no more is kept than is needed: %s", async (_, args, start, between, end, output) => {
  const child = startConfigc(["jq", ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "--max-old-space-size=24" },
  });
  let seen = "";
  child.stdout?.on("data", (chunk) => {
    seen += String(chunk);
  });
  const item = `{"id":"${"x".repeat(150)}","n":2}`;
  const thousand = Array.from({ length: 1000 }, () => item).join(between);
  for (let part = 0; part < 200; part++) {
    const before = part === 0 ? start : between;
    if (child.stdin?.write(before + thousand) === false) await once(child.stdin, "drain");
  }
  child.stdin?.end(end);
  const [status] = await once(child, "close");
  expect({ status, seen }).toEqual({ status: 0, seen: output });
});

test("no output is too long", async () => {
  const child = startConfigc(["jq", "-n", '"x" * 3e7 | [., .]'], { stdio: ["ignore", "pipe", "inherit"] });
  let length = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  const [status] = await once(child, "close");
  expect({ status, length }).toEqual({ status: 0, length: 60_000_000 + '[\n  "",\n  ""\n]\n'.length });
});
