import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { printExact, RunError, type Runtime } from "@configc/runtime";
import { protocolOf } from "../protocol/derive.ts";
import type { Protocol, Untried } from "../protocol/protocol.ts";
import { Collection } from "../service/collection.ts";
import { put, valueAt } from "../service/json.ts";
import { Stage, WEBHOOKS } from "../stage/stage.ts";
import { formOf, mappingOf, readsTyped } from "../subject.ts";
import { kindest } from "../world/hypotheses.ts";
import { webhookProtocolOf } from "./derive.ts";
import { ofWebhook, proofOf, prove } from "./proof.ts";
import type { WebhookProtocol } from "./protocol.ts";
import { savedOf, textsIn } from "./saved.ts";
import { challengeOf, TOKEN } from "./sender.ts";
import { Site } from "./site.ts";
import type { Challenge, InstallationFacts, Ping, WebhookSubject } from "./subject.ts";
import { algorithmOf, type Call, type Verdict, Verifier } from "./verifier.ts";

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

/** A stage on which nothing happens but what is asked. */
function rehearsal(
  subject: Pick<WebhookSubject, "app" | "workflow" | "form" | "mapping" | "protocol"> & {
    readonly challenge?: Challenge | undefined;
  },
): {
  readonly stage: Stage;
  readonly runtime: Runtime;
  readonly site: Site;
} {
  const { app, protocol } = subject;
  const site = new Site(
    app,
    protocol,
    new Collection(),
    { ...kindest, rounding: 1_000 },
    undefined,
    subject.challenge,
  );
  const stage: Stage = new Stage(subject, {
    seed: 0,
    faults: [],
    customers: MOST,
    serve: (request) => site.answer(request, stage.now, async () => true),
  });
  return { stage, runtime: stage.runtime(), site };
}

/** Installations that one world has, at most. */
const MOST = 2;

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
      at: WebhookProtocol["accountAt"],
      wanted: string | undefined,
    ): Promise<Json | undefined> => {
      const command = protocol.intake.commands[member];
      if (command === undefined || at === undefined || wanted === undefined) return undefined;
      for (const value of [wanted, Number(wanted), `https://service.example/uri/${wanted}`]) {
        if (typeof value === "number" && !Number.isSafeInteger(value)) continue;
        const output = await quietly(() => runtime.run(command, { input: put({}, at, value) }));
        if (textOf(output) === wanted) return value;
      }
      return undefined;
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
    if (commands["account_id"] !== undefined && first!.account === undefined)
      return { reason: "what `account_id` reads in a delivery isn't known, so nothing can be sent" };
    if (commands["resource_id"] !== undefined && first!.resource === undefined)
      return { reason: "what `resource_id` reads in a delivery isn't known, so nothing can be sent" };
  }
  return facts;
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

/** The challenge that the app answers before anything is saved. */
async function challengeFor(subject: WebhookSubject): Promise<Challenge | undefined> {
  const { protocol, form } = subject;
  const { runtime } = rehearsal(subject);
  const custom_data = protocol.intake.scope === "workflow" ? form : {};
  const verifier = new Verifier(runtime, protocol, { data: {}, custom_data });
  return await answered(protocol, (challenge) => verifier.ask(challengeOf(challenge), `${WEBHOOKS}probe`));
}

/** The first challenge whose token comes back. */
async function answered(
  { echoes, literals: all }: WebhookProtocol,
  ask: (challenge: Challenge) => Promise<Verdict>,
): Promise<Challenge | undefined> {
  const conditions: readonly Challenge["literals"][] = [[], ...all.map((each) => [each])];
  for (const place of echoes)
    for (const method of place.part === "query" ? (["GET", "POST"] as const) : (["POST"] as const))
      for (const literals of [...conditions, all]) {
        const challenge: Challenge = { method, place, literals };
        const { status = 0, said } = await ask(challenge);
        if (status >= 200 && status < 300 && said.includes(TOKEN)) return challenge;
      }
  return undefined;
}

/** The proof that an app takes, and what it then answers without taking it for a delivery. */
interface Proved {
  readonly proof: WebhookSubject["proof"];
  readonly ping?: Ping | undefined;
  /** What can't be tried. */
  readonly note?: string;
}

/** The proof that the app takes once it is registered. */
async function proofFor(subject: WebhookSubject): Promise<Proved | Untried> {
  const { app, workflow, protocol, installations } = subject;
  const [own] = installations;
  const { stage, runtime, site } = rehearsal(subject);
  await stage.keep({ ...own!, status: "paused" });
  try {
    await runtime.activate(own!.id);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const isTyped = readsTyped(app, workflow, protocol.intake.pointer);
    return stage.exchanges.length === 0 && !isTyped
      ? {
          reason: `the webhook can't be registered, for \`create\` fails before it sends a request: ${error.message}`,
          failsAnyway: true,
        }
      : {
          reason: `the service that was derived doesn't fit the app. Where nothing is special, the webhook can't be registered: ${error.message}`,
        };
  }
  const [hook] = site.hooks.live;
  if (hook === undefined) return { reason: "what `create` sends wasn't taken for a registration" };
  if (!protocol.isVerified) return { proof: undefined, note: NOT_CHECKED };
  const data = await savedOf(stage, own!);
  const verifier = new Verifier(runtime, protocol, {
    data,
    custom_data: protocol.intake.scope === "workflow" ? own!.form : {},
  });
  const payload = site.payload({ number: 1, versions: [VERSION], deletedAt: undefined }, 1);
  const call: Call = {
    method: "POST",
    headers: { "content-type": "application/json" },
    query: hook.query,
    body: JSON.stringify(payload),
  };
  // A secret that the app adds to its URL comes back with each delivery.
  if (Object.keys(hook.query).length > 0 && (await verifier.ask(call, hook.url)).passes)
    return {
      proof: undefined,
      note: "forged deliveries, for what proves who sends them stands in the webhook's own URL",
    };
  const known = {
    algorithm: algorithmOf(app, protocol),
    secrets: [...site.secrets, ...textsIn(data), ...protocol.literals.map(({ text }) => text)],
    now: stage.now,
  };
  const literals = protocol.literals.filter(({ part }) => part === "body");
  const event = literals.reduce((json, { path }) => put(json, path, "event"), payload);
  const isChecking = protocol.signs !== undefined || protocol.isSecretCompared;
  const proof =
    (await proofOf(verifier, protocol, call, hook.url, known)) ??
    // What the body says may be what only a ping says.
    (isChecking && literals.length > 0
      ? await proofOf(verifier, protocol, { ...call, body: JSON.stringify(event) }, hook.url, known)
      : undefined);
  if (isChecking && proof !== undefined) {
    const ask = async (challenge: Challenge): Promise<Verdict> => {
      const { call: proved } = await prove(proof, verifier, challengeOf(challenge), hook.url, stage.now);
      const verdict = await verifier.ask(proved, hook.url);
      // What is taken for a delivery is one, whatever is repeated of it.
      return verdict.passes ? { ...verdict, said: "" } : verdict;
    };
    const isPing = async (body: Json): Promise<boolean> => {
      const written = { ...call, body: JSON.stringify(body) };
      const { call: proved } = await prove(proof, verifier, written, hook.url, stage.now);
      const { passes, status = 500 } = await verifier.ask(proved, hook.url);
      return !passes && status < 300;
    };
    const asides: (typeof literals)[number][] = [];
    for (const literal of literals)
      if (await isPing(put(event, literal.path, literal.text))) asides.push(literal);
    const isOther = asides.length > 0 && !(await isPing(event));
    const ping =
      subject.challenge === undefined
        ? ((await answered(protocol, ask)) ?? (isOther ? { place: undefined, literals: asides } : undefined))
        : undefined;
    return { proof: ofWebhook(proof, site.secretsOf(hook)), ping };
  }
  if (!isChecking) return { proof: undefined, note: NOT_CHECKED };
  const plain = await verifier.ask(call, hook.url);
  if (plain.failure !== undefined) return { proof: undefined };
  return {
    reason: `which signature \`verification\` wants couldn't be derived, so no delivery is accepted${plain.status === undefined ? "" : ` (${plain.status})`}`,
  };
}

const NOT_CHECKED = "forged deliveries, for the app doesn't check who sends them";

const VERSION = { number: 1, at: 0, shownFrom: 0 };
