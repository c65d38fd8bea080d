import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";

/* World files have no language server of their own: editors complete and check them by the schema, which the extension names. */

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const service = getLanguageService({});
service.configure({
  validate: true,
  schemas: [
    {
      uri: "configc.world.schema.json",
      fileMatch: ["*.world.json"],
      schema: JSON.parse(read("packages/cli/schemas/configc.world.schema.json")),
    },
  ],
});

/** What is completed at the mark `|` of a world file. */
async function completed(marked: string): Promise<readonly string[]> {
  const at = marked.indexOf("|");
  const document = TextDocument.create(
    "file:///orders.world.json",
    "json",
    1,
    marked.slice(0, at) + marked.slice(at + 1),
  );
  const json = service.parseJSONDocument(document);
  const list = await service.doComplete(document, document.positionAt(at), json);
  return (list?.items ?? []).map(({ label }) => label);
}

const intake = (text: string): string => `{"intakes": {"orders": {${text}}}}`;

test.each<[string, string, readonly string[]]>([
  ["the members of a file", "{|}", ["intakes"]],
  [
    "what may be known of an intake",
    intake("|"),
    [
      "because",
      "pages",
      "bounds",
      "times",
      "order",
      "ties",
      "lag",
      "burst",
      "records",
      "changes",
      "parameters",
    ],
  ],
  ["values", intake('"pages": |'), ['"frozen"', '"moving"']],
  ["values of lists", intake('"changes": [|]'), ['"create"', '"update"', '"delete"']],
  [
    "the meanings of a parameter",
    intake('"parameters": {"start": |}'),
    ['"offset"', '"cursor"', '"after"', '"none"'],
  ],
])("%s are completed", async (_name, text, wanted) => {
  expect(await completed(text)).toEqual(expect.arrayContaining([...wanted]));
});

test("what is wrong is a problem, and members say what they are", async () => {
  const text = intake('"pages": "live", "lags": 3, "lag": 0');
  const document = TextDocument.create("file:///orders.world.json", "json", 1, text);
  const json = service.parseJSONDocument(document);
  const found = await service.doValidation(document, json);
  expect(found.map(({ range }) => document.getText(range))).toEqual(['"live"', '"lags"']);
  const hover = await service.doHover(document, document.positionAt(text.indexOf('"lag":') + 1), json);
  expect(JSON.stringify(hover?.contents)).toContain("Seconds after which a list shows a change");
});

test("the extension names the schema for these files", () => {
  const { contributes } = JSON.parse(read("extension/package.json"));
  expect(contributes.jsonValidation).toContainEqual({
    fileMatch: "*.world.json",
    url: "./dist/schemas/configc.world.schema.json",
  });
  expect(read("scripts/package-extension.mjs") + read("scripts/build.mjs")).toContain("schemas");
});
