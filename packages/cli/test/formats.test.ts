import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { XMLParser } from "fast-xml-parser";
import type { Log } from "sarif";
import { describe, expect, test } from "vitest";
import { formatNames } from "../src/formats/names.ts";
import { configc } from "./support/cli.ts";
import { junitProblems } from "./support/junit.ts";

// One folder a case: its configs, and in `expected` what each format prints. `npx vitest run packages/cli -u` renews them.
const fixtures = fileURLToPath(new URL("./fixtures/formats/", import.meta.url));
const cases = readdirSync(fixtures);

const outputs = new Map<string, string>();

/** What the command prints; each is looked at by several tests. */
function output(name: string, format: string): string {
  const key = `${name} ${format}`;
  let text = outputs.get(key);
  if (text === undefined) {
    const folder = join(fixtures, name);
    const files = readdirSync(folder).filter((file) => file !== "expected");
    text = configc(["check", "--no-config", "--format", format, ...files], { cwd: folder }).stdout;
    outputs.set(key, text);
  }
  return text;
}

describe.each(cases)("%s", (name) => {
  test.each(formatNames)("%s", async (format) => {
    // The version of a release isn't what is tested.
    const text = output(name, format).replace(/"semanticVersion": "[^"]*"/, '"semanticVersion": "0.0.0"');
    await expect(text).toMatchFileSnapshot(join(fixtures, name, "expected", `${format}.txt`));
  });

  test("ranges lie inside the text", () => {
    const reports = JSON.parse(output(name, "json")) as {
      files: {
        path: string;
        diagnostics: { range: { start: { offset: number }; end: { offset: number } } }[];
      }[];
    };
    for (const { path, diagnostics } of reports.files) {
      const bytes = readFileSync(join(fixtures, name, path));
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      for (const { range } of diagnostics) {
        expect(range.start.offset).toBeLessThanOrEqual(range.end.offset);
        expect(range.end.offset).toBeLessThanOrEqual(text.length);
      }
    }
  });
});

describe("sarif", () => {
  const schema: Record<string, unknown> = JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
      "utf8",
    ),
  );
  // Written for draft-04, of which it uses nothing that later drafts read otherwise.
  delete schema["$schema"];
  delete schema["id"];
  // Its patterns were written before regular expressions knew `u`.
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);

  test.each(cases)("%s is valid by the schema of SARIF 2.1.0", (name) => {
    validate(JSON.parse(output(name, "sarif")));
    expect(validate.errors).toBeNull();
  });

  test("the schema does refuse what isn't SARIF", () => {
    const log = JSON.parse(output("mistakes", "sarif")) as Log;
    log.runs[0]!.results![0]!.level = "fatal" as "error";
    expect(validate(log)).toBe(false);
  });

  test("each result names its rule, region and fingerprint; fixes and related places are there", () => {
    const [run] = (JSON.parse(output("mistakes", "sarif")) as Log).runs;
    const { rules = [] } = run!.tool.driver;
    const results = run!.results ?? [];
    for (const { ruleId, ruleIndex, locations, partialFingerprints } of results) {
      expect(rules[ruleIndex!]).toMatchObject({ id: ruleId, help: { markdown: expect.any(String) } });
      expect(locations![0]!.physicalLocation!.region).toMatchObject({
        startLine: expect.any(Number),
        endColumn: expect.any(Number),
      });
      expect(partialFingerprints).toEqual({ "configc/v1": expect.stringMatching(/^[0-9a-f]{16}$/) });
    }
    const byRule = (id: string) => results.find(({ ruleId }) => ruleId === id);
    expect(
      byRule("structure/unknown-member")?.fixes?.[0]?.artifactChanges[0]?.replacements[0]?.insertedContent
        ?.text,
    ).toBe('"method"');
    expect(byRule("syntax/duplicate-member")?.relatedLocations).toHaveLength(1);
    expect(byRule("security/plain-secret")?.level).toBe("warning");
  });

  test("addresses are relative and escaped", () => {
    const [run] = (JSON.parse(output("not-json", "sarif")) as Log).runs;
    const uris = run!.results!.map(({ locations }) => locations![0]!.physicalLocation!.artifactLocation!.uri);
    expect(uris).toContain("not%20a%20name%25%2C%3A.app.json");
  });
});

describe("github", () => {
  // By the documentation of workflow commands: `::NAME KEY=VALUE,…::MESSAGE`, with these characters escaped.
  const command =
    /^::(error|warning|notice) ((?:[a-zA-Z]+=[^,:\r\n]*)(?:,[a-zA-Z]+=[^,:\r\n]*)*)::([^\r\n]+)$/;

  test.each(cases)("%s consists of workflow commands", (name) => {
    for (const line of output(name, "github").trimEnd().split("\n")) {
      const [, , listed = ""] = command.exec(line) ?? [];
      const properties = Object.fromEntries(
        listed.split(",").map((each) => each.split("=") as [string, string]),
      );
      expect(properties, line).toMatchObject({
        file: expect.anything(),
        line: expect.stringMatching(/^\d+$/),
        title: expect.stringContaining("/"),
      });
      for (const value of Object.values(properties)) expect(value).not.toMatch(/%(?!25|0D|0A|3A|2C)/);
    }
  });

  test("separators in names are escaped", () => {
    expect(output("not-json", "github")).toContain("file=not a name%25%2C%3A.app.json,line=1");
  });
});

describe("gitlab", () => {
  // GitLab's own schema asks for less (no values of severity, no lines); its documentation says what it reads and knows.
  const schema = {
    type: "array",
    items: {
      type: "object",
      required: ["description", "check_name", "fingerprint", "severity", "location"],
      properties: {
        description: { type: "string", minLength: 1 },
        check_name: { type: "string" },
        fingerprint: { type: "string", minLength: 1 },
        severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
        location: {
          type: "object",
          required: ["path", "lines"],
          properties: {
            path: { type: "string", not: { pattern: "^(/|\\./)" } },
            lines: {
              type: "object",
              required: ["begin"],
              properties: { begin: { type: "integer", minimum: 1 } },
            },
          },
        },
      },
    },
  };
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

  test.each(cases)("%s is a Code Quality report with unique fingerprints", (name) => {
    const issues = JSON.parse(output(name, "gitlab")) as { fingerprint: string }[];
    validate(issues);
    expect(validate.errors).toBeNull();
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });
});

describe("junit", () => {
  interface Suite {
    readonly name: string;
    readonly tests: string;
    readonly failures: string;
    readonly testcase: readonly {
      readonly name: string;
      readonly classname: string;
      readonly failure?: unknown;
      readonly "system-out"?: unknown;
    }[];
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name) => name === "testsuite" || name === "testcase",
  });

  function suites(
    name: string,
    args: readonly string[] = [],
  ): { readonly text: string; readonly root: { tests: string; failures: string; testsuite: Suite[] } } {
    const folder = join(fixtures, name);
    const files = readdirSync(folder).filter((file) => file !== "expected");
    const text = configc(["check", "--no-config", "--format", "junit", ...args, ...files], {
      cwd: folder,
    }).stdout;
    return { text, root: parser.parse(text).testsuites };
  }

  test.each(cases)(
    "%s is as its schema wants it, a suite for each file, and its counts are right",
    (name) => {
      const { text, root } = suites(name);
      expect(junitProblems(text)).toEqual([]);
      const files = readdirSync(join(fixtures, name)).filter((file) => file !== "expected");
      expect(root.testsuite.map((suite) => suite.name)).toEqual(files);
      for (const suite of root.testsuite) {
        expect(suite.testcase).toHaveLength(Number(suite.tests));
        expect(suite.testcase.filter(({ failure }) => failure !== undefined)).toHaveLength(
          Number(suite.failures),
        );
        for (const each of suite.testcase) expect(each.classname).toBe(suite.name);
      }
      const sum = (key: "tests" | "failures") =>
        root.testsuite.reduce((total, suite) => total + Number(suite[key]), 0);
      expect([Number(root.tests), Number(root.failures)]).toEqual([sum("tests"), sum("failures")]);
    },
  );

  test("a warning fails only if there are more than accepted", () => {
    const warning = (args: readonly string[]) =>
      suites("mistakes", args)
        .root.testsuite.flatMap(({ testcase }) => testcase)
        .find(({ name }) => name.startsWith("security/plain-secret"));
    expect(warning([])?.failure).toBeUndefined();
    expect(warning([])?.["system-out"]).toContain("warning:");
    expect(warning(["--max-warnings", "0"])?.failure).toBeDefined();
  });
});
