import { pollingId } from "../polling/record.ts";
import { resetIntakes } from "../polling/reset.ts";
import { idOf } from "../store/id.ts";
import type { Installation, InstallationStatus } from "../store/tables.ts";
import { joinWebhook, leaveWebhooks, refreshWebhook } from "../webhooks/registrations.ts";
import { changeInstallation, type Installed, intakeOf, loadInstalled } from "./installed.ts";
import type { Services, Work } from "./services.ts";

/** The statuses of an installation in which something is to be done, by `proceed`. */
export const underWay = [
  "activating",
  "updating",
  "deactivating",
  "removing",
] as const satisfies readonly InstallationStatus[];

/** Does what the status says is under way; nothing in the others. Each part can be done again after a crash. */
export async function proceed(services: Services, { id, status }: Installation, work: Work): Promise<void> {
  switch (status) {
    case "activating":
    case "updating": {
      const installed = await loadInstalled(services, id);
      await reach(services, installed, work);
      if (installed.installation.pollsAnew === true) await resetIntakes(services, installed, work.signal);
      await changeInstallation(services, id, ({ draft: _, failure: __, pollsAnew: ___, ...row }) => ({
        ...row,
        status: "active",
      }));
      return;
    }
    case "deactivating":
      await leaveWebhooks(services, id, work);
      await changeInstallation(services, id, ({ failure: _, ...row }) => ({ ...row, status: "paused" }));
      return;
    case "removing":
      await leaveWebhooks(services, id, work);
      await forget(services, id, work);
      await changeInstallation(services, id, ({ draft: _, failure: __, ...row }) => ({
        ...row,
        status: "removed",
      }));
      return;
    default:
      return;
  }
}

/** Sees to it that the service calls. */
async function reach(services: Services, installed: Installed, work: Work): Promise<void> {
  const intake = intakeOf(services, installed.workflow);
  if (intake?.type !== "webhook") return;
  if (installed.installation.status === "updating") await refreshWebhook(services, installed, intake, work);
  else await joinWebhook(services, installed, intake, work);
}

/** Deletes what only this installation had; a cycle that runs ends first. */
async function forget({ store }: Services, installation: string, { signal }: Work): Promise<void> {
  const polled = await store.transaction((transaction) => transaction.list("polling", { installation }));
  for (const { id, intake } of polled)
    await store.exclusive(
      `polling ${pollingId(installation, intake)}`,
      () => store.transaction((transaction) => transaction.delete("polling", id)),
      signal,
    );
  const delivered = (): Promise<void> =>
    store.transaction(async (transaction) => {
      for (const status of ["waiting", "failed"] as const)
        for (const { id } of await transaction.list("deliveries", { installation, status }))
          await transaction.delete("deliveries", id);
      await transaction.delete("saved", idOf("workflow", installation));
    });
  await store.exclusive(`deliveries ${installation}`, delivered, signal);
}
