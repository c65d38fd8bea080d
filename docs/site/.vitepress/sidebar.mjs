// What stands beside the pages. A page that nobody put into a group comes last, so none is lost.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../map.mjs";

const groups = {
  Guide: ["start", "import", "testing", "types", "samples", "settings", "suppressing", "formatting"],
  "In use": [
    "command-line",
    "ci",
    "agents",
    "breaking",
    "editors",
    "playground",
    "embedding",
    "operators",
    "security",
    "jq",
  ],
  Packages: [
    "cli-package",
    "compiler-package",
    "runtime-package",
    "host-package",
    "engine-dbos-package",
    "language-server-package",
    "jq-package",
  ],
  Project: [
    "architecture",
    "glossary",
    "contributing",
    "benchmarks",
    "benchmark-numbers",
    "decisions",
    "open-questions",
    "dependencies",
    "coverage",
    "status",
    "changelog",
  ],
};

/** Titles that would be too long, or two of the same. */
const titles = { "benchmark-numbers": "Benchmark numbers" };

/** The pages of the language in the order in which its overview lists them. */
function inOrder(paths) {
  const overview = readFileSync(join(root, "docs/language/README.md"), "utf8");
  const at = (path) => overview.indexOf(`](${path.slice("language/".length)})`);
  return [...paths].sort((a, b) => at(a) - at(b));
}

/** @param {Map<string, string>} pages from paths of the repository to those of the site */
export function sidebar(pages, titleOf) {
  const sources = new Map([...pages].map(([from, to]) => [to, from]));
  const item = (path, text = titleOf(sources.get(path))) => ({
    text,
    link: `/${path.replace(/(?<=^|\/)index\.md$|\.md$/, "")}`,
  });
  const guide = Object.entries(groups).map(([text, names]) => ({
    text,
    items: names.filter((name) => sources.has(`${name}.md`)).map((name) => item(`${name}.md`, titles[name])),
  }));
  const grouped = new Set(Object.values(groups).flat());
  const rest = [...sources.keys()].filter((path) => !path.includes("/") && !grouped.has(path.slice(0, -3)));
  if (rest.length > 0) guide.push({ text: "More", items: rest.map((path) => item(path)) });
  const below = (folder) =>
    [...sources.keys()].filter((path) => path.startsWith(folder) && path !== `${folder}index.md`);

  const areas = [...new Set(below("rules/").map((path) => path.split("/")[1]))];
  const overview = { text: "Rules", items: [item("rules/index.md", "All rules")] };
  const rulesOf = (area) => ({
    text: area,
    items: below(`rules/${area}/`).map((path) => item(path, path.split("/")[2].slice(0, -3))),
  });
  // A page of a rule lists its own area, and leads to the others: with all rules beside each of them the site is five times as large, and takes
  // twice as long to build.
  const beside = (area) =>
    areas.map((each) => (each === area ? rulesOf(area) : { text: each, link: `/rules/#${each}` }));
  return {
    "/rules/": [overview, ...areas.map((area) => ({ ...rulesOf(area), collapsed: true }))],
    ...Object.fromEntries(areas.map((area) => [`/rules/${area}/`, [overview, ...beside(area)]])),
    "/language/": [
      {
        text: "The language",
        items: [
          item("language/index.md", "Overview"),
          ...inOrder(below("language/")).map((path) => item(path)),
        ],
      },
    ],
    "/examples/": [
      {
        text: "Examples",
        items: [item("examples/index.md", "Overview"), ...below("examples/").map((path) => item(path))],
      },
    ],
    "/types/": [
      {
        text: "How types flow",
        items: [item("types.md", "Overview"), ...below("types/").map((path) => item(path))],
      },
    ],
    "/": guide,
  };
}
