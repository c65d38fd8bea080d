import type { Json } from "@configc/jq";
import { type DeliveryCounts, deliverWaiting, nothingDelivered, retryDelivery } from "../delivery/deliver.ts";
import { pruneDeliveries } from "../delivery/prune.ts";
import { RunError } from "../errors.ts";
import { importHistory, isImporting } from "../historical/import.ts";
import { type CycleResult, runCycle } from "../polling/cycle.ts";
import { readPolling } from "../polling/record.ts";
import { resetIntakes } from "../polling/reset.ts";
import { idOf } from "../store/id.ts";
import type { PollReason } from "../store/tables.ts";
import type { WebhookRequest } from "../webhooks/payload.ts";
import { type ReceiveOptions, receiveWebhook, type WebhookAnswer } from "../webhooks/receive.ts";
import { historicalIntakeOf, type Installed, intakeOf, loadInstalled } from "./installed.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { type Services, type WorkOptions, workOf } from "./services.ts";

/** What an app does for its installations, from a store. Every operation can be ended at any point and goes on from there. */
export interface Intakes extends Lifecycle {
  /**
   * Runs one polling cycle of an installation (D33), or its whole historical import (D34), and delivers the items.
   *
   * @returns what it did; with `done` there is nothing (more) to poll
   * @throws RunError of the command that failed, or of the surroundings. What was committed is kept.
   */
  poll(installation: string, options?: WorkOptions): Promise<CycleResult>;
  /** Forgets the polling state, so that the next cycle begins with `initial_setup` (D33). */
  reset(installation: string, options?: WorkOptions): Promise<void>;
  /**
   * Delivers what waits for an installation; while its history is imported, what webhooks brought waits on.
   *
   * @throws RunError of the surroundings. Items that fail for their own reasons are counted (D35).
   */
  deliver(installation: string, options?: WorkOptions): Promise<DeliveryCounts>;
  /**
   * Takes a request to a webhook's URL: verifies, routes and keeps it (D31). Nothing is delivered before `deliver` is called for
   * the installations that it names.
   *
   * @returns the answer for the third party
   * @throws RunError of the store or of the surroundings: nothing was kept; the third party is best answered 503
   */
  receive(request: WebhookRequest, options?: ReceiveOptions): Promise<WebhookAnswer>;
  /**
   * Hands a contact to an outbound workflow.
   *
   * @param options.key the host's id of the event: a contact that is handed over again under it is delivered once
   */
  send(
    installation: string,
    contact: Json,
    options?: WorkOptions & { readonly key?: string },
  ): Promise<DeliveryCounts>;
  /**
   * Delivers a failed item again, with those that wait.
   *
   * @throws RunError `NotFound` if there is no such item, or it hasn't failed
   */
  retry(delivery: string, options?: WorkOptions): Promise<DeliveryCounts>;
  /**
   * Forgets what arrived, was skipped or couldn't be routed. Failed items stay: somebody has to look at them.
   *
   * @param before milliseconds since 1970
   * @param failedBefore the same for those that failed, which can be retried until then (D35); undefined: they stay
   * @returns how many rows are gone
   */
  prune(before: number, failedBefore?: number): Promise<number>;
}

/** Reasons for which nothing is left to fetch; the others cut a cycle short. */
const exhausted: readonly PollReason[] = ["iterate", "empty", "repeat"];

export function createIntakes(services: Services): Intakes {
  const deliver: Intakes["deliver"] = (id, options = {}) => deliverTo(services, id, options);
  return {
    ...createLifecycle(services),
    poll: (id, options = {}) => poll(services, id, options),
    async reset(id, { signal } = {}) {
      await resetIntakes(services, await loadInstalled(services, id), signal);
    },
    deliver,
    receive: (request, options = {}) =>
      receiveWebhook(services, request, workOf(services, options), options.answers ?? false),
    async send(id, contact, { key = services.effects.random.id(), ...options } = {}) {
      await keepContact(services, id, contact, key);
      return await deliver(id, options);
    },
    async retry(delivery, options) {
      const { installation } = await retryDelivery(services, delivery);
      return installation === undefined ? nothingDelivered : await deliver(installation, options);
    },
    prune: (before, failedBefore) => pruneDeliveries(services, before, failedBefore),
  };
}

/** Delivers what waits; what webhooks brought waits until the history is imported. */
async function deliverTo(services: Services, id: string, options: WorkOptions): Promise<DeliveryCounts> {
  const installed = await loadActive(services, id);
  const historical = historicalIntakeOf(services, installed.workflow);
  const importing = await isImporting(services, installed, historical);
  const work = workOf(services, options);
  return await deliverWaiting(services, installed, work, importing ? "historical" : undefined);
}

async function poll(services: Services, id: string, options: WorkOptions): Promise<CycleResult> {
  const { store, limits } = services;
  const installed = await loadActive(services, id);
  const { workflow } = installed;
  const work = workOf(services, options);
  const historical = historicalIntakeOf(services, workflow);
  if (historical !== undefined) return await importHistory(services, installed, historical, work);
  const intake = intakeOf(services, workflow);
  if (intake?.type !== "polling")
    throw new RunError("NotSupported", `The workflow \`${workflow.name}\` polls nothing.`, workflow);
  const record = await store.transaction((transaction) => readPolling(transaction, id, intake.name));
  if (record.done)
    return { ...nothingDelivered, reason: record.reason ?? "iterate", requests: 0, results: 0, done: true };
  const doneAfter = isSingle(installed, intake.importOption) ? exhausted : [];
  const cycle = { origin: "polling", doneAfter, requests: limits.pollingRequests } as const;
  return await runCycle(services, installed, intake, cycle, work);
}

/** Keeps a contact as a delivery that waits, once for each key. */
async function keepContact(services: Services, id: string, contact: Json, key: string): Promise<void> {
  const { workflow } = await loadActive(services, id);
  if (workflow.direction !== "outbound")
    throw new RunError(
      "NotSupported",
      `\`${workflow.name}\` takes data in; contacts go to outbound workflows.`,
      workflow,
    );
  await services.store.transaction(async (transaction) => {
    const delivery = idOf(id, "contact", key);
    if ((await transaction.get("deliveries", delivery)) !== undefined) return;
    await transaction.put("deliveries", {
      id: delivery,
      app: services.name,
      installation: id,
      intake: "",
      origin: "contact",
      status: "waiting",
      input: contact,
      attempts: 0,
      receivedAt: services.effects.clock.now(),
    });
  });
}

/** Custom-object workflows have no schedule step: there the intake says it (D42). */
function isSingle({ settings, workflow }: Installed, intakeOption: string | undefined): boolean {
  return (workflow.setup.schedule === undefined ? intakeOption : settings.importOption) === "single";
}

/** @throws RunError `DataError` if it isn't active: paused ones neither poll nor deliver */
async function loadActive(services: Services, id: string): Promise<Installed> {
  const installed = await loadInstalled(services, id);
  const { status } = installed.installation;
  if (status === "active" || status === "updating") return installed;
  throw new RunError("DataError", `The installation \`${id}\` isn't active: it is ${status}.`, undefined);
}
