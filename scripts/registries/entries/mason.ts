import { parse, stringify } from "yaml";
import { type Entry, missingAddresses } from "../entry.ts";
import { UNKNOWN_ADDRESS } from "../facts.ts";

const FILE = "packages/configc/package.yaml";

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
      languages: ["JSON", "jq"],
      categories: ["LSP", "DAP", "Linter"],
      source: { id: `pkg:npm/configc@${facts.version}` },
      bin: { configc: "npm:configc" },
      neovim: { lspconfig: "configc" },
    })}`,
  }),
  problems(files) {
    const entry = parse(files[FILE] ?? "") as Record<string, unknown>;
    const required = ["name", "description", "homepage", "licenses", "languages", "categories", "source"];
    const problems = required
      .filter((member) => !(member in entry))
      .map((member) => `\`${member}\` is missing`);
    const known = new Set(["Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"]);
    for (const category of entry["categories"] as string[])
      if (!known.has(category)) problems.push(`\`${category}\` is no category`);
    const { id } = entry["source"] as { id: string };
    if (!/^pkg:npm\/[a-z]+@\d+\.\d+\.\d+$/.test(id))
      problems.push(`\`${id}\` names no version of an npm package`);
    return problems;
  },
  missing: (facts) => [...missingAddresses(facts), "the package on npm, with this version"],
};
