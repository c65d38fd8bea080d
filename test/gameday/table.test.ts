import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "./faults/index.ts";
import { ourRules } from "./promql/alerts.ts";
import { tableOf } from "./table.ts";

const page = new URL("../../docs/operators.md", import.meta.url);

test("the documentation lists the faults of the game day as they are played", () => {
  const table = tableOf(faults);
  const text = readFileSync(page, "utf8");
  if (process.env["DOCS_UPDATE"] !== undefined)
    writeFileSync(
      page,
      text.replace(/\| fault \| broken [\s\S]*?\n\n/, () => `${table}\n\n`),
    );
  expect(readFileSync(page, "utf8")).toContain(`${table}\n\n`);
});

test("there are thirty at least, each of another name, and their alerts exist", () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(30);
  const known = ourRules().map(({ alert }) => alert);
  for (const fault of faults)
    if ("signal" in fault && "alert" in fault.signal) expect(known).toContain(fault.signal.alert);
});
