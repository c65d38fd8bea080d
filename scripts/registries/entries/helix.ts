import { parse } from "smol-toml";
import { type Entry, missingAddresses } from "../entry.ts";
import type { Facts } from "../facts.ts";

const FILE = "languages.toml";
/** A language has no colours without queries of its own; these are JSON's. */
const QUERIES = ["highlights", "indents", "textobjects"];
const INHERITS = "; inherits: json\n";

/** The server and the language, as `languages.toml` has them. */
export function helixLanguages({ server: [command, ...args], languageId, patterns }: Facts): string {
  const globs = patterns.map((pattern) => `{ glob = ${JSON.stringify(pattern)} }`);
  return [
    "[language-server.configc]",
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
    "",
    "[[language]]",
    `name = "${languageId}"`,
    `scope = "source.json.${languageId}"`,
    `file-types = [${globs.join(", ")}]`,
    'comment-tokens = "//"',
    'indent = { tab-width = 2, unit = "  " }',
    'grammar = "json"',
    'language-servers = ["configc"]',
  ].join("\n");
}

export const helix: Entry = {
  id: "helix",
  name: "Helix",
  goes: "a pull request to helix-editor/helix: what is to be added to its languages.toml, and the queries; `cargo xtask docgen` there writes the table of languages",
  files: (facts) => ({
    [FILE]: `${helixLanguages(facts)}\n`,
    ...Object.fromEntries(
      QUERIES.map((query) => [`runtime/queries/${facts.languageId}/${query}.scm`, INHERITS]),
    ),
  }),
  problems(files) {
    const { language, "language-server": servers } = parse(files[FILE] ?? "") as {
      language?: readonly Record<string, unknown>[];
      "language-server"?: Readonly<Record<string, unknown>>;
    };
    const [entry = {}] = language ?? [];
    const problems = ["name", "scope", "file-types"]
      .filter((member) => !(member in entry))
      .map((member) => `\`${member}\` is missing`);
    if (files[`runtime/queries/${entry["name"]}/highlights.scm`] === undefined)
      problems.push("there is no query for colours");
    for (const name of (entry["language-servers"] as string[] | undefined) ?? [])
      if (servers?.[name] === undefined) problems.push(`there is no server \`${name}\``);
    return problems;
  },
  missing: missingAddresses,
};
