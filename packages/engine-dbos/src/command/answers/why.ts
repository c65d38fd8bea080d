import { type Trouble, type Why, why } from "@configc/host";
import { RunError, type SourcePlace } from "@configc/runtime";
import { postgresStore } from "../../store/index.ts";
import { print } from "../output.ts";
import type { Verb } from "../usage.ts";
import { type Opened, withDatabase } from "./database.ts";
import { type InConfig, inConfig } from "./in-config.ts";
import { count, moment, span, what } from "./words.ts";

/** What `--json` prints: with what the compiler knows of the place, where the config is at hand. */
type Told = Why & {
  readonly held: boolean;
  readonly failing: readonly (Trouble & { readonly place?: SourcePlace; readonly config?: InConfig })[];
};

export const whyVerb: Verb = {
  name: "why",
  operands: ["INSTALLATION"],
  summary: "say how an installation is, why it fails, and what comes next",
  help: `With the place in the config: from the configs of --config, or, with CONFIGC_KEY, from the version that failed. Where the config of --config is that
version, what stands there and the types of the command are shown too.`,
  async run(args, environment) {
    const [id = ""] = args.operands;
    await withDatabase(args, environment, async (opened) => {
      const told = await tell(opened, id);
      print(args.json ? JSON.stringify(told, undefined, 2) : textOf(told, Date.now()));
    });
    return 0;
  },
};

/** @throws RunError `NotFound` */
async function tell({ database, apps, configuration }: Opened, id: string): Promise<Told> {
  const rows = await database.query("SELECT 1 FROM configc.holds WHERE installation = $1", [id]);
  const held = rows.length > 0;
  const store = await postgresStore({ url: database.url, connections: 2 });
  try {
    const found = await why({ store, installation: id, now: Date.now(), held, appOf: apps.appOf });
    if (found === undefined) throw new RunError("NotFound", `There is no installation \`${id}\`.`, undefined);
    const path = configuration.apps[found.app];
    const failing = await Promise.all(
      found.failing.map(async (trouble) => {
        const config =
          path === undefined
            ? undefined
            : await inConfig(path, found.app, trouble.version, trouble.pointer).catch(() => undefined);
        return config === undefined ? trouble : { ...trouble, config };
      }),
    );
    return { ...found, held, failing };
  } finally {
    await store.close();
  }
}

function textOf(told: Told, now: number): string {
  const { app, installation, workflow, status, customer, account, lastSuccess, lastReason, items, held } =
    told;
  const about = [
    `${workflow}, ${status}`,
    ...(customer === undefined ? [] : [`customer ${customer}`]),
    ...(account === undefined ? [] : [`account ${account}`]),
    ...(held ? ["held"] : []),
  ];
  const lines = [`${app}/${installation}: ${about.join(", ")}`];
  if (told.failing.length === 0) lines.push("Nothing fails.");
  for (const trouble of told.failing) lines.push(...troubleLines(trouble, now));
  if (told.mustConnect) lines.push("The customer has to connect again before anything is tried.");
  lines.push(
    lastSuccess === undefined
      ? "No cycle has come to its end yet."
      : `The last cycle that came to its end did so ${span(now - lastSuccess)} ago, ${moment(lastSuccess)}${lastReason === undefined ? "" : ` (${lastReason})`}.`,
  );
  const { waiting, waitingSince, failed } = items;
  const age = waitingSince === undefined ? "" : `, the first for ${span(now - waitingSince)}`;
  lines.push(`${count(waiting, "item")} ${waiting === 1 ? "waits" : "wait"}${age}; ${failed} failed.`);
  for (const { at, does, pointer, place } of told.next) {
    const when = at <= now ? "As soon as there is a place" : `In ${span(at - now)}, ${moment(at)},`;
    const where = place === undefined ? "" : ` (${place.file}:${place.line}:${place.column})`;
    lines.push(`${when} it ${does}${pointer === undefined ? "" : `, from ${pointer}${where}`}.`);
  }
  if (told.next.length === 0)
    lines.push(
      held
        ? "Nothing comes next: it is held. `configc-host release` lets it go on."
        : "Nothing comes next by itself.",
    );
  return lines.join("\n");
}

function troubleLines(trouble: Told["failing"][number], now: number): readonly string[] {
  const { since, at, tries = 0, message, version, config, place } = trouble;
  const times = [
    ...(since === undefined ? [] : [`fails since ${span(now - since)}`]),
    ...(tries === 0 ? [] : [count(tries, "try", "tries")]),
    ...(at === undefined ? [] : [`the last one ${span(now - at)} ago`]),
    ...(version === undefined ? [] : [`version ${version}`]),
  ];
  return [
    `${trouble.what}: ${what(trouble, place)}`,
    `  ${message}`,
    ...(times.length === 0 ? [] : [`  ${times.join(", ")}`]),
    ...(config === undefined ? [] : [`  ${place?.line ?? ""} | ${config.written}`]),
    ...(config?.takes === undefined ? [] : [`  it takes ${config.takes}`]),
    ...(config?.gives === undefined ? [] : [`  it gives ${config.gives}`]),
  ];
}
