import { queues } from "../../answers/queues.ts";
import { print } from "../output.ts";
import type { Verb } from "../usage.ts";
import { withDatabase } from "./database.ts";
import { count, span } from "./words.ts";

export const queuesVerb: Verb = {
  name: "queues",
  operands: [],
  options: { app: { value: "NAME", help: "only of this app" } },
  summary: "say how much waits of each app, and for how long",
  help: "Items wait for their delivery, jobs for a place at a worker.",
  async run(args, environment) {
    await withDatabase(args, environment, async ({ database }) => {
      const found = await queues(database, args.options["app"]);
      if (args.json) return print(JSON.stringify({ apps: found }, undefined, 2));
      if (found.length === 0) return print("There are no installations.");
      const old = (since: number | undefined): string =>
        since === undefined ? "" : `, the oldest for ${span(Date.now() - since)}`;
      for (const { app, active, paused, waiting, waitingSince, failed, jobs, jobsSince, jobsPutOff } of found)
        print(
          [
            `${app}: ${count(active, "active installation")}, ${paused} paused`,
            `  ${count(waiting, "item")} ${waiting === 1 ? "waits" : "wait"}${old(waitingSince)}; ${failed} failed`,
            `  ${count(jobs, "job")} ${jobs === 1 ? "waits" : "wait"} for a place${old(jobsSince)}; ${jobsPutOff} for ${jobsPutOff === 1 ? "its" : "their"} time`,
          ].join("\n"),
        );
    });
    return 0;
  },
};
