import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./registries/facts.ts";
import { type Bill, billOf } from "./sbom/bill.ts";
import { publishedParts } from "./sbom/parts.ts";

// Writes a software bill of materials (CycloneDX 1.6) for each thing that is published: what it bundles and what it depends on.
// The tool that reads the lock file is fetched from npm, since nothing else needs it.
// Usage: npm run sbom [-- --out FOLDER]; default: dist/sbom

const TOOL = "@cyclonedx/cyclonedx-npm@6.0.1";
/** With these, the tool's library checks bills by CycloneDX's own schema. */
const VALIDATION = ["ajv@8", "ajv-formats@3", "ajv-formats-draft2019@1"];

interface Library {
  readonly Validation: {
    readonly JsonStrictValidator: new (version: string) => { validate(text: string): Promise<unknown> };
  };
}

const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/sbom") } } });
const tools = mkdtempSync(join(tmpdir(), "configc-sbom-"));
try {
  install(tools);
  const { Validation } = createRequire(join(tools, "package.json"))(
    "@cyclonedx/cyclonedx-library",
  ) as Library;
  const validator = new Validation.JsonStrictValidator("1.6");
  const whole = billOfRepository(tools);
  mkdirSync(values.out, { recursive: true });
  for (const part of publishedParts()) {
    const bill = billOf(part, whole);
    const text = `${JSON.stringify(bill, undefined, 2)}\n`;
    const problem = await validator.validate(text);
    if (problem != null) throw new Error(`The bill of ${part.name} isn't valid: ${JSON.stringify(problem)}`);
    writeFileSync(join(values.out, `${part.name.replace(/^@/, "").replace("/", "-")}.cdx.json`), text);
    console.log(`${part.name} ${part.version}: ${bill.components.length} components, valid`);
  }
} finally {
  rmSync(tools, { recursive: true, force: true });
}

function install(folder: string): void {
  const quietly = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["install", "--prefix", folder, ...quietly, TOOL, ...VALIDATION]);
}

/** Everything in the lock file, by the tool itself. */
function billOfRepository(folder: string): Bill {
  const tool = join(folder, "node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js");
  if (!existsSync(tool)) throw new Error(`${TOOL} wasn't installed.`);
  const file = join(folder, "whole.json");
  run(process.execPath, [tool, "--flatten-components", "--short-PURLs", "--output-reproducible", "-o", file]);
  return JSON.parse(readFileSync(file, "utf8")) as Bill;
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32" && command === "npm",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}.`);
}
