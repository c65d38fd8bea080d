import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configsIn } from "../support/mistakes/configs.ts";
import { lawsBroken } from "./laws-broken.ts";

/*
 * What `simulate` says of right configs that were written without a look at it, and with no world file beside them. Each line rests on
 * something of the service that a config doesn't say: the last column names it. Where it says “nothing”, the alarm would be false.
 */

const kept = new URL("simulated.txt", import.meta.url);
const configs = new Map(
  ["fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"].flatMap((trial) => [
    ...configsIn(new URL(`${trial}/configs/`, import.meta.url)),
  ]),
);
/** Those of the last four trials, and those of which something was said without a reason. */
const names = [
  "brookmere",
  "clinicbook",
  "clubkasse",
  "eventhalle",
  "fairground",
  "ferrywell",
  "guildhall",
  "huettenbuch",
  "kramladen",
  "kundenbaum",
  "ladenzeile",
  "lernhafen",
  "mailharbor",
  "mietwart",
  "parcelio",
  "pfotenruf",
  "postkiln",
  "rundschreiben",
  "schalterhalle",
  "stagepass",
  "sternlese",
  "velospur",
  "wattlane",
  "werkgraph",
];

test("right configs break no law where the service is nothing special", async () => {
  const lines: string[] = [];
  for (const name of names) {
    const broken = await lawsBroken(configs.get(name)!.text);
    lines.push(...(broken.length === 0 ? [`${name} | -`] : broken.map((each) => `${name} | ${each}`)));
  }
  const report = `${lines.join("\n")}\n`;
  if (process.env["MEANING_UPDATE"]) writeFileSync(kept, report);
  expect(report).toBe(readFileSync(kept, "utf8"));
  expect(report).not.toContain("| nothing");
}, 300_000);
