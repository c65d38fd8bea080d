import { type Rule, rules } from "@configc/compiler";
import { coverage } from "./coverage.ts";
import { languagePages } from "./language-pages.ts";
import { between } from "./markdown.ts";
import { areaProblems, areaTable, ruleIndex } from "./rule-index.ts";
import { rulePage } from "./rule-page.ts";

export interface GeneratedDocs {
  /** Paths from the repository's root, with their whole text. */
  readonly files: ReadonlyMap<string, string>;
  /** Gaps: rows without a rule or a reason, guards that are no row, areas that nobody described. */
  readonly problems: readonly string[];
}

/** Folders in which every page is generated, so that a page of a removed rule is removed too. */
export const generatedFolders = ["docs/rules", "docs/language"] as const;

/**
 * All generated documentation, from the registry and the language table. Deterministic.
 *
 * @param readme the present readme: only what stands between its markers is replaced
 */
export function generateDocs(readme: string, registry: readonly Rule[] = rules): GeneratedDocs {
  const covered = coverage(registry);
  const files = new Map<string, string>([
    ...languagePages(),
    ["docs/rules/README.md", ruleIndex(registry)],
    ...registry.map((rule): [string, string] => {
      const { path, text } = rulePage(rule);
      return [path, text];
    }),
    ["docs/coverage.md", covered.text],
    ["README.md", between(readme, "areas", areaTable(registry))],
  ]);
  return { files, problems: [...areaProblems(registry), ...covered.problems] };
}
