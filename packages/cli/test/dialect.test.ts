import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, exportSchema, language } from "@configc/compiler";
import { dialectOf } from "@configc/compiler/internal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nearestSettings } from "../src/settings/nearest.ts";

/** D44: what differs between platforms is a file that the settings name. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configc-dialect-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function settingsWith(dialect: string | undefined) {
  writeFileSync(join(folder, "configc.config.json"), '{"dialect": "acme.dialect.json"}');
  if (dialect !== undefined) writeFileSync(join(folder, "acme.dialect.json"), dialect);
  return nearestSettings().ofFile(join(folder, "shop.app.json"));
}

const acme = {
  brand: "Acme",
  target: "acme",
  resources: { Ticket: { fields: [{ id: "subject", title: "Subject" }] } },
  limits: { inboundWorkflows: null },
  alsoAccepted: { "!http": ["retries"] },
};

const text = JSON.stringify({
  workflows: [
    {
      name: "a",
      type: "automations",
      data_pipeline: {
        source: { "!resource": "AcmeContact" },
        target: {
          "!pipe": [{ "!http": { path: "/x", target: "acme", retries: 2 } }, { "!resource": "AcmeTicket" }],
        },
      },
    },
  ],
});

const rulesOf = (settings: Parameters<typeof compile>[1]) =>
  compile(text, settings)
    .diagnostics.map(({ finding }) => finding.rule.id)
    .filter((id) => /unknown-(?:value|member|resource)|resource\//.test(id));

test("its names, its target and its members are known, and others aren't", () => {
  const settings = settingsWith(JSON.stringify(acme));
  expect(rulesOf({ settings })).toEqual([]);
  expect(rulesOf({}).length).toBeGreaterThan(2);
});

test("the app that runs has its name for the platform's API", () => {
  expect(compile(text, { settings: settingsWith(JSON.stringify(acme)) }).app.platformTarget).toBe("acme");
  expect(compile(text).app).not.toHaveProperty("platformTarget");
});

test("the exported schema follows it", () => {
  const { dialect = {} } = settingsWith(JSON.stringify(acme));
  const schema = JSON.stringify(exportSchema(dialectOf({ dialect })));
  expect(schema).toContain('"enum":["connection","acme","external"]');
  expect(schema).toContain('"retries"');
  expect(JSON.stringify(exportSchema())).toContain('"enum":["connection","platform","external"]');
});

test("what it leaves out is as it is built in", () => {
  const { dialect = {} } = settingsWith('{"brand": "Acme"}');
  expect(dialectOf({ dialect })).toEqual({ ...language.builtinDialect, brand: "Acme" });
});

describe("what is wrong with it is said at its place", () => {
  test.each([
    ['{"brnad": "Acme"}', /acme\.dialect\.json:1:2: .*There is no member “brnad”.*brand/],
    ['{"target": "external"}', /acme\.dialect\.json:1:2: .*connection/],
    ['{"limits": {"inboundWorkflows": "many"}}', /acme\.dialect\.json:1:13/],
    ["{", /acme\.dialect\.json:1:\d+: .*isn't JSON/],
    [undefined, /dialect file .*acme\.dialect\.json can't be opened/],
  ])("%s", (dialect, says) => {
    expect(() => settingsWith(dialect)).toThrow(says);
  });
});
