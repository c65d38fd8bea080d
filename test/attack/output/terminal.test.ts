import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve, start } from "../../../packages/cli/test/support/async-cli.ts";
import { configc, folderWith } from "../../../packages/cli/test/support/cli.ts";

/** Texts that do something where they are printed as they stand. */
const hostile: Readonly<Record<string, string>> = {
  "the title of a terminal": "\u001b]0;owned\u0007",
  "a cleared screen": "\u001b[2J\u001b[H",
  "C1 controls": "\u009b31m\u0085\u0090q\u009c",
  "another reading order": "\u202egnp.exe\u2066a\u2069\u200f",
  "what has no width": "\u200bhidden\u2060\ufeff",
  "a line written over": "all is well\rowned",
  "separators of lines": "a\u2028b\u2029c",
  "a command of GitHub": "a\n::error file=x::owned\n  ##[error]owned",
  "erased letters": "abc\b\b\b\u007f",
};
/** What no output may have: all that acts, but line breaks and tabs. */
const raw =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/;
const command = /^\s*(?:::error file=x|##\[)/m;

const config = (text: string, origin: string): string =>
  JSON.stringify({
    $version: "2",
    auth: {},
    api: { base_url: origin },
    [text]: text,
    workflows: [
      {
        name: "w",
        label: text,
        type: "generic",
        setup: {},
        data_pipeline: { source: { "!http": { path: "/" } }, target: { "!jq": `error("${"${x}"}")` } },
      },
    ],
  });

const formats = ["pretty", "compact", "json", "github", "gitlab", "sarif", "junit"];

test.each(Object.entries(hostile))("%s from a document acts in no format of check", (_name, text) => {
  const cwd = folderWith({ "w.app.json": config(text, "https://api.example.com") });
  for (const format of formats) {
    const { stdout, stderr } = configc(["check", "--no-cache", "--format", format, "w.app.json"], { cwd });
    expect(stdout + stderr, format).not.toMatch(raw);
    expect(stdout + stderr, format).not.toMatch(command);
    if (format === "json") expect(() => JSON.parse(stdout)).not.toThrow();
  }
});

test.each(Object.entries(hostile))(
  "%s from a service acts in nothing that run prints",
  async (_name, text) => {
    const origin = await serve((request, response) => {
      response.statusCode = request.url === "/bad" ? 418 : 200;
      response.setHeader("content-type", request.url === "/bad" ? "text/plain" : "application/json");
      response.end(request.url === "/bad" ? text : JSON.stringify({ [text]: text }));
    });
    const cwd = folderWith({ "w.app.json": config("x", origin) });
    const source = "workflows.w.data_pipeline.source";
    const good = await start(["run", "w.app.json", source, "--trace", "--allow-private-network"], { cwd })
      .done;
    expect(good.stdout + good.stderr).not.toMatch(raw);
    expect(good.stderr).not.toMatch(command);
    expect(JSON.parse(good.stdout)).toEqual({ [text]: text });

    writeFileSync(join(cwd, "w.app.json"), config("x", origin).replace('"path":"/"', '"path":"/bad"'));
    const bad = await start(["run", "w.app.json", source, "--trace", "--allow-private-network"], { cwd })
      .done;
    expect(bad.status).toBe(1);
    expect(bad.stdout + bad.stderr).not.toMatch(raw);
    expect(bad.stderr).not.toMatch(command);
  },
);
