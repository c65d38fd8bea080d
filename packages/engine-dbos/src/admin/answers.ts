import { type Why, why } from "@configc/host";
import { type Json, printExact } from "@configc/runtime";
import { acts, type KeptAct, keptActs, type Performed, performAct, type Target } from "../acts/index.ts";
import { type FailedItem, failedItems } from "../answers/failed-items.ts";
import { type Failing, failing } from "../answers/failing.ts";
import type { Page } from "../answers/page.ts";
import { type AppQueue, queues } from "../answers/queues.ts";
import { type Reason, reasons } from "../answers/reasons.ts";
import type { RecordedStep, Run } from "../runs/runs.ts";
import { type SavedFailure, savedFailures, savedRunOf, type TellsStories, toldOf } from "../stories/index.ts";
import { type AdminContext, AdminError } from "./context.ts";

/** What is asked of a list, from the query of an address. */
export type Asked = Readonly<Record<string, string>>;

export const NEEDS_KEY = "Saved runs are sealed: start this with CONFIGC_KEY, as the workers have it.";

/** A run with all that is kept of it. */
type ToldRun = Run &
  TellsStories & { readonly steps: readonly RecordedStep[]; readonly saved: readonly SavedFailure[] };

const STATUSES = ["waiting", "running", "done", "failed", "cancelled"] as const;

/** Only what was given, with the limit as a number. */
function filterOf<K extends string>(asked: Asked, names: readonly K[]) {
  const { limit } = asked;
  const given = names.flatMap((name) => (asked[name] ? [[name, asked[name]] as const] : []));
  return {
    ...(Object.fromEntries(given) as { readonly [N in K]?: string }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

/** The questions that the API and the pages have in common; the same as the commands answer. */
export const answers = {
  queues: ({ database }: AdminContext): Promise<readonly AppQueue[]> => queues(database),
  reasons: ({ database }: AdminContext, asked: Asked): Promise<readonly Reason[]> =>
    reasons(database, filterOf(asked, ["app", "customer"])),
  failing: ({ database }: AdminContext, asked: Asked): Promise<Page<Failing>> =>
    failing(database, filterOf(asked, ["app", "customer", "installation", "fingerprint", "after"])),
  items: ({ database }: AdminContext, asked: Asked): Promise<Page<FailedItem>> =>
    failedItems(database, filterOf(asked, ["app", "customer", "installation", "fingerprint", "after"])),
  acts: ({ database }: AdminContext, asked: Asked): Promise<Page<KeptAct>> =>
    keptActs(database, filterOf(asked, ["after"])),
  runs({ runs }: AdminContext, asked: Asked): Promise<Page<Run>> {
    const status = STATUSES.find((each) => each === asked["status"]);
    return runs.page({
      ...filterOf(asked, ["app", "installation", "after"]),
      ...(status === undefined ? {} : { status }),
    });
  },
  /** A run with its steps, and as far as they are kept, its requests and states, and where it was saved as a file. */
  async run({ runs, database, vault }: AdminContext, id: string): Promise<ToldRun> {
    const run = await runs.inspect(id);
    const saved = (await savedFailures(database, run.installation)).filter((one) => one.run === id);
    return { ...run, ...(await toldOf(database, vault, id)), saved };
  },
  savedRuns: ({ database }: AdminContext, installation?: string): Promise<readonly SavedFailure[]> =>
    savedFailures(database, installation),
  /** @throws AdminError where none is kept, or the key isn't there */
  async savedRun({ database, vault }: AdminContext, installation: string, node?: string): Promise<string> {
    if (vault === undefined) throw new AdminError(409, NEEDS_KEY);
    const saved = await savedRunOf(database, vault, installation, node);
    if (saved === undefined) throw new AdminError(404, "No run of this is kept as a file.");
    return printExact(saved as unknown as Json);
  },
  /** @throws AdminError where there is no such installation */
  async why({ database, store, apps, now }: AdminContext, id: string): Promise<Why & { held: boolean }> {
    const holds = await database.query("SELECT 1 FROM configc.holds WHERE installation = $1", [id]);
    const held = holds.length > 0;
    const found = await why({ store, installation: id, now: now(), held, appOf: apps.appOf });
    if (found === undefined) throw new AdminError(404, `There is no installation “${id}”.`);
    return { ...found, held };
  },
  /** What is kept of an item, without what its pipeline had been answered. @throws AdminError where it isn't there (any more) */
  async item({ store }: AdminContext, id: string) {
    const row = await store.transaction((transaction) => transaction.get("deliveries", id));
    if (row === undefined)
      throw new AdminError(404, "There is no such item: it has arrived, or was deleted.");
    const { answered: _, ...item } = row;
    return item;
  },
};

/**
 * Has an act done that was asked for by its name.
 *
 * @param given `{target, why, request?, dryRun?}`
 * @throws AdminError for what isn't that, RunError for what can't be done
 */
export async function act(context: AdminContext, name: string, by: string, given: Json): Promise<Performed> {
  const found = acts.find((each) => each.name === name);
  if (found === undefined)
    throw new AdminError(
      404,
      `There is no act “${name}”; there are ${acts.map((each) => each.name).join(", ")}.`,
    );
  const { target, why = "", request = crypto.randomUUID(), dryRun = false } = object(given, "The body");
  const known = object(target ?? null, "`target`");
  if (typeof why !== "string" || typeof request !== "string" || typeof dryRun !== "boolean")
    throw new AdminError(400, "`why` and `request` need strings, `dryRun` true or false.");
  if (Object.values(known).some((value) => typeof value !== "string"))
    throw new AdminError(400, "The members of `target` need strings.");
  if (needReason.has(name) && !dryRun && why === "")
    throw new AdminError(400, `“${name}” needs a reason for the record: \`why\`.`);
  return await performAct(found, context, { target: known as Target, by, why, request, dryRun });
}

export const needReason: ReadonlySet<string> = new Set([
  "skip-items",
  "purge-items",
  "disconnect",
  "delete-customer",
]);

function object(value: Json, what: string): Readonly<Record<string, Json>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, Json>>;
  throw new AdminError(400, `${what} needs to be an object.`);
}
