import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configc, templatePath } from "./support/cli.ts";

/** Responses that are kept beside a config, or named by the settings, are what types are learned from. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "configc-samples-"));
  const template = readFileSync(templatePath("inbound-webhook"), "utf8");
  writeFileSync(join(folder, "acme.app.json"), template.replace("display: .title", "display: .titel"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Files below the folder. */
function write(files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

const forms = {
  request: { method: "GET", path: "/forms" },
  response: { status: 200, body: { items: [{ id: 1, title: "Newsletter" }] } },
};

function rulesFound(): string[] {
  const { stdout } = configc(["check", "--format", "compact"], { cwd: folder });
  return [...stdout.matchAll(/\b[a-z]+\/[a-z-]+\b/g)]
    .map(([rule]) => rule)
    .filter((rule) => rule.startsWith("response/"));
}

describe.sequential("samples", () => {
  test("without any, nothing is said of responses", () => {
    expect(rulesFound()).toEqual([]);
  });

  test("beside the config", () => {
    write({ "acme.samples/get-forms.json": forms });
    expect(rulesFound()).toEqual(["response/misspelled-member"]);
    const { stdout } = configc(["type", "acme.app.json", "workflows.0.setup.select.form_fields.0.options"], {
      cwd: folder,
    });
    expect(stdout).toContain("output  {display: unknown, value: number}[]");
    rmSync(join(folder, "acme.samples"), { recursive: true });
  });

  test.each(["recorded/forms.json", "recorded", "recorded/*.json", "**/for?s.json"])(
    "named by the settings: %s",
    (pattern) => {
      write({
        "recorded/forms.json": { version: 1, http: [forms] },
        "configc.config.json": { samples: [pattern] },
      });
      expect(rulesFound()).toEqual(["response/misspelled-member"]);
    },
  );

  test("a file that can't be used is mentioned, once, and the others are", () => {
    write({
      "configc.config.json": { samples: ["recorded", "nowhere.json"] },
      "recorded/bad.json": "{",
      "recorded/other.json": { response: {} },
      "second.app.json": readFileSync(templatePath("outbound"), "utf8"),
    });
    const { stderr, status } = configc(["check"], { cwd: folder });
    expect(status).toBe(0);
    expect(stderr.match(/bad\.json: /g)).toHaveLength(1);
    expect(stderr).toContain("other.json: expected {request");
    expect(stderr).toContain("nowhere.json: there is no such file or folder, so nothing is learned from it.");
    expect(rulesFound()).toEqual(["response/misspelled-member"]);
  });

  test("findings for people say where types come from", () => {
    const template = readFileSync(templatePath("inbound-webhook"), "utf8");
    write({
      "configc.config.json": {},
      "why.app.json": template.replace("display: .title", "display: (.title - 1)"),
      "why.samples/get-forms.json": forms,
    });
    const { stdout } = configc(["check", "why.app.json"], { cwd: folder });
    expect(stdout).toContain("because: string <- .items[].title <- GET /forms <- get-forms.json");
    const both = ["--format", "pretty", "--output", "report.txt", "--format", "json"];
    expect(configc(["check", "why.app.json", ...both], { cwd: folder }).stdout).not.toContain("because");
  });
});
