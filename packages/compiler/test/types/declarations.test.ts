import { basename } from "node:path";
import { compile, declarationsOf } from "@configc/compiler";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { validConfigs } from "../support/configs.ts";

/** The `.d.ts` of every example and template is as it was, and TypeScript takes it. After a wanted change: `-u`, and read it. */
const configs = validConfigs().map(({ path, text, samples }) => ({
  name: basename(path).replace(/\.app\.jsonc?$/, ""),
  text: declarationsOf(compile(text, { uri: path, samples })),
}));

test.each(configs)("$name", async ({ name, text }) => {
  await expect(text).toMatchFileSnapshot(`declarations/${name}.d.ts.txt`);
});

/** What TypeScript says of files that are in memory. */
function problems(files: ReadonlyMap<string, string>): string[] {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, lib: ["lib.es2022.d.ts"], types: [] };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, target) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

describe("TypeScript", () => {
  test("takes them all, and odd names; and a host can rely on them", () => {
    const odd = compile(
      JSON.stringify({
        api: { base_url: "https://${subdomain}.example.com" },
        auth: {
          "a`b": {
            type: "oauth2",
            configuration: { scopes: ["x\u2028", '"'], token_url: "https://t.example.com" },
          },
        },
        workflows: [
          { name: "__proto__" },
          {
            name: "__proto__",
            setup: { connect: { describe_connection: { "!http": { url: "${data.workflow.url}" } } } },
          },
          {
            name: "a\n*/ b",
            setup: {
              select: {
                form_fields: [
                  { id: "one", type: "dropdown", options: [] },
                  {
                    id: "one",
                    type: "text",
                    options: { "!http": { path: "https://Other.example.com:8443/x" } },
                  },
                ],
              },
              connect: { describe_connection: { "!jq": '{"constructor": -0, "a b": [1, "x"], c: {}}' } },
            },
          },
        ],
      }),
    );
    const files = new Map(configs.map(({ name, text }) => [`/${name}.d.ts`, text]));
    files.set("/odd.d.ts", declarationsOf(odd));
    files.set(
      "/host.ts",
      `import type { Capabilities, Intakes, SavedData, Workflows } from "./payments";
       const key: keyof Workflows = "stripe-create-or-update-customers";
       const given: Workflows["stripe-import-paid-invoices-as-deals"]["custom_data"]["invoices"]["value"] = "manual";
       const state: Intakes["paid-invoices"]["polling_state"] = { since: 1, until: 1, after: null };
       const asked: Capabilities["requests"][0]["methods"] = "DELETE";
       const saved: SavedData = { workflow: {}, connection: {}, application: { id: "we_1" } };
       // @ts-expect-error there is no such option
       const other: typeof given = "others";
       export { asked, given, key, other, saved, state };`,
    );
    expect(problems(files)).toEqual([]);
    expect(files.get("/odd.d.ts")).toContain('{ host: "other.example.com:8443"; methods: "GET"; }');
    expect(files.get("/odd.d.ts")).toMatch(/one: \{\s+value: unknown;/);
  });
});
