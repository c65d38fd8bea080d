import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepPayload } from "../src/run/keep-samples.ts";

/** `configc dev --samples`: what webhooks send becomes samples. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configc-payloads-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("each payload that is new is kept beside the config, masked", () => {
  const config = join(folder, "shop.app.json");
  const keep = (payload: object) =>
    keepPayload(config, { intake: "order.paid", payload: payload as never, numbered: false });
  expect(keep({ id: 7, email: "ada@lovelace.example", note: "for Ada" })).toMatch(
    /webhook-order-paid\.json$/,
  );
  // Differs in nothing that is left of it.
  expect(keep({ id: 7, email: "bob@lovelace.example", note: "for Bob" })).toBeUndefined();
  expect(keep({ id: 7, email: null, note: "" })).toMatch(/webhook-order-paid-2\.json$/);
  const files = readdirSync(join(folder, "shop.samples")).sort();
  expect(files).toEqual(["webhook-order-paid-2.json", "webhook-order-paid.json"]);
  expect(JSON.parse(readFileSync(join(folder, "shop.samples/webhook-order-paid.json"), "utf8"))).toEqual({
    webhook: "order.paid",
    numbered: false,
    payload: { id: 0, email: "person@example.com", note: "text" },
  });
});
