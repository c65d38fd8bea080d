import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve, start } from "../../../packages/cli/test/support/async-cli.ts";
import { bin, configc, folderWith } from "../../../packages/cli/test/support/cli.ts";
import { isTried } from "../../support/cases.ts";
import { HostileServer } from "../harness/index.ts";

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
/** CI tries each text in some of the formats, and each format with some of the texts. */
const formatsOf = (name: string): string[] =>
  formats.filter((_, index) => isTried(index + Object.keys(hostile).indexOf(name)));

test.each(Object.entries(hostile))("%s from a document acts in no format of check", (name, text) => {
  const cwd = folderWith({ "w.app.json": config(text, "https://api.example.com") });
  for (const format of formatsOf(name)) {
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

test.each(Object.entries(hostile))("%s in the name of a file acts nowhere", (what, text) => {
  const name = `${text.replaceAll("/", "")}.app.json`;
  const folder = `${text.replaceAll("/", "")}.d`;
  const files = {
    [name]: config("x", "https://api.example.com"),
    [`${folder}/configc.config.json`]: '{"rules": {"no-such-rule": "off"}}',
    [`${folder}/b.app.json`]: "{",
  };
  const cwd = folderWith(files);
  for (const format of formatsOf(what))
    for (const target of [[name], [folder], ["no such file", `${text}/nothing.app.json`]]) {
      const { stdout, stderr } = configc(["check", "--no-cache", "--format", format, ...target], { cwd });
      expect(stdout + stderr, format).not.toMatch(raw);
      expect(stdout + stderr, format).not.toMatch(command);
    }
});

test.each(Object.entries(hostile).filter(([, text]) => /^[\x20-\xff\u001b]*$/.test(text)))(
  "%s in a header acts in no trace",
  async (_name, text) => {
    const origin = await serveRaw(text);
    const cwd = folderWith({ "w.app.json": config("x", origin) });
    const source = "workflows.w.data_pipeline.source";
    const { stdout, stderr } = await start(
      ["run", "w.app.json", source, "--trace", "--allow-private-network"],
      { cwd },
    ).done;
    expect(stdout + stderr).not.toMatch(raw);
  },
);

/** A service whose answer has a text as the value of a header, as it is. */
async function serveRaw(text: string): Promise<string> {
  const server = await HostileServer.start(() => [
    {
      send: Buffer.from(
        `HTTP/1.1 200 OK\r\nx-hostile: ${text}\r\ncontent-type: application/json\r\ncontent-length: 1\r\nconnection: close\r\n\r\n1`,
        "latin1",
      ),
    },
  ]);
  onTestFinished(() => server.close());
  return server.origin;
}

test.each(Object.entries(hostile))("%s in what an app prints is one line of a host's log", (_name, text) => {
  const program = [
    'import { stderrLog } from "@configc/host";',
    `stderrLog.write({ pointer: "/x", message: ${JSON.stringify(text)} });`,
  ].join("\n");
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^\/x: [^\n]*\n$/);
  expect(stderr).not.toMatch(raw);
});

describe("on a terminal with colours", () => {
  /** All that a terminal is told: both outputs, as `script` sees them. */
  const onTerminal = (args: readonly string[], cwd: string): string =>
    execFileSync("script", ["-qec", [process.execPath, bin, ...args].map(quoted).join(" "), "/dev/null"], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, TERM: "xterm-256color", NO_COLOR: "", CI: "" },
    });

  test.skipIf(process.platform !== "linux")("colours are ours alone", () => {
    const red = "\u001b[31mowned\u001b[0m";
    const cwd = folderWith({ "w.app.json": config(red, "https://api.example.com") });
    const text = onTerminal(["check", "--no-cache", "w.app.json", "||", "true"], cwd);
    expect(text).toMatch(/\u001b\[\d+m/);
    expect(text).not.toContain("\u001b[31mowned");
    expect(text).toMatch(/\\u001b\[31mowned|\u241b\[31mowned/);
  });

  test.skipIf(process.platform !== "linux")(
    "what a jq program writes for a person acts no more than results do",
    () => {
      const cwd = folderWith({});
      const program = '"\\u001b]0;a\\u0007" | stderr, ("\\u001b[31mx" | halt_error)';
      const text = onTerminal(["jq", "-n", program, "||", "true"], cwd);
      expect(text).toContain("\\u001b]0;a\\u0007");
      expect(text).toContain("\\u001b[31mx");
      expect(text).not.toMatch(/\u001b\]0|\u001b\[31mx/);
    },
  );
});

const quoted = (argument: string): string =>
  argument === "||" || argument === "true" ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
