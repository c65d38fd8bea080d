import { join } from "node:path";
import { sqliteItems, sqliteStore } from "@configc/host";
import type { Hook, PollingRecord } from "@configc/runtime";
import { openDatabase } from "../../packages/host/src/store/driver.ts";
import type { Api } from "../api/api.ts";
import { historyIntake } from "./crash-app.ts";

/** What must have arrived, each once. */
export interface Expected {
  /** Emails of all people: imported by the cycle, and by the history. */
  readonly people: readonly string[];
  /** Emails of the events that were taken. */
  readonly events: string[];
  /** Emails of the contacts that were handed over, which the third party must have. */
  readonly contacts: readonly string[];
}

/** What is wrong with the state that a service has left, and with what its target has got. */
export async function problemsOf(
  directory: string,
  api: Api,
  { people, events, contacts }: Expected,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const same = (what: string, found: readonly string[], wanted: readonly string[]): void => {
    const counts = new Map<string, number>();
    for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
    for (const one of wanted) if (!counts.has(one)) problems.push(`${what}: ${one} was lost`);
    for (const [one, count] of counts) {
      if (count > 1) problems.push(`${what}: ${one} was delivered ${count} times`);
      if (!wanted.includes(one)) problems.push(`${what}: ${one} came from nowhere`);
    }
  };

  // The target keeps each key once; an item that was delivered under two keys is there twice.
  const platform = await openDatabase(join(directory, "platform.db"));
  const rows = platform.prepare("SELECT delivery, result FROM deliveries").all();
  platform.close();
  const arrived = (prefix: string): string[] =>
    rows
      .filter(({ delivery }) => String(delivery).startsWith(prefix))
      .map(({ result }) => (JSON.parse(String(result)) as { result: { email: string } }).result.email);
  same("polling", arrived("poll/changed-people/"), people);
  same("history", arrived(`hook/${historyIntake}/`), people);
  same("webhook", arrived("people%2Fperson.created%2F"), events);
  const created = api.people.all.map(({ email }) => email).filter((email) => !people.includes(email));
  same("contacts", created, contacts);

  const store = await sqliteStore(join(directory, "state.db"));
  const state = await store.transaction(async (transaction) => ({
    waiting: await transaction.count("deliveries", { app: "people", status: "waiting" }),
    failed: await transaction.count("deliveries", { app: "people", status: "failed" }),
    polling: await transaction.list("polling", {}),
    hooks: await transaction.list("hooks", {}),
    installations: await transaction.list("installations", {}),
  }));
  await store.close();
  (await sqliteItems(join(directory, "platform.db"))).close();
  if (state.waiting + state.failed > 0)
    problems.push(`${state.waiting} deliveries wait and ${state.failed} have failed`);
  for (const { id, status } of state.installations)
    if (status !== (id === "gone" ? "removed" : "active")) problems.push(`${id} is ${status}`);
  for (const record of state.polling) problems.push(...pollingProblems(record));
  problems.push(...hookProblems(state.hooks, api));
  return problems;
}

function pollingProblems({ id, phase, cycle, results, failures }: PollingRecord): string[] {
  if (phase === "idle" && cycle === 1 && results > 0 && failures === 0) return [];
  return [`${id} is ${phase} in cycle ${cycle} with ${results} results and ${failures} failures`];
}

/** Webhooks that the third party still has although nobody needs them, each with the reason that an operator reads. */
export async function orphansOf(directory: string, api: Api): Promise<readonly string[]> {
  const store = await sqliteStore(join(directory, "state.db"));
  const hooks = await store.transaction((transaction) => transaction.list("hooks", {}));
  await store.close();
  return [...api.hooks.registered.values()].flatMap(({ url, event }) => {
    const hook = hooks.find(({ id }) => url.endsWith(`/${id}`));
    return hook?.orphan === undefined ? [] : [`${event}: ${hook.orphan}`];
  });
}

/** One is in force; another that the third party still has must have been reported. */
function hookProblems(hooks: readonly Hook[], api: Api): string[] {
  const active = hooks.filter(({ state }) => state === "active");
  const problems = active.length === 1 ? [] : [`${active.length} webhooks are in force`];
  const known = new Set(hooks.filter(({ orphan }) => orphan !== undefined).map(({ id }) => id));
  const registered = [...api.hooks.registered.values()].map(({ url }) => url.split("/").at(-1) ?? "");
  if (active[0] !== undefined && !registered.includes(active[0].id))
    problems.push("the webhook isn't registered");
  for (const id of registered)
    if (id !== active[0]?.id && !known.has(id)) problems.push(`the webhook ${id} was left behind in silence`);
  return problems;
}
