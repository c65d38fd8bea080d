import { canonicalText } from "../canonical.ts";
import { historicalIntakeOf, type Installed, intakeOf } from "../intake/installed.ts";
import type { Services } from "../intake/services.ts";
import type { Settings } from "../store/tables.ts";
import { pollingId, readPolling, resetPolling } from "./record.ts";

/** Has the intakes of an installation begin again with `initial_setup` (D33); a cycle that runs ends first. */
export async function resetIntakes(
  services: Services,
  { installation: { id }, workflow }: Installed,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store } = services;
  for (const intake of [intakeOf(services, workflow), historicalIntakeOf(services, workflow)])
    if (intake?.type === "polling")
      await store.exclusive(
        `polling ${pollingId(id, intake.name)}`,
        () =>
          store.transaction(async (transaction) =>
            resetPolling(transaction, await readPolling(transaction, id, intake.name)),
          ),
        signal,
      );
}

/** Whether what is polled is another thing by the new settings, so that the state of before says nothing of it (E22). */
export function pollsAnew(before: Settings | undefined, after: Settings): boolean {
  if (before === undefined) return false;
  // The same account may have been connected anew.
  const [was, is] = [before, after].map(({ connection = null, accountId, customData, importOption = null }) =>
    canonicalText([accountId ?? connection, customData, importOption]),
  );
  return was !== is;
}
