// Packs every package as it would be published and uses it as others would: by Node, by a bundler, in a browser, on the command line.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useInBrowser } from "./package/browser.mjs";
import { budgets } from "./package/budgets.mjs";
import { useCommand } from "./package/command.mjs";
import { examine, install, load, typeCheck, useAsReadmesSay } from "./package/libraries.mjs";
import { kilobytes } from "./package/run.mjs";
import { useTelemetry } from "./package/telemetry.mjs";

/** Runs something in a folder of its own, which is gone afterwards. */
async function inEmptyFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "configc-package-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await inEmptyFolder(async (folder) => {
  const packed = install(folder);
  for (const { name, files, size } of packed)
    console.log(`${name}: ${kilobytes(size)} packed, ${files} files`);
  await examine(packed, folder);
  console.log("publint and are-the-types-wrong have nothing to say");
  for (const line of load(folder)) console.log(line);
  console.log(useAsReadmesSay(folder));
  typeCheck(folder);
  console.log("read by TypeScript, strict");
  console.log(await inEmptyFolder((empty) => useTelemetry(packed, folder, empty)));
  console.log(await useInBrowser(folder));
});
console.log(await inEmptyFolder(useCommand));
for (const line of await budgets()) console.log(line);
