import { type Rule, rules } from "@configc/compiler";
import { apiReport, libraries } from "../api/report.ts";
import { benchmarkChart } from "./benchmark-chart.ts";
import { checkPicture } from "./check-picture.ts";
import { commandLinePage } from "./command-line-page.ts";
import { coverage } from "./coverage.ts";
import { withEditorBlocks } from "./editor-blocks.ts";
import { graphPicture } from "./graph-picture.ts";
import { languagePages } from "./language-pages.ts";
import { lspMethods } from "./lsp-methods.ts";
import { between } from "./markdown.ts";
import { mistakesPage } from "./mistakes-page.ts";
import { areaProblems, areaTable, ruleIndex } from "./rule-index.ts";
import { rulePage } from "./rule-page.ts";
import { settingsTable } from "./settings-table.ts";
import { whatHappens } from "./what-happens.ts";

export interface GeneratedDocs {
  /** Paths from the repository's root, with their whole text. */
  readonly files: ReadonlyMap<string, string>;
  /** Gaps: rows without a rule or a reason, guards that are no row, areas that nobody described. */
  readonly problems: readonly string[];
}

const settingsSchema = "packages/cli/schemas/configc.config.schema.json";

/** Folders in which every page is generated, so that a page of a removed rule is removed too. */
export const generatedFolders = ["docs/rules", "docs/language"] as const;

/**
 * All generated documentation, from the registry, the language table, the table of verbs and the schema of the settings.
 * Deterministic.
 *
 * @param read gives the present text of a file, by its path from the repository's root: of pages that people write, only
 *   what stands between markers is replaced
 */
export function generateDocs(
  read: (path: string) => string,
  registry: readonly Rule[] = rules,
): GeneratedDocs {
  const covered = coverage(registry);
  const methods = lspMethods();
  const mistakes = mistakesPage(read);
  const files = new Map<string, string>([
    ...languagePages(),
    ["docs/rules/README.md", ruleIndex(registry)],
    ["packages/cli/src/verbs/what-happens.json", whatHappens(registry)],
    ...registry.map((rule): [string, string] => {
      const { path, text } = rulePage(rule);
      return [path, text];
    }),
    ["docs/coverage.md", covered.text],
    ["docs/mistakes.md", mistakes.text],
    ["docs/command-line.md", commandLinePage()],
    ["docs/images/benchmarks.svg", benchmarkChart(read)],
    ["docs/images/check.svg", checkPicture(read)],
    ["docs/images/graph.svg", graphPicture(read)],
    ["README.md", between(read("README.md"), "areas", areaTable(registry))],
    ...libraries.map((name): [string, string] => [`packages/${name}/api.txt`, apiReport(name)]),
    ["docs/settings.md", between(read("docs/settings.md"), "settings", settingsTable(read(settingsSchema)))],
    ["docs/editors.md", between(withEditorBlocks(read("docs/editors.md"), read), "methods", methods.text)],
  ]);
  return {
    files,
    problems: [...areaProblems(registry), ...covered.problems, ...methods.problems, ...mistakes.problems],
  };
}
