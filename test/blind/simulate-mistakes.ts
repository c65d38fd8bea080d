import { readFileSync } from "node:fs";
import { configsIn } from "../support/mistakes/configs.ts";
import { type Mistake, withMistake } from "../support/mistakes/mistake.ts";
import { lawsBroken } from "./laws-broken.ts";

/*
 * Which mistakes of a trial `simulate` tells of those that `check` doesn't. It takes minutes, so it is a script:
 *
 *     node scripts/ts.mjs test/blind/simulate-mistakes.ts ninth
 */

const [trial = "ninth"] = process.argv.slice(2);
const folder = new URL(`./${trial}/`, import.meta.url);
const configs = new Map(configsIn(new URL("configs/", folder)));
const mistakes = JSON.parse(readFileSync(new URL("mistakes.json", folder), "utf8")) as readonly Mistake[];
const checked = readFileSync(new URL("told.txt", folder), "utf8").split("\n");
const silent = mistakes.filter((_, index) => checked[index]!.endsWith("| -"));

const right = new Map<string, ReadonlySet<string>>();
let told = 0;
for (const mistake of silent) {
  const { text } = configs.get(mistake.config)!;
  if (!right.has(mistake.config)) right.set(mistake.config, new Set(await lawsBroken(text)));
  const known = right.get(mistake.config)!;
  const found = (await lawsBroken(withMistake(text, mistake))).filter((line) => !known.has(line));
  if (found.length > 0) told++;
  console.log(`${mistake.class} | ${mistake.config} | ${mistake.mistake} | ${found[0] ?? "-"}`);
}
console.log(`\n${told} of the ${silent.length} mistakes that check doesn't tell, of ${mistakes.length}`);
