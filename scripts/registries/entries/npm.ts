import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { type Entry, missingAddresses } from "../entry.ts";
import { publishedPackages, root } from "../facts.ts";

const WORKFLOW = ".github/workflows/release.yml";

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

/** What the packages on npm and their provenance need. The files are those of the repository itself. */
export const npm: Entry = {
  id: "npm",
  name: "npm",
  goes: `published by ${WORKFLOW} when a version is tagged`,
  files: () => ({}),
  problems() {
    const { jobs } = parse(readFileSync(`${root}${WORKFLOW}`, "utf8")) as Workflow;
    const problems: string[] = [];
    for (const [name, { needs = [], permissions = {}, steps }] of Object.entries(jobs)) {
      for (const need of [needs].flat())
        if (jobs[need] === undefined) problems.push(`job ${name} needs ${need}, which isn't there`);
      const publishes = steps.some(({ run = "" }) => run.includes("npm publish"));
      if (publishes && permissions["id-token"] !== "write")
        problems.push(
          `job ${name} publishes without the permission id-token, so nothing says where it came from`,
        );
      if (publishes && [needs].flat().length === 0)
        problems.push(`job ${name} publishes what nothing has tested`);
    }
    return [...problems, ...orderProblems()];
  },
  missing(facts) {
    const missing = missingAddresses(facts);
    const without = [...publishedPackages()].filter(
      ([folder, { repository }]) => repository?.directory !== folder,
    );
    if (without.length > 0)
      missing.push(
        `\`repository\` with their own directory, which provenance is checked against, in ${without.length} packages`,
      );
    missing.push(
      "an organisation `configc` on npm, with this repository's workflow as trusted publisher of each package",
    );
    missing.push(
      "version 0.0.0 of each package, published by hand: npm takes a trusted publisher only for a package that is there",
    );
    if (!existsSync(`${root}LICENSE`)) missing.push("LICENSE");
    return missing;
  },
};

/** A package must not be published before those that it needs. */
function orderProblems(): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { name, version, dependencies = {} } of publishedPackages().values()) {
    for (const [needed, wanted] of Object.entries(dependencies)) {
      if (!needed.startsWith("@configc/")) continue;
      if (!seen.has(needed)) problems.push(`${name} needs ${needed}, which comes later in the workspaces`);
      if (wanted !== version) problems.push(`${name} ${version} needs ${needed} ${wanted}, another version`);
    }
    seen.add(name);
  }
  return problems;
}
