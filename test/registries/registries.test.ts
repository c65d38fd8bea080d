import { describe, expect, test } from "vitest";
import { fileTypes } from "../../scripts/registries/entries/nvim-lspconfig.ts";
import { entries } from "../../scripts/registries/entries.ts";
import { readFacts } from "../../scripts/registries/facts.ts";

/** What goes to registries of tools, judged by what each of them asks for. */

const facts = readFacts();

test.each(entries.map((entry) => [entry.name, entry] as const))(
  "%s has nothing against it",
  async (_, entry) => {
    expect(await entry.problems(entry.files(facts), facts)).toEqual([]);
  },
);

/** Each a change of one file that its registry would refuse, and what is said of it. */
const refused: readonly [id: string, file: string, from: string, to: string, problem: string][] = [
  ["schemastore", "catalog-entries.json", '"configc.config.json"', '"*.json"', "and no others"],
  ["nvim-lspconfig", "lsp/configc.lua", "  cmd = ", "  command = ", "`cmd` is missing"],
  ["schemastore", "catalog-entries.json", 'network"', 'network."', "may not begin or end with a sign"],
  ["schemastore", "catalog-entries.json", '"Settings of', '"Schema for', "may not say “schema”"],
  ["mason", "packages/configc/package.yaml", "- Jq", "- jq", "isn't written as in other packages"],
  ["mason", "packages/configc/package.yaml", "---\n", "", "has to begin with"],
  ["mason", "packages/configc/package.yaml", "- LSP", "- Server", "`Server` is no category"],
  ["mason", "packages/configc/package.yaml", `@${facts.version}`, "", "names no version"],
  ["helix", "languages.toml", "[language-server.configc]", "[language-server.other]", "no server `configc`"],
  ["helix", "languages.toml", 'name = "appconfig"', 'name = "apps"', "no query for colours"],
  ["zed", "extension.toml", 'rev = "4', 'rev = "master', "names no commit"],
  ["zed", "extension.toml", 'id = "configc"', 'id = "configc-zed"', "neither “zed” nor"],
  ["zed", "registry/extensions.toml", "version = ", "versions = ", "isn't that of extension.toml"],
  ["zed", "LICENSE", "Apache License", "Licence", "a licence that is accepted is missing"],
  ["zed", "extension.toml", 'languages = ["App config"]', 'languages = ["JSON"]', "no language `JSON`"],
  ["lsp4ij", "configc/template.json", "fileTypeMappings", "fileTypes", "`fileTypeMappings` is missing"],
  ["lsp4ij", "configc/installer.json", "configc/node_modules", "configc", "npm would install beside"],
  ["homebrew", "Formula/configc.rb", "\nend\n", "\n", "blocks are opened"],
];

test.each(refused)("%s: %s with %j as %j is refused", async (id, file, from, to, problem) => {
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`There is no entry ${id}.`);
  const files = entry.files(facts);
  expect(files[file]).toContain(from);
  const changed = { ...files, [file]: files[file]?.replace(from, to) ?? "" };
  expect((await entry.problems(changed, facts)).join("\n")).toContain(problem);
});

describe("addresses", () => {
  test("are asked for until the manifest has them", () => {
    for (const entry of entries.filter(({ id }) => id !== "dev-container"))
      expect(entry.missing({ ...facts, repository: undefined }).join("\n")).toContain(
        "the repository's address",
      );
  });

  test("stand in the files once they are known", () => {
    const known = { ...facts, homepage: "https://configc.test", repository: "https://git.test/configc" };
    const texts = entries.map((entry) => JSON.stringify(entry.files(known))).join("\n");
    expect(texts).toContain("https://configc.test/schemas/integration-app.schema.json");
    expect(texts).toContain("https://git.test/configc");
    expect(texts).not.toContain("configc.example");
  });
});

test("Neovim's patterns match the names of configs and no others", () => {
  const patterns = [...fileTypes(facts).matchAll(/\["(.*?)"\]/g)].map(
    ([, pattern]) => new RegExp(`^${pattern?.replaceAll("%", "\\")}$`),
  );
  const matches = (name: string) => patterns.some((pattern) => pattern.test(name));
  expect(["shop.app.json", "a/shop.app.jsonc"].filter(matches)).toHaveLength(2);
  expect(["shop.json", "shop.apptest.json", "app.json5"].filter(matches)).toEqual([]);
});
