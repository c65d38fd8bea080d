import { Ajv } from "ajv";
import { type Entry, missingAddresses } from "../entry.ts";
import { type Facts, UNKNOWN_ADDRESS } from "../facts.ts";
import { publishedSchemas } from "../schemas.ts";

const FILE = "catalog-entries.json";

interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  readonly fileMatch: readonly string[];
  readonly url: string;
}

function entries({ homepage = UNKNOWN_ADDRESS, patterns }: Facts): CatalogEntry[] {
  const url = (file: string) => `${homepage.replace(/\/$/, "")}/schemas/${file}`;
  const matches: Record<string, readonly string[]> = {
    "integration-app.schema.json": patterns,
    "configc.config.schema.json": ["configc.config.json"],
    "configc.apptest.schema.json": ["*.apptest.json"],
    "configc.world.schema.json": ["*.world.json"],
  };
  return [...publishedSchemas()]
    .filter(([file]) => matches[file] !== undefined)
    .map(([file, text]) => {
      const { title, description } = JSON.parse(text) as { title: string; description: string };
      return {
        name: title,
        description: unended(description),
        fileMatch: matches[file] ?? [],
        url: url(file),
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A catalog's description ends without a sign. */
const unended = (text: string): string => text.replace(/\.$/, "");

export const schemaStore: Entry = {
  id: "schemastore",
  name: "SchemaStore",
  goes: "a pull request to SchemaStore/schemastore: what is to be added to src/api/json/catalog.json",
  files: (facts) => ({ [FILE]: `${JSON.stringify(entries(facts), undefined, 2)}\n` }),
  problems(files) {
    const problems: string[] = [];
    const names = new Set<string>();
    for (const { name, description, fileMatch } of JSON.parse(files[FILE] ?? "[]") as CatalogEntry[]) {
      if (name === undefined || names.has(name)) problems.push(`the name \`${name}\` is missing or taken`);
      names.add(name);
      if (description === undefined) problems.push(`${name}: the description is missing`);
      for (const text of [name, description ?? ""]) {
        if (/^[,. \t-]|[,. \t-]$/.test(text)) problems.push(`“${text}” may not begin or end with a sign`);
        if (/schema/i.test(text)) problems.push(`“${text}” may not say “schema”`);
        if (text.includes("\n")) problems.push(`“${text}” has to stand on one line`);
      }
      if (fileMatch.length === 0 || fileMatch.includes("*.json"))
        problems.push(`${name}: it has to match files of ours, and no others`);
    }
    for (const [file, text] of publishedSchemas()) problems.push(...schemaProblems(file, text));
    return problems;
  },
  missing: missingAddresses,
};

/** What editors show beside what JSON Schema knows. */
const editorKeywords = [
  "markdownDescription",
  "markdownEnumDescriptions",
  "enumDescriptions",
  "defaultSnippets",
];

/** Schemas are compiled there as strictly as Ajv can. */
function schemaProblems(file: string, text: string): string[] {
  // Newer versions aren't known to all editors, and SchemaStore advises against them.
  const { $schema } = JSON.parse(text) as { $schema?: string };
  if ($schema !== "http://json-schema.org/draft-07/schema#")
    return [`${file}: \`$schema\` has to be draft-07`];
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  ajv.addVocabulary(editorKeywords);
  try {
    ajv.compile(JSON.parse(text));
    return [];
  } catch (error) {
    return [`${file}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
