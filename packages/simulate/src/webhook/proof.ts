import { ITEM, put } from "../service/json.ts";
import { wordsOf } from "../service/names.ts";
import { bodyOf } from "../service/routes.ts";
import type { Path } from "../symbolic/value.ts";
import type { RequestPlace, WebhookProtocol } from "./protocol.ts";
import type { Call, Verdict, Verifier } from "./verifier.ts";

/** How a sender shows that it is the sender: texts with `{hex}`, `{base64}`, `{time}` in headers and parameters. */
export interface Proof {
  readonly kind: "signature" | "token";
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The same in the body, by its place. */
  readonly body: { readonly path: Path; readonly text: string } | undefined;
  /** Of which of them the proof is made; without it, it isn't one. */
  readonly key: { readonly part: "headers" | "query" | "body"; readonly name: string };
  /** A token that was given for this webhook, as which of its secrets: each webhook has its own. */
  readonly own?: { readonly index: number; readonly prefix: string };
  /** What is hashed, with `{raw}` for the body; undefined: what the app itself hashes. */
  readonly message: string | undefined;
}

/** What a sender writes where the body's hash is wanted, in the usual ways. */
const usual: readonly string[] = [
  "{hex}",
  "{algorithm}={hex}",
  "{base64}",
  "{algorithm}={base64}",
  "t={time},v1={hex}",
  "v0={hex}",
  "v1={hex}",
  "v1,{base64}",
  "{HEX}",
  "hmac {hex}",
];
const hashes: readonly string[] = ["{hex}", "{HEX}", "{base64}"];
const times: readonly string[] = ["{time}", "{milliseconds}", "{iso}"];

/** The usual ways, and those that the app's own texts beside the hash tell: `"SHA512=" + (.hash | ascii_upcase)`. */
function formsOf({ signatures: { beside } }: WebhookProtocol): readonly string[] {
  const own = beside.filter((text) => text.length <= LONGEST && !text.includes("{"));
  const written = own.flatMap((text) => hashes.flatMap((hash) => [`${text}${hash}`, `${hash}${text}`]));
  return [...new Set([...usual, ...written])];
}

/** Longer texts aren't beside a hash. */
const LONGEST = 40;

/** Where a proof may stand. */
type ProofPlace = RequestPlace & { readonly name: string };

/**
 * Finds out which proof an app takes, by asking it: the usual forms of signatures, and what it has saved as a token.
 *
 * @param call a plain request that nobody has signed
 * @param secrets texts that the service gave, and that the app may compare with
 * @returns undefined where none of them is taken, or none is needed
 */
export async function proofOf(
  verifier: Verifier,
  protocol: WebhookProtocol,
  call: Call,
  url: string,
  { algorithm, secrets, now }: { algorithm: string; secrets: readonly string[]; now: number },
): Promise<Proof | undefined> {
  const named = (part: "headers" | "query", names: readonly string[]): readonly ProofPlace[] =>
    names.map((name) => ({ part, name, path: [name] }));
  const places = [...named("headers", protocol.headers), ...named("query", protocol.queries)].filter(
    ({ name }) => name.toLowerCase() !== "content-type",
  );
  const inBody = protocol.signatures.places
    .filter(({ part, path }) => part === "body" && !path.includes(ITEM))
    .map((place): ProofPlace => ({ ...place, name: place.path.join(".") }));
  const isTime = (name: string): boolean => wordsOf(name).some((word) => timeWords.has(word));
  const values = protocol.signs === undefined ? tokensOf(secrets) : formsOf(protocol);
  const keys = [...places.filter(({ name }) => !isTime(name) || places.length === 1), ...inBody];
  // What the app doesn't need would make something else of a delivery: a challenge, for example.
  for (const isAll of [false, true])
    for (const key of keys)
      for (const value of values)
        for (const time of places.some(({ name }) => isTime(name)) ? times : [""]) {
          const text = value.replace("{algorithm}", algorithm);
          const filled = (part: "headers" | "query"): Record<string, string> =>
            Object.fromEntries(
              places
                .filter((each) => each.part === part)
                .flatMap((each): [string, string][] => {
                  if (each === key) return [[each.name, text]];
                  if (isTime(each.name)) return [[each.name, time]];
                  return isAll ? [[each.name, literalFor(protocol, each)]] : [];
                }),
            );
          const proof: Proof = {
            kind: protocol.signs === undefined ? "token" : "signature",
            headers: filled("headers"),
            query: filled("query"),
            body: key.part === "body" ? { path: key.path, text } : undefined,
            key,
            message: undefined,
          };
          const proved = await prove(proof, verifier, call, url, now);
          const { passes, hashed } = await verifier.ask(proved.call, url);
          if (passes) return { ...proof, message: messageOf(hashed, call.body, now) };
        }
  return undefined;
}

/** The text that is the proof. */
export function textOfProof({ key: { part, name }, body, ...rest }: Proof): string {
  return part === "body" ? (body?.text ?? "") : (rest[part][name] ?? "");
}

/** Says of a token which secret of its webhook it is, if it is one. @param given the secrets of the webhook that takes it */
export function ofWebhook(proof: Proof, given: readonly string[]): Proof {
  if (proof.kind !== "token") return proof;
  const text = textOfProof(proof);
  const index = given.findIndex((secret) => secret !== "" && text.endsWith(secret));
  return index < 0 ? proof : { ...proof, own: { index, prefix: text.slice(0, -given[index]!.length) } };
}

/** The proof as another webhook's sender makes it. @param given the secrets of that webhook */
export function asWebhook(proof: Proof, given: readonly string[]): Proof {
  const secret = proof.own === undefined ? undefined : given[proof.own.index];
  return secret === undefined ? proof : withText(proof, `${proof.own!.prefix}${secret}`);
}

/** A proof that says another text. */
export function withText(proof: Proof, text: string): Proof {
  const { part, name } = proof.key;
  if (part !== "body") return { ...proof, [part]: { ...proof[part], [name]: text } };
  return { ...proof, body: proof.body && { ...proof.body, text } };
}

/** A request with its proof. @returns also the hash in it */
export async function prove(
  proof: Proof,
  verifier: Verifier,
  call: Call,
  url: string,
  now: number,
): Promise<{ readonly call: Call; readonly hash: string | undefined }> {
  const unsigned = filledIn(proof, call, "0".repeat(64), now);
  if (proof.kind === "token") return { call: unsigned, hash: undefined };
  const { hashed }: Verdict = await verifier.ask(unsigned, url);
  const message =
    proof.message === undefined
      ? hashed?.message
      : withTime(proof.message, now).replace("{raw}", () => call.body);
  const hash =
    message === undefined || message === hashed?.message ? hashed?.hash : await verifier.hash(message);
  return { call: hash === undefined ? unsigned : filledIn(proof, call, hash, now), hash };
}

/** A request with a proof whose hash is known, or wrong. */
export function filledIn({ headers, query, body }: Proof, call: Call, hash: string, now: number): Call {
  const written = (text: string): string =>
    withTime(text, now)
      .replace("{hex}", hash)
      .replace("{HEX}", hash.toUpperCase())
      .replace("{base64}", () => base64(hash));
  const fill = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.toLowerCase(), written(text)]));
  return {
    ...call,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(put(bodyOf(call.body), body.path, written(body.text))) }),
    headers: { ...call.headers, ...fill(headers) },
    query: { ...call.query, ...fill(query) },
  };
}

function withTime(text: string, now: number): string {
  return text
    .replace("{time}", String(Math.floor(now / 1_000)))
    .replace("{milliseconds}", String(now))
    .replace("{iso}", new Date(now).toISOString());
}

/** What was hashed, with holes for what differs from request to request. */
function messageOf(hashed: Verdict["hashed"], raw: string, now: number): string | undefined {
  const at = hashed?.message.indexOf(raw) ?? -1;
  if (hashed === undefined || at < 0) return undefined;
  const around = (text: string): string =>
    text
      .replace(new Date(now).toISOString(), "{iso}")
      .replace(String(now), "{milliseconds}")
      .replace(String(Math.floor(now / 1_000)), "{time}");
  return `${around(hashed.message.slice(0, at))}{raw}${around(hashed.message.slice(at + raw.length))}`;
}

function literalFor(
  { literals }: WebhookProtocol,
  { part, name }: { readonly part: string; readonly name: string },
): string {
  return literals.find((each) => each.part === part && each.path[0] === name)?.text ?? "1";
}

function tokensOf(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [secret, `Bearer ${secret}`]);
}

const timeWords: ReadonlySet<string> = new Set(["time", "timestamp", "date", "ts"]);

function base64(hex: string): string {
  const bytes = hex.match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))));
}
