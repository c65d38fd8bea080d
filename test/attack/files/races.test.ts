import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import { attacks, complaintsOf, runCommand } from "../harness/index.ts";
import { app } from "./kinds.ts";

/** Puts a file and a link by turns where the command is to write, some thousand times a second. */
const swapper = `
const { renameSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
for (let turn = 0; Atomics.load(workerData.stop, 0) === 0; turn++) {
  try {
    if (turn % 2 === 0) symlinkSync(workerData.victim, workerData.path + ".swap");
    else writeFileSync(workerData.path + ".swap", "{}");
    renameSync(workerData.path + ".swap", workerData.path);
  } catch {}
}
rmSync(workerData.path + ".swap", { force: true });`;

const source = "workflows.w.data_pipeline.source";
const ROUNDS = process.env["ATTACK_LONG"] === undefined ? 2 : 40;

const cases = [
  { name: "a recording", args: ["run", "a.app.json", source, "--input", "{}", "--record"] },
  { name: "a saved run", args: ["run", "a.app.json", source, "--input", "{}", "--save-run"] },
];

/** A link that appears between a look and the opening of a file isn't written through either. */
attacks(
  "a link that comes and goes in the place of",
  cases,
  async ({ args }) => {
    for (let round = 0; round < ROUNDS; round++) {
      let worker: Worker | undefined;
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const ended = await runCommand(
        { "a.app.json": app, "victim.json": "untouched" },
        [...args, "out.json"],
        {
          before: (folder) => {
            const workerData = { stop, path: join(folder, "out.json"), victim: join(folder, "victim.json") };
            worker = new Worker(swapper, { eval: true, workerData });
          },
          then: async (folder) => {
            const over = new Promise((done) => worker?.once("exit", done));
            Atomics.store(stop, 0, 1);
            await over;
            expect(readFileSync(join(folder, "victim.json"), "utf8")).toBe("untouched");
          },
        },
      );
      expect(complaintsOf(ended)).toEqual([]);
    }
    return undefined;
  },
  ROUNDS * 5_000 + 20_000,
);
