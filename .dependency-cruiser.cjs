/** Arrows point one way: jq <- compiler <- runtime <- (simulate, debug, host) <- cli; host <- engine-dbos; compiler, runtime <- language-server <- cli, extension, playground. */
const allowed = {
  jq: [],
  compiler: ["jq"],
  runtime: ["compiler", "jq"],
  simulate: ["runtime", "compiler", "jq"],
  scaffold: ["jq"],
  debug: ["runtime", "compiler", "jq"],
  host: ["runtime", "compiler"],
  "engine-dbos": ["host", "runtime", "compiler"],
  "language-server": ["simulate", "compiler", "runtime", "jq"],
  cli: ["debug", "scaffold", "simulate", "host", "language-server", "compiler", "runtime", "jq"],
  playground: ["simulate", "host", "language-server", "compiler", "runtime", "jq"],
};
const names = Object.keys(allowed);

/** The phases of the compiler in their order: each may import those before it. `docs/architecture.md` says what they make. */
const phases = require("./packages/compiler/phases.json");
const compiler = "^packages/compiler/src/";
const inPhase = (phase) => `${compiler}${phase.replace(".", "\\.")}(/|$)`;

module.exports = {
  forbidden: [
    ...names
      .map((name) => ({
        name,
        others: names.filter((other) => other !== name && !allowed[name].includes(other)),
      }))
      // An empty list of paths would match everything.
      .filter(({ others }) => others.length > 0)
      .map(({ name, others }) => ({
        name: `${name}-arrows`,
        comment: `${name} may import ${allowed[name].join(", ") || "no other package"}`,
        severity: "error",
        from: { path: `^packages/${name}/src` },
        to: { path: others.map((other) => `^packages/${other}/`) },
      })),
    {
      name: "extension-arrows",
      severity: "error",
      from: { path: "^extension/src" },
      to: { path: "^packages/(jq|compiler|runtime|host|cli)/" },
    },
    {
      name: "through-the-front-door",
      comment: "Another package is imported by its name, not by a path into its sources",
      severity: "error",
      from: { path: "^packages/([^/]+)/src" },
      to: {
        path: "^packages/([^/]+)/src/",
        pathNot: ["^packages/$1/", "/src/(((samples|graph|portable|adapter|node)/)?index|internal)\\.ts$"],
      },
    },
    {
      name: "no-circles",
      comment:
        "No file leads back to itself, through types neither: what two files need of each other stands in a third",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "portable",
      comment: "jq, compiler and runtime run in a browser",
      severity: "error",
      from: {
        path: "^packages/(jq|compiler|runtime|simulate|scaffold|debug)/src",
        // A debugger needs a thread that can be ended, and streams; what it makes of a run needs neither.
        pathNot: "^packages/debug/src/(adapter|node)/",
      },
      to: { dependencyTypes: ["core"] },
    },
    ...phases.slice(0, -1).map((phase, index) => ({
      name: `compiler-${phase}`,
      comment: `${phase} may import earlier phases only: ${phases.slice(0, index).join(", ") || "there is none"}`,
      severity: "error",
      from: { path: inPhase(phase) },
      to: { path: phases.slice(index + 1).map(inPhase) },
    })),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    exclude: { path: ["node_modules", "/dist/"] },
    doNotFollow: { path: "node_modules" },
  },
};
