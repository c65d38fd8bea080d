import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { printExact, RunError, type Runtime } from "@configc/runtime";
import { protocolOf } from "../protocol/derive.ts";
import type { Protocol, Untried } from "../protocol/protocol.ts";
import { put, valueAt } from "../service/json.ts";
import { formOf, mappingOf } from "../subject.ts";
import type { Path } from "../symbolic/value.ts";
import { challengeFor } from "./challenge.ts";
import { webhookProtocolOf } from "./derive.ts";
import { proofFor } from "./probe-proof.ts";
import type { WebhookProtocol } from "./protocol.ts";
import { MOST, rehearsal } from "./rehearsal.ts";
import type { InstallationFacts, Placed, WebhookSubject } from "./subject.ts";

/**
 * The workflow of an app that is called, with what its service has to know: accounts, resources, the proof that the app takes, the
 * challenge that it answers. They are found by asking the app's own programs, with the real runtime.
 */
export async function webhookSubjectOf(
  app: App,
  workflow: AppWorkflow,
  world: WorldFile | undefined,
): Promise<{ readonly subject: WebhookSubject; readonly notTried: readonly string[] } | Untried> {
  const intake = app.intakes[workflow.intake ?? -1];
  if (intake?.type !== "webhook") return { reason: "the workflow has no webhook" };
  const form = formOf(app, workflow);
  const protocol = webhookProtocolOf(app, workflow, intake);
  if ("reason" in protocol) return protocol;
  const history = historyOf(app, workflow, form, world);
  const installations = await installationsOf(app, workflow, protocol);
  if ("reason" in installations) return installations;
  const bare: WebhookSubject = {
    app,
    workflow,
    form,
    mapping: mappingOf(app, workflow, form),
    protocol,
    installations,
    proof: undefined,
    challenge: undefined,
    ping: undefined,
    history: history === undefined || "reason" in history ? undefined : history,
  };
  const notTried: string[] = [];
  if (history !== undefined && "reason" in history) notTried.push(`the import: ${history.reason}`);
  const challenge = await challengeFor(bare);
  const proved = await proofFor({ ...bare, challenge });
  if ("reason" in proved) return proved;
  const { proof, ping, note } = proved;
  if (protocol.echoes.length > 0 && challenge === undefined && ping === undefined)
    notTried.push("a challenge, for which one the app answers isn't known");
  if (note !== undefined) notTried.push(note);
  return { subject: { ...bare, challenge, ping, proof }, notTried };
}

function historyOf(
  app: App,
  workflow: AppWorkflow,
  form: ReturnType<typeof formOf>,
  world: WorldFile | undefined,
): Protocol | Untried | undefined {
  const intake = app.intakes[workflow.historicalIntake ?? -1];
  if (intake === undefined) return undefined;
  return protocolOf(app, workflow, intake, {
    form: new Map(Object.entries(form)),
    meanings: world?.intakes[intake.name]?.parameters ?? {},
  });
}

/** What two customers, or one with two choices, come to in the setup. */
async function installationsOf(
  app: App,
  workflow: AppWorkflow,
  protocol: WebhookProtocol,
): Promise<readonly InstallationFacts[] | Untried> {
  const facts: InstallationFacts[] = [];
  for (let index = 0; index < MOST; index++) {
    const form = formOf(app, workflow, index);
    const mapping = mappingOf(app, workflow, form);
    const customer = protocol.intake.scope === "application" ? index + 1 : 1;
    const { runtime } = rehearsal({ app, workflow, form, mapping, protocol });
    const given = {
      context: { custom_data: form, subdomain: "customer" },
      connection: customer === 1 ? "connection" : `connection-${customer}`,
      ...(workflow.auth === undefined ? {} : { auth: workflow.auth }),
    };
    const { connect, select } = workflow.setup;
    const described = await quietly(() => runOf(runtime, connect?.describeConnection, given));
    const resourceId = textOf(await quietly(() => runOf(runtime, select?.resourceId, given)));
    const accountId = textOf(valueAt(described, ["account_id"]));
    const routing = async (
      member: "account_id" | "resource_id",
      paths: readonly Path[],
      wanted: string | undefined,
    ): Promise<readonly Placed[]> => {
      const command = protocol.intake.commands[member];
      if (command === undefined || wanted === undefined) return [];
      for (const placed of waysToSay(wanted, paths)) {
        const input = placed.reduce<Json>((json, { at, value }) => put(json, at, value), {});
        const output = await quietly(() => runtime.run(command, { input }));
        if (textOf(output) === wanted) return placed;
      }
      return [];
    };
    facts.push({
      id: index === 0 ? "customer" : `customer-${index + 1}`,
      customer,
      form,
      mapping,
      accountId,
      resourceId,
      account: await routing("account_id", protocol.accountAt, accountId),
      resource: await routing("resource_id", protocol.resourceAt, resourceId),
    });
  }
  const [first] = facts;
  const { scope, commands } = protocol.intake;
  if (scope !== "workflow") {
    if (commands["account_id"] !== undefined && first!.account.length === 0)
      return { reason: "what `account_id` reads in a delivery isn't known, so nothing can be sent" };
    if (commands["resource_id"] !== undefined && first!.resource.length === 0)
      return { reason: "what `resource_id` reads in a delivery isn't known, so nothing can be sent" };
  }
  return facts;
}

/** What a payload may have at some places for a command to make a text of it: the text, as a number, in an address, in parts. */
function* waysToSay(wanted: string, paths: readonly Path[]): Generator<readonly Placed[]> {
  for (const at of paths)
    for (const value of [wanted, Number(wanted), `https://service.example/uri/${wanted}`])
      if (typeof value === "string" || Number.isSafeInteger(value)) yield [{ at, value }];
  for (const between of new Set(wanted.match(/[^\w]/g))) {
    const parts = wanted.split(between);
    if (paths.length < 2 || parts.length !== paths.length) continue;
    yield paths.map((at, index) => ({ at, value: parts[index]! }));
    const isNumeric = (part: string): boolean => /^\d+$/.test(part);
    if (parts.some(isNumeric))
      yield paths.map((at, index) => ({
        at,
        value: isNumeric(parts[index]!) ? Number(parts[index]) : parts[index]!,
      }));
  }
}

function runOf(runtime: Runtime, command: string | undefined, given: object): Promise<Json> {
  return command === undefined ? Promise.resolve(null) : runtime.run(command, given);
}

/** @returns null where it fails */
async function quietly(work: () => Promise<Json>): Promise<Json> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : printExact(value);
}
