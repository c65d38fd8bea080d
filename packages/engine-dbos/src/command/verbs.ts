import { migrateFleet } from "../worker/migrate.ts";
import { actVerbs } from "./acts/verbs.ts";
import { runAdmin } from "./admin.ts";
import { failingVerb } from "./answers/failing.ts";
import { itemsVerb } from "./answers/items.ts";
import { queuesVerb } from "./answers/queues.ts";
import { runsVerb } from "./answers/runs.ts";
import { whyVerb } from "./answers/why.ts";
import { readConfiguration } from "./configuration.ts";
import { print } from "./output.ts";
import { resealAll } from "./reseal.ts";
import { assign, cancel, fork, inspect, resume } from "./runs.ts";
import { runHost } from "./serve.ts";
import type { Verb } from "./usage.ts";

const hosting = `The configuration file is a JSON object: \`apps\` (names and paths of configs), \`platform\` (path of a module whose default export is
the platform), and optionally \`publicUrl\`, \`port\` (8080), \`metricsPort\` (none), \`slot\`, \`parallel\` (8), \`interval\` (5 s), \`retentionDays\` (7), \`failedDays\` (30), \`runDays\` (1), \`connections\` (20),
\`grace\` (20 s), \`savedRuns\` (a folder for runs that failed), \`adminHost\`, \`adminPort\`, \`origins\`, \`allowPrivateNetwork\`.

Environment: DATABASE_URL, LISTEN_URL, CONFIGC_KEY or CONFIGC_KEY_FILE, CONFIGC_OLD_KEYS, CONFIGC_SLOT, PUBLIC_URL, PORT, METRICS_PORT, LOG_LEVEL. What stands
there comes before the file; keys stand only there.

GET /healthz says whether the process lives, GET /readyz whether it can work, and at \`metricsPort\` GET /metrics what was measured, for Prometheus. SIGTERM ends it in good order.`;

const identified = "`inspect` without a run lists the newest.";

export const verbs: readonly Verb[] = [
  {
    name: "migrate",
    operands: [],
    summary: "prepare the database, or bring it up to this version",
    help: "Once for each version, before its workers start, by a user who may create schemas and roles. Two at once do it once.",
    async run({ config }, environment) {
      const { database } = await readConfiguration(config, environment);
      const { from, to } = await migrateFleet(database);
      print(
        from === to
          ? `The database is up to date (schema ${to}).`
          : `The database was brought from schema ${from} to ${to}.`,
      );
      return 0;
    },
  },
  {
    name: "serve",
    operands: [],
    options: { admin: { help: "serve the pages and the API of operators instead" } },
    summary: "take webhooks, and workers do the rest; or serve the pages of operators",
    help: `${hosting}

With --admin: at ADMIN_HOST (127.0.0.1) and ADMIN_PORT (8081); on another host than this machine's own only with ADMIN_TOKEN, which browsers are asked for, and others send
as \`authorization: Bearer …\`.`,
    run: (args, environment) =>
      args.options["admin"] === undefined
        ? runHost({ webhooks: true, works: false }, args, environment)
        : runAdmin(args, environment),
  },
  {
    name: "worker",
    operands: [],
    summary: "poll and deliver what is due, and take webhooks too",
    help: hosting,
    run: (args, environment) => runHost({ webhooks: true, works: true }, args, environment),
  },
  failingVerb,
  whyVerb,
  queuesVerb,
  itemsVerb,
  runsVerb,
  {
    name: "inspect",
    operands: [],
    optional: ["RUN"],
    summary: "show a run with its steps, or list the newest runs",
    help: "With --json as JSON.",
    run: inspect,
  },
  {
    name: "resume",
    operands: [],
    optional: ["RUN"],
    summary: "have a run taken up that was ended, or all runs of workers that died",
    help: "Workers do the latter by themselves after some seconds; this is for when none is left that could.",
    run: resume,
  },
  {
    name: "cancel",
    operands: ["RUN"],
    summary: "end a run before its next step",
    help: `What it committed stays; the next run for the installation goes on from there. ${identified}`,
    run: cancel,
  },
  {
    name: "fork",
    operands: ["RUN", "STEP"],
    summary: "have a copy of a run taken up before one of its steps",
    help: `What was committed is found, what wasn't is done again. Prints the copy's id. ${identified}`,
    run: fork,
  },
  ...actVerbs,
  {
    name: "reseal",
    operands: [],
    summary: "seal all that is kept with the key in use, so that old ones can go",
    help: `With CONFIGC_KEY the new key and CONFIGC_OLD_KEYS the old ones, once all workers have them so. Workers go on meanwhile. It tells how far it is, can be
ended at any time and begun again, and says at the end whether the old keys are needed any more (status 0: they aren't, 1: they are).`,
    run: resealAll,
  },
  {
    name: "assign",
    operands: ["APP", "INSTALLATION", "CUSTOMER"],
    summary: "say whose an installation is that was made without saying so",
    help: `CUSTOMER is your service's own id of the customer. The installation, its connection and all that hangs on them can then be read under the
database's role of that customer, and of no other.`,
    run: assign,
  },
];
