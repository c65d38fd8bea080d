// Runs a task of the repository on a machine that has Node and npm and nothing else: installs and builds what it lacks.
// Usage: node scripts/task.mjs start|test|attack|fleet|build|bench|golden|mutants|operators|fuzz|crash|chaos|gameday|lint|package|new-user|release [ARGUMENT…]
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { runTests } from "./vitest.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = `${root}node_modules/.cache/configc`;
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error !== undefined) throw error;
  return status ?? 1;
}

/**
 * Runs commands, as many at a time as there are cores, and prints what each says when it ends, and at last which of them failed.
 *
 * @param steps commands with their arguments, by what they check
 * @returns the first status that isn't 0
 */
async function runAll(steps) {
  const waiting = Object.entries(steps);
  const statuses = new Map();
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      statuses.set(step[0], await runApart(...step[1]));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const failed = [...statuses].filter(([, status]) => status !== 0);
  if (failed.length > 0) console.error(`\nFailed: ${failed.map(([name]) => name).join(", ")}`);
  return failed[0]?.[1] ?? 0;
}

function runApart(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ["inherit", "pipe", "pipe"] });
    const printed = [];
    child.stdout.on("data", (chunk) => printed.push([process.stdout, chunk]));
    child.stderr.on("data", (chunk) => printed.push([process.stderr, chunk]));
    child.on("error", reject);
    child.on("close", (status) => {
      for (const [stream, chunk] of printed) stream.write(chunk);
      resolve(status ?? 1);
    });
  });
}

function must(command, args) {
  const status = run(command, args);
  if (status !== 0) process.exit(status);
}

/** Installs where the lock file has changed since the last time. */
function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (existsSync(`${root}node_modules/esbuild`) && (stamp("installed") === lock || isInstalled())) return;
  console.error("Installing dependencies …");
  must(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  setStamp("installed", lock);
}

/** Whether npm has installed by the lock file as it is now: it writes down what it installed. */
function isInstalled() {
  const kept = `${root}node_modules/.package-lock.json`;
  if (!existsSync(kept)) return false;
  const installed = JSON.parse(readFileSync(kept, "utf8")).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages);
  return wanted.every(
    ([path, { version, optional, link }]) =>
      path === "" ||
      link ||
      optional ||
      !path.startsWith("node_modules/") ||
      installed[path]?.version === version,
  );
}

/** Builds what is lacking since a source has changed. Declarations take most of the time, and few tasks read them. */
function build(withDeclarations) {
  const hash = createHash("sha256");
  for (const file of sources()) hash.update(file).update(readFileSync(file));
  const digest = hash.digest("hex");
  const lacks = (stampName, file) => stamp(stampName) !== digest || !existsSync(`${root}${file}`);
  if (lacks("built", "packages/cli/dist/main.cjs")) {
    console.error("Building …");
    must(process.execPath, ["scripts/build.mjs", "--no-types"]);
    setStamp("built", digest);
  }
  if (withDeclarations && lacks("declared", "packages/cli/dist/index.d.ts")) {
    console.error("Writing declarations …");
    must(process.execPath, ["scripts/build.mjs", "--only-types"]);
    setStamp("declared", digest);
  }
}

function inVscode(config, args) {
  return (
    run(process.execPath, ["scripts/package-extension.mjs"]) ||
    run(process.execPath, ["scripts/package-extension.mjs", "--web"]) ||
    runTests(["--config", config, ...args])
  );
}

function sources() {
  const folders = readdirSync(`${root}packages`).map((name) => `${root}packages/${name}`);
  const found = [
    `${root}package-lock.json`,
    `${root}scripts/build.mjs`,
    `${root}scripts/extension-build.mjs`,
    `${root}tsconfig.base.json`,
  ];
  for (const folder of [...folders, `${root}extension`]) {
    for (const name of ["package.json", "tsconfig.json"])
      if (existsSync(`${folder}/${name}`)) found.push(`${folder}/${name}`);
    for (const part of ["src", "schemas", "templates", "webview"])
      if (existsSync(`${folder}/${part}`)) found.push(...filesBelow(`${folder}/${part}`));
  }
  found.push(...filesBelow(`${root}grammars`));
  return found;
}

function filesBelow(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      statSync(`${folder}/${name}`).isDirectory() ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`],
    );
}

function stamp(name) {
  return existsSync(`${cache}/${name}`) ? readFileSync(`${cache}/${name}`, "utf8") : undefined;
}

function setStamp(name, value) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${cache}/${name}`, value);
}

/** Whether a suite has tests that a person names. */
function hasTests(config, names) {
  const listed = spawnSync(bin("vitest"), ["list", "--filesOnly", ...config, ...names], { cwd: root });
  return listed.status === 0 && listed.stdout.toString().trim() !== "";
}

const bin = (name) => `${root}node_modules/.bin/${name}`;
/** The native compiler, which checks in a quarter of the time (docs/dependencies.md). */
const typesOf = (...args) => [process.execPath, [`${root}node_modules/typescript-7/bin/tsc`, "-p", ...args]];

const tasks = {
  /** Checks the examples, one of them broken on purpose: its findings are the point, not a failure. */
  start(args) {
    run(process.execPath, [
      "packages/cli/bin/configc.js",
      "check",
      ...(args.length > 0 ? args : ["examples"]),
    ]);
    if (args.length === 0)
      console.error(
        "\nexamples/broken is broken on purpose; the others have no errors. Next: docs/start.md, or a config of your own:\nnode_modules/.bin/configc check YOUR.app.json",
      );
    return 0;
  },
  test(args) {
    const status = run(bin("vitest"), ["run", ...args]);
    if (status === 0 || args.length === 0 || hasTests([], args)) return status;
    // The slower tests are suites of their own.
    for (const name of ["long", "fleet", "attack", "vscode"]) {
      const config = ["--config", `test/${name}/vitest.config.ts`];
      if (!hasTests(config, args)) continue;
      const task = name === "long" || name === "vscode" ? `test:${name}` : name;
      console.error(`\n${args.join(" ")} is in a slower suite: npm run ${task} -- ${args.join(" ")}\n`);
      return tasks[task](args);
    }
    return status;
  },
  build: () => 0,
  bench: (args) => run(process.execPath, ["scripts/ts.mjs", "test/bench/bench.ts", ...args]),
  /** Whether another version finds the same, byte for byte. */
  golden: (args) => run(process.execPath, ["test/bench/golden.mjs", ...args]),
  mutants: (args) => run(process.execPath, ["scripts/ts.mjs", "test/mutants/main.ts", ...args]),
  /** Which share of mechanical changes of right configs is told. */
  operators: (args) => run(process.execPath, ["scripts/ts.mjs", "test/operators/main.ts", ...args]),
  differential: (args) =>
    run(process.execPath, ["scripts/ts.mjs", "packages/jq/test/differential/main.ts", ...args]),
  soundness: (args) =>
    run(process.execPath, ["scripts/ts.mjs", "packages/jq/test/types/soundness-main.ts", ...args]),
  docs: (args) => run(process.execPath, ["scripts/ts.mjs", "scripts/docs.ts", ...args]),
  /** Builds the site of the documentation, with a generator of its own that nothing else needs. It makes a great many short-lived objects. */
  "docs:site": (args) => run(process.execPath, ["--max-semi-space-size=64", "docs/site/build.mjs", ...args]),
  /** Packs the extension, installs it in VS Code and uses it there in a browser. */
  "test:vscode": (args) => inVscode("test/vscode/vitest.config.ts", args),
  /** How long a key takes there. */
  "bench:vscode": (args) => inVscode("test/vscode/latency.config.ts", args),
  fuzz: (args) => run(bin("vitest"), ["run", "--config", "test/fuzz/vitest.config.ts", ...args]),
  /** How well coding agents write apps, with our tools and without. */
  agents: (args) => run(process.execPath, ["scripts/ts.mjs", "test/agents/main.ts", ...args]),
  /** Sends what strangers send, and asks whether what is promised holds. */
  attack: (args) => runTests(["--config", "test/attack/vitest.config.ts", ...args]),
  crash: (args) => run(process.execPath, ["scripts/ts.mjs", "test/crash/main.ts", ...args]),
  "test:long": (args) => runTests(["--config", "test/long/vitest.config.ts", ...args]),
  fleet: (args) => runTests(["--config", "test/fleet/vitest.config.ts", ...args]),
  /** Breaks one thing after the other, as an operator may meet it, and mends it. */
  gameday: (args) => run(process.execPath, ["scripts/ts.mjs", "test/gameday/gameday.ts", ...args]),
  /** Ends workers of a fleet and restarts Postgres at random. */
  chaos: (args) => run(process.execPath, ["scripts/ts.mjs", "test/chaos/main.ts", ...args]),
  /** What a fleet does on this machine. */
  load: (args) => run(process.execPath, ["scripts/ts.mjs", "test/load/main.ts", ...args]),
  /** Serves the page that was built, on this machine. */
  playground: (args) => run(process.execPath, ["scripts/playground.mjs", ...args]),
  lint() {
    return runAll({
      types: typesOf("tsconfig.json"),
      "direction of imports": [
        bin("depcruise"),
        ["--config", ".dependency-cruiser.cjs", "packages", "extension", "test"],
      ],
      "format and lint (npx biome check --write FILE)": [bin("biome"), ["check", "."]],
      "types of the extension's pages": typesOf("extension/webview"),
      "types of the playground": typesOf("packages/playground", "--noEmit"),
    });
  },
  package: () =>
    run(process.execPath, ["scripts/package.mjs"]) ||
    run(process.execPath, ["scripts/package-extension.mjs"]),
  release: (args) => run(process.execPath, ["scripts/release.mjs", ...args]),
  /** What each registry wants, as files, and what is missing before anything can be published. */
  registries: (args) => run(process.execPath, ["scripts/ts.mjs", "scripts/registries/main.ts", ...args]),
  /** What each published thing bundles and needs, as CycloneDX. */
  sbom: (args) => run(process.execPath, ["scripts/ts.mjs", "scripts/sbom.ts", ...args]),
  /** What a newcomer does with the packed command, from an empty folder to a published app. */
  "new-user": () => run(process.execPath, ["test/new-user/main.mjs"]),
};

/** Tasks that read no declarations: what a newcomer runs first doesn't wait for them. */
const withoutDeclarations = new Set([
  "start",
  "test",
  "attack",
  "fleet",
  "chaos",
  "gameday",
  "crash",
  "fuzz",
  "mutants",
  "operators",
  "bench",
  "test:vscode",
  "bench:vscode",
]);

/** Tasks that read sources alone: nothing is built for them, and nothing that was built can be out of date. */
const withoutBuild = new Set(["docs", "golden"]);

const [name = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name)) {
  console.error(`There is no task “${name}”. Tasks are ${Object.keys(tasks).join(", ")}.`);
  process.exit(2);
}
// The site is made of text alone.
if (name !== "docs:site") {
  install();
  if (!withoutBuild.has(name)) build(!withoutDeclarations.has(name));
}
process.exitCode = await tasks[name](args);
