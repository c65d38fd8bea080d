import { parse, stringify } from "yaml";
import { type Entry, missingAddresses } from "../entry.ts";
import { UNKNOWN_ADDRESS } from "../facts.ts";

const FILE = "packages/configc/package.yaml";

/** As the registry's other packages write them: the letters' case counts. */
const languages = new Set(["JSON", "Jq"]);

export const mason: Entry = {
  id: "mason",
  name: "Mason",
  goes: "a pull request to mason-org/mason-registry",
  files: (facts) => ({
    [FILE]: `---\n${stringify({
      name: "configc",
      description: `${facts.description}.`,
      homepage: facts.homepage ?? UNKNOWN_ADDRESS,
      licenses: [facts.licence],
      languages: ["JSON", "Jq"],
      categories: ["LSP", "DAP", "Linter"],
      source: { id: `pkg:npm/configc@${facts.version}` },
      bin: { configc: "npm:configc" },
      neovim: { lspconfig: "configc" },
    })}`,
  }),
  problems(files) {
    const text = files[FILE] ?? "";
    const entry = parse(text) as Record<string, unknown>;
    const required = ["name", "description", "homepage", "licenses", "languages", "categories", "source"];
    const problems = required
      .filter((member) => !(member in entry))
      .map((member) => `\`${member}\` is missing`);
    if (!text.startsWith("---\n")) problems.push("the document has to begin with `---`");
    if (/.{121}/.test(text)) problems.push("a line may have 120 characters at most");
    for (const language of entry["languages"] as string[])
      if (!languages.has(language)) problems.push(`\`${language}\` isn't written as in other packages`);
    const known = new Set(["Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"]);
    for (const category of entry["categories"] as string[])
      if (!known.has(category)) problems.push(`\`${category}\` is no category`);
    const { id } = entry["source"] as { id: string };
    if (!/^pkg:npm\/[a-z]+@\d+\.\d+\.\d+$/.test(id))
      problems.push(`\`${id}\` names no version of an npm package`);
    return problems;
  },
  missing: (facts) => [
    ...missingAddresses(facts),
    "the package on npm, with this version",
    "the entry at nvim-lspconfig, which `neovim.lspconfig` names",
    "evidence that people use it: the registry asks for some with each new package",
  ],
};
