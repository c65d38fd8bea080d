/** Command lines in pages that the tests don't run, each with the reason. Their arguments are checked all the same. */
export interface Skipped {
  /** None: on every page. */
  readonly page?: string;
  /** What the line begins with. */
  readonly line: string;
  readonly because: string;
}

const asksTheService = "asks a service on the network, with somebody's credentials";
const ownSuite = "CI runs it by itself";

export const skipped: readonly Skipped[] = [
  { page: "README.md", line: "npm start", because: ownSuite },
  { page: "README.md", line: "npm test", because: ownSuite },
  { page: "CONTRIBUTING.md", line: "npm ", because: ownSuite },
  { page: "docs/start.md", line: "npm ", because: ownSuite },
  { line: "npm install", because: "asks the registry" },
  {
    page: "docs/agents.md",
    line: "npm run agents",
    because: "starts an agent; test/agents tries the judges",
  },
  { page: "docs/benchmarks.md", line: "npm run bench", because: "takes minutes" },
  { page: "docs/formatting.md", line: "prettier", because: "isn't installed here; it was tried by hand" },
  { page: "docs/editors.md", line: "code ", because: "starts an editor" },
  { line: "configc lsp", because: "runs until its client ends it" },
  {
    page: "docs/command-line.md",
    line: "configc debug",
    because: "runs until its client ends it, or on a run of somebody's; packages/cli/test/debug does both",
  },
  { line: "configc mcp", because: "runs until its client ends it; packages/cli/test does that" },
  { line: "configc dev", because: "runs until Ctrl-C; packages/cli/test starts and ends it" },
  {
    page: "docs/command-line.md",
    line: "configc simulate",
    because: "tries worlds for ten seconds; packages/cli/test/simulate.test.ts runs it",
  },
  {
    page: "docs/command-line.md",
    line: "configc init",
    because: "the files are there; docs/start.md runs it",
  },
  {
    page: "docs/command-line.md",
    line: "configc run shop.app.json workflows.orders.setup",
    because: asksTheService,
  },
  { page: "docs/command-line.md", line: "configc run shop.app.json data_intake", because: asksTheService },
  { page: "docs/command-line.md", line: "configc test shop.apptest.json --record", because: asksTheService },
];

export function reasonToSkip(page: string, line: string): string | undefined {
  return skipped.find((each) => concerns(each, page, line))?.because;
}

export function concerns(each: Skipped, page: string, line: string): boolean {
  return (each.page ?? page) === page && line.replace(/^npx /, "").startsWith(each.line);
}
