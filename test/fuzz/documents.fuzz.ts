import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { noSamples, type Samples } from "@configc/compiler";
import { expect, test } from "vitest";
import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { checkInvariants } from "../properties/invariants.ts";
import { changed } from "./change.ts";
import { randomFrom } from "./random.ts";
import { shrink } from "./shrink.ts";

const seconds = Number(process.env["FUZZ_SECONDS"] ?? 60);
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The document at hand: what is left of a run that had to be ended. */
const current = `${root}node_modules/.cache/configc/fuzz-current.app.json`;

function corpus(): string[] {
  const fixtures = readdirSync(`${root}test/fixtures`)
    .flatMap((name) => ["json", "jsonc"].map((format) => `${root}test/fixtures/${name}/input.app.${format}`))
    .filter(existsSync);
  const seeds = readdirSync(`${root}test/fuzz/corpus`).map((name) => `${root}test/fuzz/corpus/${name}`);
  return [
    ...validConfigs().map(({ text }) => text),
    ...[...fixtures, ...seeds].map((path) => readFileSync(path, "utf8")),
  ];
}

/** What went wrong with a document, or undefined. */
function failure(text: string, uri: string, samples: Samples): string | undefined {
  try {
    checkInvariants(text, uri, samples);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
  }
}

test("the last run came to an end", () => {
  if (!existsSync(current)) return;
  const folder = keep(readFileSync(current, "utf8"), "input.app.json");
  rmSync(current);
  expect.fail(`The last run was ended while it compiled ${folder}.`);
});

test(`documents changed at random, for ${seconds} seconds from seed ${seed}`, () => {
  const random = randomFrom(seed);
  const documents = corpus();
  const known = validConfigs().map(({ samples }) => samples);
  const seen = new Set<string>();
  mkdirSync(dirname(current), { recursive: true });
  const end = Date.now() + seconds * 1000;
  let runs = 0;
  while (Date.now() < end) {
    const text = changed(random.pick(documents), documents, random);
    const uri = random.below(4) === 0 ? "input.app.jsonc" : "input.app.json";
    // Of this config or of another one.
    const samples = random.below(3) === 0 ? random.pick(known) : noSamples;
    runs++;
    writeFileSync(current, text);
    try {
      const rules = new Set(checkInvariants(text, uri, samples).map(({ rule }) => rule));
      const signature = [...rules].sort().join();
      if (!seen.has(signature) && text.length < 200_000) documents.push(text);
      seen.add(signature);
    } catch {
      const kind = failure(text, uri, samples);
      // The same failure, numbers aside: a smaller document has others.
      const same = (smaller: string): boolean =>
        failure(smaller, uri, samples)?.replace(/\d+/g, "") === kind?.replace(/\d+/g, "");
      const small = shrink(text, same, Date.now() + 60_000);
      rmSync(current);
      expect.fail(`${kind}\nThe document is in ${keep(small, uri)} (seed ${seed}, run ${runs}).`);
    }
  }
  rmSync(current, { force: true });
  process.stdout.write(`${runs} documents, ${seen.size} combinations of rules, seed ${seed}\n`);
});

/** Writes a document where it is tested from now on. */
function keep(text: string, uri: string): string {
  const folder = `test/fixtures/crash-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  mkdirSync(root + folder, { recursive: true });
  writeFileSync(`${root}${folder}/${uri}`, text);
  return folder;
}
