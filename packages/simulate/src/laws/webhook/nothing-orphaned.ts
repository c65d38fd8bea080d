import type { ServiceHook } from "../../webhook/hooks.ts";
import type { WebhookLog } from "../../webhook/log.ts";
import type { WebhookLaw } from "./law.ts";

export const nothingOrphaned: WebhookLaw = {
  name: "nothing-orphaned",
  summary: "What was registered stays while it is in use, and is removed when it isn't any more.",
  broken(log, { protocol }) {
    const isCalm = log.world.faults.length === 0;
    for (const { number, what, called, inForce, failure } of log.steps) {
      if (failure !== undefined) continue;
      const lost = inForce.find((url) => !called.includes(url));
      if (lost !== undefined && isCalm)
        return {
          message: `After the ${what} the service doesn't call the webhook any more that the app counts on.`,
          records: [],
          cycles: [number],
          pointer: commandOf(protocol.intake.commands, what),
        };
      if (what === "setup" && isCalm && called.length > inForce.length)
        return {
          message: `After the setup ${called.length} webhooks are registered where ${inForce.length} ${inForce.length === 1 ? "is" : "are"} in use.`,
          records: [],
          cycles: [number],
          pointer: commandOf(protocol.intake.commands, what),
        };
    }
    const left = log.hooks.filter(
      (hook) =>
        hook.removedAt === undefined && (isCalm || !(log.reported.has(hook.url) || isUnknown(hook, log))),
    );
    const removal = log.steps.at(-1);
    if (left.length === 0 || removal?.what !== "removal" || (!isCalm && removal.failure !== undefined))
      return undefined;
    return {
      message: `The installation was removed, and ${left.length === 1 ? "its webhook is" : `${left.length} webhooks are`} still registered.`,
      records: [],
      cycles: [removal.number],
      pointer: commandOf(protocol.intake.commands, "removal"),
    };
  },
};

/** Whether nobody but the service can know of a webhook: the answer to its registration got lost (E91). */
function isUnknown({ at }: ServiceHook, { exchanges, steps }: WebhookLog): boolean {
  return (
    exchanges.some(
      ({ fault, at: sent, answeredAt }) =>
        (fault === "lost" || fault === "cut") && sent <= at && at <= answeredAt,
    ) ||
    steps.some(
      ({ hasDied, exchanges: own }) =>
        hasDied && own.some(({ at: sent, answeredAt }) => sent <= at && at <= answeredAt),
    )
  );
}

/** The command that is guilty of what is left after a step. */
function commandOf(commands: Readonly<Record<string, string>>, what: string): string {
  const [first, ...others] = what === "setup" ? ["update", "delete", "create"] : ["delete", "create"];
  return [first!, ...others].map((name) => commands[name]).find((each) => each !== undefined) ?? "";
}
