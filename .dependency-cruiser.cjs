/** Arrows point one way: jq <- compiler <- runtime <- host <- cli, engine-dbos; compiler, runtime <- language-server <- cli, extension, playground. */
const allowed = {
  jq: [],
  compiler: ["jq"],
  runtime: ["compiler", "jq"],
  host: ["runtime", "compiler"],
  "engine-dbos": ["host", "runtime", "compiler"],
  "language-server": ["compiler", "runtime"],
  cli: ["host", "language-server", "compiler", "runtime", "jq"],
  playground: ["host", "language-server", "compiler", "runtime"],
};
const names = Object.keys(allowed);

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
        pathNot: ["^packages/$1/", "/src/((samples|graph|portable)/)?index\\.ts$"],
      },
    },
    {
      name: "no-cycles",
      comment:
        "Compiling an expression and compiling its parts are mutually recursive, so the files of that one folder may be too",
      severity: "error",
      from: { pathNot: "^packages/jq/src/evaluate/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only", "dynamic-import"] } },
    },
    {
      name: "portable",
      comment: "jq, compiler and runtime run in a browser",
      severity: "error",
      from: { path: "^packages/(jq|compiler|runtime)/src" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "phases-flow-forward",
      comment: "parse -> bind -> flow -> check -> emit: an earlier phase knows no later one",
      severity: "error",
      from: { path: "^packages/compiler/src/parse/" },
      to: { path: "^packages/compiler/src/(bind|flow|check|emit|findings)/" },
    },
    {
      name: "phases-flow-forward-bind",
      severity: "error",
      from: { path: "^packages/compiler/src/bind/" },
      to: { path: "^packages/compiler/src/(flow|check|emit|findings)/" },
    },
    {
      name: "phases-flow-forward-flow",
      severity: "error",
      from: { path: "^packages/compiler/src/flow/" },
      to: { path: "^packages/compiler/src/(check|emit|findings)/" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    exclude: { path: ["node_modules", "/dist/"] },
    doNotFollow: { path: "node_modules" },
  },
};
