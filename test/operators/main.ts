// Changes right configs mechanically, and shows which share of the changes is told by an error or a warning.
//
//   npm run operators                          every operator over all right configs, one change of each in each
//   npm run operators -- FOLDER…               over the `*.app.json` of these folders
//   npm run operators -- --limit N             at most N changes of an operator in each config
//   npm run operators -- --only TEXT           only operators whose name begins so
//   npm run operators -- --verbose TEXT        prints the changes that nobody tells, of operators whose name begins so
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { compile } from "@configc/compiler";
import { Config } from "../mutants/config.ts";
import { configsIn } from "../support/mistakes/configs.ts";
import { excerpt, isTold, spread } from "./changes.ts";
import { expansionOperators } from "./in-expansions.ts";
import { programOperators } from "./in-programs.ts";
import { settingOperators } from "./in-settings.ts";
import type { Target } from "./operator.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: "string" }, only: { type: "string" }, verbose: { type: "string" } },
});
const limit = Number(values.limit ?? 1);

const blind = "test/blind";
const folders =
  positionals.length > 0
    ? positionals
    : [
        "test/meaning/configs",
        "test/right/configs",
        ...readdirSync(blind).map((name) => `${blind}/${name}/configs`),
      ];
const targets: readonly Target[] = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    [...configsIn(pathToFileURL(`${resolve(folder)}/`))].map(([name, config]) => {
      const path = `${folder}/${name}.app.json`;
      const { model } = compile(config.text, { uri: path, samples: config.samples });
      return { config: new Config({ path, ...config }), model };
    }),
  );

const operators = [...programOperators, ...expansionOperators, ...settingOperators].filter(({ name }) =>
  name.startsWith(values.only ?? ""),
);
const width = Math.max(...operators.map(({ name }) => name.length));
console.log(`${targets.length} right configs\n`);
let [sum, toldOfAll] = [0, 0];
for (const operator of operators) {
  let [made, told] = [0, 0];
  for (const target of targets)
    for (const edits of spread([...operator.changes(target)], limit)) {
      made++;
      if (isTold(target.config, edits)) told++;
      else if (values.verbose !== undefined && operator.name.startsWith(values.verbose))
        console.log(`${target.config.path}\n${excerpt(target.config, edits)}\n`);
    }
  const share = made === 0 ? "" : `${Math.round((100 * told) / made)} %`;
  console.log(
    `${operator.name.padEnd(width)}${`${told} of ${made}`.padStart(14)}${share.padStart(7)}  ${operator.what}`,
  );
  sum += made;
  toldOfAll += told;
}
console.log(`\n${toldOfAll} of ${sum} changes told: ${Math.round((100 * toldOfAll) / sum)} %`);
