import { migrateFleet } from "../worker/migrate.ts";
import { actVerbs } from "./acts/verbs.ts";
import { runAdmin } from "./admin.ts";
import { failingVerb } from "./answers/failing.ts";
import { itemsVerb } from "./answers/items.ts";
import { queuesVerb } from "./answers/queues.ts";
import { runsVerb } from "./answers/runs.ts";
import { savedRunVerb } from "./answers/saved-run.ts";
import { whyVerb } from "./answers/why.ts";
import { readConfiguration } from "./configuration.ts";
import { print } from "./output.ts";
import { resealAll } from "./reseal.ts";
import { assign, cancel, fork, inspect, resume } from "./runs.ts";
import { runHost } from "./serve.ts";
import type { Verb } from "./usage.ts";

const hosting = `The configuration file is a JSON object with \`apps\` (names and paths of configs) and \`platform\` (path of a module whose default export is
the platform). Optional settings: \`publicUrl\`, \`port\` (8080), \`metricsPort\` (none), \`slot\`, \`parallel\` (8), \`interval\` (5 s), \`retentionDays\` (7), \`failedDays\` (30), \`runDays\` (1), \`connections\` (20),
\`grace\` (20 s), \`savedRuns\` (a folder for runs that failed), \`stories\` (\`all\`: runs whose requests are kept; \`failed\`, \`none\`),
\`savedFailures\` (0: failed runs that the database keeps as files), \`adminHost\`, \`adminPort\`, \`origins\`, \`allowPrivateNetwork\`.

Environment: DATABASE_URL, LISTEN_URL, CONFIGC_KEY or CONFIGC_KEY_FILE, CONFIGC_OLD_KEYS, CONFIGC_SLOT, PUBLIC_URL, PORT, METRICS_PORT, LOG_LEVEL. The environment
overrides the file. Keys come from the environment only.

GET /healthz says whether the process lives, GET /readyz whether it can work. GET /metrics at \`metricsPort\` answers Prometheus. SIGTERM drains and ends the process.`;

const identified = "`inspect` without a run lists the newest.";

export const verbs: readonly Verb[] = [
  {
    name: "migrate",
    operands: [],
    summary: "prepare the database, or bring it up to this version",
    help: "Run it once for each version, before its workers start, as a user who may create schemas and roles. Running two at once is safe.",
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
    options: { admin: { help: "serve the operators' pages and API instead" } },
    summary: "take webhooks and leave the rest to workers, or serve the operators' pages",
    help: `${hosting}

With --admin it listens at ADMIN_HOST (127.0.0.1) and ADMIN_PORT (8081). Any other host than this machine's own needs ADMIN_TOKEN: browsers are asked for it, programs send it
as \`authorization: Bearer …\`.`,
    run: (args, environment) =>
      args.options["admin"] === undefined
        ? runHost({ webhooks: true, works: false }, args, environment)
        : runAdmin(args, environment),
  },
  {
    name: "worker",
    operands: [],
    summary: "poll and deliver what is due, and take webhooks",
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
    help: "With CONFIGC_KEY, also what it asked of services and its state before and after. With --json as JSON.",
    run: inspect,
  },
  savedRunVerb,
  {
    name: "resume",
    operands: [],
    optional: ["RUN"],
    summary: "continue a run that was ended, or all runs of workers that died",
    help: "Workers continue the runs of dead workers by themselves after some seconds. Use this when no worker is left that could.",
    run: resume,
  },
  {
    name: "cancel",
    operands: ["RUN"],
    summary: "end a run before its next step",
    help: `What it committed stays, and the next run of the installation continues from there. ${identified}`,
    run: cancel,
  },
  {
    name: "fork",
    operands: ["RUN", "STEP"],
    summary: "continue a copy of a run from one of its steps",
    help: `Steps that were committed aren't repeated, the others are. Prints the copy's id. ${identified}`,
    run: fork,
  },
  ...actVerbs,
  {
    name: "reseal",
    operands: [],
    summary: "seal everything with the current key, so that old keys can go",
    help: `Set CONFIGC_KEY to the new key and CONFIGC_OLD_KEYS to the old ones, after all workers have them. Workers keep running. It shows its progress, can be
stopped and started again, and says at the end whether the old keys can go (status 0: they can, 1: they are still needed).`,
    run: resealAll,
  },
  {
    name: "assign",
    operands: ["APP", "INSTALLATION", "CUSTOMER"],
    summary: "name the customer of an installation that has none",
    help: `CUSTOMER is your service's own id of the customer. From then on only that customer's database role can read the installation, its connection
and all that belongs to them.`,
    run: assign,
  },
];
