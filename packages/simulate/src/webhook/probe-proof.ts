import type { Json, JsonObject } from "@configc/jq";
import { RunError } from "@configc/runtime";
import type { Untried } from "../protocol/protocol.ts";
import { put } from "../service/json.ts";
import type { Stage } from "../stage/stage.ts";
import { readsTyped } from "../subject.ts";
import { answered } from "./challenge.ts";
import type { ServiceHook } from "./hooks.ts";
import { ofWebhook, type Proof, proofOf, prove } from "./proof.ts";
import type { WebhookProtocol } from "./protocol.ts";
import { rehearsal } from "./rehearsal.ts";
import { savedOf, textsIn } from "./saved.ts";
import { challengeOf, Sender } from "./sender.ts";
import type { Site } from "./site.ts";
import type { Challenge, Ping, WebhookSubject } from "./subject.ts";
import { algorithmOf, type Call, type Verdict, Verifier } from "./verifier.ts";

/** The proof that an app takes, and what it then answers without taking it for a delivery. */
interface Proved {
  readonly proof: WebhookSubject["proof"];
  readonly ping?: Ping | undefined;
  /** What can't be tried. */
  readonly note?: string;
}

/** The proof that the app takes once it is registered. */
export async function proofFor(subject: WebhookSubject): Promise<Proved | Untried> {
  const { protocol, challenge } = subject;
  const registered = await register(subject);
  if ("reason" in registered) return registered;
  if (!protocol.isVerified) return { proof: undefined, note: NOT_CHECKED };
  const asked = await askedOf(subject, registered);
  const { verifier, call, hook, site } = asked;
  // A secret that the app adds to its URL comes back with each delivery.
  if (Object.keys(hook.query).length > 0 && (await verifier.ask(call, hook.url)).passes)
    return {
      proof: undefined,
      note: "forged deliveries, for what proves who sends them stands in the webhook's own URL",
    };
  if (protocol.signs === undefined && !protocol.isSecretCompared)
    return { proof: undefined, note: NOT_CHECKED };
  const proof = await findProof(subject, asked);
  if (proof !== undefined) {
    const ping = challenge === undefined ? await pingOf(protocol, asked, proof) : undefined;
    return { proof: ofWebhook(proof, site.secretsOf(hook)), ping };
  }
  const plain = await verifier.ask(call, hook.url);
  if (plain.failure !== undefined) return { proof: undefined };
  return {
    reason: `which signature \`verification\` wants couldn't be derived, so no delivery is accepted${plain.status === undefined ? "" : ` (${plain.status})`}`,
  };
}

const NOT_CHECKED = "forged deliveries, for the app doesn't check who sends them";

/** A webhook that the app has registered, on a stage of its own. */
interface Registered extends ReturnType<typeof rehearsal> {
  readonly hook: ServiceHook;
}

async function register(subject: WebhookSubject): Promise<Registered | Untried> {
  const { app, workflow, protocol, installations } = subject;
  const [own] = installations;
  // A handshake may hand over the secret of all deliveries.
  const rehearsed: ReturnType<typeof rehearsal> = rehearsal(subject, async (hook) => {
    const { stage, runtime, site } = rehearsed;
    const sender = new Sender(
      subject,
      stage,
      () => runtime,
      (each) => site.secretsOf(each),
    );
    if (subject.challenge !== undefined) await sender.challenge(hook, subject.challenge);
    return true;
  });
  const { stage, runtime, site } = rehearsed;
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
  return { ...rehearsed, hook };
}

/** The app's verification, and a delivery that nobody has signed to ask it about. */
interface Asked {
  readonly stage: Stage;
  readonly site: Site;
  readonly hook: ServiceHook;
  readonly verifier: Verifier;
  readonly payload: Json;
  readonly call: Call;
  /** What the app has saved. */
  readonly data: JsonObject;
}

async function askedOf(
  { protocol, installations: [own] }: WebhookSubject,
  { stage, runtime, site, hook }: Registered,
): Promise<Asked> {
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
  return { stage, site, hook, verifier, payload, call, data };
}

const VERSION = { number: 1, at: 0, shownFrom: 0 };

async function findProof({ app, protocol }: WebhookSubject, asked: Asked): Promise<Proof | undefined> {
  const { stage, site, hook, verifier, call, data } = asked;
  const known = {
    algorithm: algorithmOf(app, protocol),
    secrets: [...site.secrets, ...textsIn(data), ...protocol.literals.map(({ text }) => text)],
    now: stage.now,
  };
  const proof = await proofOf(verifier, protocol, call, hook.url, known);
  if (proof !== undefined || bodyLiterals(protocol).length === 0) return proof;
  // What the body says may be what only a ping says.
  const body = JSON.stringify(eventOf(protocol, asked));
  return await proofOf(verifier, protocol, { ...call, body }, hook.url, known);
}

/** What a body may say that the app looks for. */
function bodyLiterals({ literals }: WebhookProtocol): WebhookProtocol["literals"] {
  return literals.filter(({ part }) => part === "body");
}

/** A delivery that says something else in all these places. */
function eventOf(protocol: WebhookProtocol, { payload }: Asked): Json {
  return bodyLiterals(protocol).reduce((json, { path }) => put(json, path, "event"), payload);
}

/** What the app answers without taking it for a delivery, though it bears the proof of one. */
async function pingOf(protocol: WebhookProtocol, asked: Asked, proof: Proof): Promise<Ping | undefined> {
  const { stage, hook, verifier, call } = asked;
  const askProved = async (written: Call): Promise<Verdict> => {
    const { call: proved } = await prove(proof, verifier, written, hook.url, stage.now);
    return await verifier.ask(proved, hook.url);
  };
  const askChallenge = async (challenge: Challenge): Promise<Verdict> => {
    const verdict = await askProved(challengeOf(challenge));
    // What is taken for a delivery is one, whatever is repeated of it.
    return verdict.passes ? { ...verdict, said: "" } : verdict;
  };
  const isPing = async (body: Json): Promise<boolean> => {
    const { passes, status = 500 } = await askProved({ ...call, body: JSON.stringify(body) });
    return !passes && status < 300;
  };
  const event = eventOf(protocol, asked);
  const challenge = await answered(protocol, askChallenge);
  if (challenge !== undefined) return challenge;
  const asides: Ping["literals"][number][] = [];
  for (const literal of bodyLiterals(protocol))
    if (await isPing(put(event, literal.path, literal.text))) asides.push(literal);
  const isOther = asides.length > 0 && !(await isPing(event));
  return isOther ? { place: undefined, literals: asides } : undefined;
}
