import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { noSamples } from "@configc/compiler";
import { fileOnDisk, SampleFiles, samplesFolder } from "@configc/language-server/samples";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** Samples and OpenAPI documents on disk. */

let folder: string;
let problems: string[];
let files: SampleFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configc-sample-files-"));
  problems = [];
  files = new SampleFiles((_, problem) => problems.push(problem));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const exchange = (path: string) => ({ request: { path }, response: { body: {} } });
const config = () => join(folder, "shop.app.jsonc");
const sources = (...patterns: string[]) => ({ folder, patterns });
const urls = (...patterns: string[]) =>
  files.of(config(), sources(...patterns)).responses.map(({ url }) => url);

test.each([
  ["shop.app.json", "shop.samples"],
  ["a/shop.app.jsonc", "a/shop.samples"],
  ["other.json", "other.samples"],
])("the samples of %s are in %s", (name, expected) => {
  expect(samplesFolder(name)).toBe(expected);
});

describe("what is read", () => {
  test("nothing where there is nothing", () => {
    expect(files.of(config(), undefined)).toEqual(noSamples);
    expect(urls("nothing/*.json", "**")).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["either", ["s/{a,b}.json"], ["/a", "/b"]],
    ["either folder, one of them not there", ["{s,t,nothing}/a.json"], ["/a", "/t"]],
    ["either of either", ["{s/{a,b},t/a}.json"], ["/a", "/b", "/t"]],
    ["one of a few letters", ["s/[ab].json"], ["/a", "/b"]],
    ["a range of letters", ["s/[b-z].json"], ["/b", "/c"]],
    ["none of a few letters", ["s/[!ab].json"], ["/c"]],
    ["no range", ["s/[z-a].json"], []],
    ["what is taken back", ["s", "!s/b.json"], ["/a", "/c"]],
    ["what is taken back and named again", ["s/*", "!s/{a,b}.json", "s/b.json"], ["/c", "/b"]],
    ["a name with brackets and braces in it", ["u/[id].{x,y}.json"], ["/u"]],
    ["braces without a choice", ["s/{a}.json", "s/{.json"], []],
  ])("%s", (_, patterns, expected) => {
    for (const name of ["a", "b", "c"]) write(`s/${name}.json`, exchange(`/${name}`));
    write("t/a.json", exchange("/t"));
    write("u/[id].{x,y}.json", exchange("/u"));
    expect(urls(...patterns)).toEqual(expected);
  });

  test("choices without end", () => {
    expect(urls("{a,b}".repeat(40))).toEqual([]);
    expect(urls("{".repeat(50_000))).toEqual([]);
    expect(urls("[".repeat(50_000))).toEqual([]);
  });

  test("the folder beside the config, then what the settings name, each file once", () => {
    write("shop.samples/b.json", exchange("/b"));
    write("shop.samples/a.json", exchange("/a"));
    write("shop.samples/notes.txt", "");
    write("more/deep/c.json", exchange("/c"));
    write("node_modules/x/c.json", exchange("/no"));
    expect(urls()).toEqual(["/a", "/b"]);
    expect(urls("shop.samples", "**/c.json", "more/deep", "./more/*/?.json")).toEqual(["/a", "/b", "/c"]);
    expect(files.of(config(), sources("**/c.json")).own).toEqual(["a.json", "b.json"]);
    expect(problems).toEqual([]);
  });

  test("the same object while nothing has changed, so that what follows from it is kept", () => {
    const path = write("shop.samples/a.json", exchange("/a"));
    const before = files.of(config(), undefined);
    expect(files.of(config(), undefined)).toBe(before);
    expect(files.version(files.of(config(), undefined))).toBe(files.version(before));
    write("shop.samples/a.json", exchange("/changed"));
    utimesSync(path, 1, 1);
    expect(urls()).toEqual(["/changed"]);
    expect(files.version(files.of(config(), undefined))).not.toBe(files.version(before));
  });

  test("a file that can't be used is told of once", () => {
    write("shop.samples/a.json", "{");
    write("shop.samples/b.json", `\uFEFF${JSON.stringify(exchange("/b"))}`);
    expect(urls("nowhere.json")).toEqual(["/b"]);
    expect(urls("nowhere.json")).toEqual(["/b"]);
    expect(problems).toHaveLength(2);
  });
});

describe("the world file of a config (D50)", () => {
  const world = () => files.of(config(), sources("*.json")).world?.intakes;
  const said = (pages: string) => ({ intakes: { orders: { pages } } });

  test("is read beside it, and no other config's, whatever a pattern names", () => {
    write("other.world.json", said("frozen"));
    expect(world()).toBeUndefined();
    write("shop.world.json", said("moving"));
    expect(world()).toEqual({ orders: { pages: "moving" } });
    expect(problems).toEqual([]);
  });

  test("counts among the files that findings rest on, and is read again when it has changed", () => {
    const path = write("shop.world.json", said("moving"));
    const before = files.of(config(), undefined);
    expect(files.of(config(), undefined)).toBe(before);
    expect(files.inputsOf(before)).toEqual([{ ...fileOnDisk(path), parts: [] }]);
    write("shop.world.json", said("frozen"));
    utimesSync(path, 1, 1);
    expect(world()).toEqual({ orders: { pages: "frozen" } });
    expect(files.version(files.of(config(), undefined))).not.toBe(files.version(before));
    rmSync(path);
    expect(world()).toBeUndefined();
  });

  test("that can't be used is told of once", () => {
    write("shop.world.json", said("still"));
    expect(world()).toBeUndefined();
    expect(world()).toBeUndefined();
    expect(problems).toEqual(['`intakes.orders.pages` must be "frozen" or "moving"']);
  });
});

describe("folders in which changes count", () => {
  const folders = (...patterns: string[]): string[] =>
    files.folders(config(), sources(...patterns)).map((path) => relative(folder, path));

  test.each<[string, readonly string[], readonly string[]]>([
    ["that of the config, until it has samples", [], [""]],
    ["that of a file", ["api/openapi.yaml"], ["api", ""]],
    ["a folder of samples", ["api"], ["api", ""]],
    ["those that a pattern goes through", ["*/*.json"], ["", "api", "more"]],
    ["all below", ["**/x.json"], ["", "api", "more", "more/deep"]],
    ["the nearest that there is", ["more/none/at/all.json"], ["more", ""]],
  ])("%s", (_, patterns, expected) => {
    write("api/openapi.yaml", "");
    write("more/deep/x.json", exchange("/x"));
    expect(folders(...patterns).sort()).toEqual([...expected].sort());
  });

  test("that of the samples beside the config", () => {
    write("shop.samples/a.json", exchange("/a"));
    expect(folders()).toEqual(["shop.samples"]);
  });
});

describe("OpenAPI documents", () => {
  const api = { openapi: "3.0.0", info: { title: "x", version: "1" }, paths: {} };

  test("are known once they are loaded, and read again after a change", async () => {
    const path = write("api.json", api);
    const named = sources("api.json");
    expect(files.of(config(), named).documents).toEqual([]);
    expect(await files.load(config(), named)).toBe(true);
    expect(await files.load(config(), named)).toBe(false);
    expect(files.of(config(), named).documents).toMatchObject([{ name: "api.json", content: api }]);
    write("api.json", { ...api, paths: { "/a": {} } });
    utimesSync(path, 1, 1);
    expect(await files.load(config(), named)).toBe(true);
    expect(files.of(config(), named).documents[0]?.content).toMatchObject({ paths: { "/a": {} } });
  });

  test("may be YAML, and in several files", async () => {
    write(
      "api.yaml",
      'openapi: "3.1.0"\ninfo: {title: x, version: "1"}\npaths: {/a: {$ref: "paths/a.yaml"}}\n',
    );
    write("paths/a.yaml", "get: {operationId: a}\n");
    await files.load(config(), sources("api.yaml"));
    const [document] = files.of(config(), sources("api.yaml")).documents;
    expect(document?.content).toMatchObject({ paths: { "/a": { get: { operationId: "a" } } } });
  });

  test("may be referred to by their own parts", async () => {
    const schemas = { Tag: { type: "string" } };
    write("my api.json", {
      ...api,
      paths: { "/a": { $ref: "paths/a.json#/list" } },
      components: { schemas },
    });
    write("paths/a.json", { list: { get: { $ref: "b/b.json" } } });
    write("paths/b/b.json", { tag: { $ref: "../../my%20api.json#/components/schemas/Tag" } });
    await files.load(config(), sources("my api.json"));
    expect(files.of(config(), sources("my api.json")).documents[0]?.content).toMatchObject({
      paths: { "/a": { get: { tag: { $ref: "#/components/schemas/Tag" } } } },
    });
  });

  test("are read again when a part in another file changes", async () => {
    write("api.json", { ...api, paths: { "/a": { $ref: "paths/a%20b.json" } } });
    const named = sources("api.json");
    // It isn't there yet.
    await files.load(config(), named);
    expect(await files.load(config(), named)).toBe(false);
    const part = write("paths/a b.json", { get: { operationId: "a" } });
    expect(await files.load(config(), named)).toBe(true);
    expect(files.of(config(), named).documents[0]?.content).toMatchObject({
      paths: { "/a": { get: { operationId: "a" } } },
    });
    write("paths/a b.json", { get: { operationId: "other" } });
    utimesSync(part, 1, 1);
    expect(await files.load(config(), named)).toBe(true);
    expect(JSON.stringify(files.of(config(), named).documents)).toContain('"other"');
    expect(files.folders(config(), named)).toEqual([folder, join(folder, "paths")]);
  });

  test("are read without a network", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    write("api.json", { ...api, paths: { "/a": { $ref: `http://127.0.0.1:${port}/a.json` } } });
    await files.load(config(), sources("api.json"));
    server.close();
    expect(asked).toBe(0);
    expect(files.of(config(), sources("api.json")).documents).toHaveLength(1);
  });

  test.each([
    [
      "api.json",
      JSON.stringify({ swagger: "1.2", paths: {} }),
      /Swagger 1\.2.*Swagger 2\.0 and OpenAPI 3 are/,
    ],
    ["api.yaml", 'swagger: "1.2"\npaths: {}\n', /Swagger 1\.2.*Swagger 2\.0 and OpenAPI 3 are/],
    ["api.yaml", "title: A list\n", /no OpenAPI 3 document/],
  ])("of another kind are told of: %s %s", async (name, content, problem) => {
    write(name, content);
    await files.load(config(), sources(name));
    expect(files.of(config(), sources(name)).documents).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test("may have thousands of parts that refer to one another", async () => {
    const count = 5000;
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `S${index}`,
        { properties: { next: { $ref: `#/components/schemas/S${(index + 1) % count}` } } },
      ]),
    );
    write("api.json", { openapi: "3.0.0", paths: {}, components: { schemas } });
    await files.load(config(), sources("api.json"));
    expect(problems).toEqual([]);
    expect(files.of(config(), sources("api.json")).documents).toHaveLength(1);
  });

  test("that can't be read are told of", async () => {
    write("api.yaml", "openapi: [");
    await files.load(config(), sources("api.yaml"));
    await files.load(config(), sources("api.yaml"));
    expect(files.of(config(), sources("api.yaml")).documents).toEqual([]);
    expect(problems).toHaveLength(1);
    await files.load(config(), sources("nowhere.yaml"));
    expect(problems[1]).toBe("there is no such file or folder");
  });
});
