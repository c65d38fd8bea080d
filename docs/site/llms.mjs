// The index of the site that agents look for: https://llmstxt.org

/** Which pages stand where in it; what nobody named is optional. */
const sections = {
  "Write apps": ["agents.md", "start.md", "testing.md", "simulate.md", "polling.md", "types.md"],
  Language: /^language\//,
  Rules: ["rules/index.md"],
  "Command line": ["command-line.md", "settings.md", "ci.md"],
  Examples: /^examples\//,
};

/**
 * @param {ReadonlyMap<string, string>} pages from their paths in the repository to those on the site
 * @param {(path: string) => string} titleOf the first heading of a page of the repository
 * @returns {string} the text of `llms.txt`; the Markdown of each page stands beside it
 */
export function llmsText(pages, titleOf) {
  const titles = new Map([...pages].map(([from, to]) => [to, titleOf(from)]));
  const left = new Set(
    [...titles.keys()].filter((page) => !page.startsWith("rules/") || page === "rules/index.md"),
  );
  const parts = Object.entries(sections).map(([name, which]) => {
    const wanted = Array.isArray(which)
      ? which.filter((page) => titles.has(page))
      : [...left].filter((page) => which.test(page));
    for (const page of wanted) left.delete(page);
    return section(name, wanted, titles);
  });
  return `# configc

> A compiler and language server for integration app configs: one JSON document that says how an app authorises, what it listens to or polls, which form a customer fills in, and what is sent where.

Each page is here as Markdown. \`configc mcp\` serves the same to agents as tools; \`configc init --agents\` writes AGENTS.md.

${[...parts, section("Optional", [...left].sort(), titles)].join("\n")}`;
}

function section(name, pages, titles) {
  return `## ${name}\n\n${pages.map((page) => `- [${titles.get(page)}](${page})\n`).join("")}`;
}
