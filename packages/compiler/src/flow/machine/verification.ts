import type { Command } from "../../bind/bound-nodes.ts";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { documentedSignature } from "../documented-signatures.ts";
import type { TimeForm } from "../time-form.ts";
import { NOW } from "./evaluate.ts";
import { MISSING, record, run } from "./run.ts";
import {
  isKind,
  memberOf,
  resolved,
  SIGNATURE,
  type Source,
  type TextValue,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** What a `verification` does with a delivery. */
export interface Verdict {
  /** Whether the delivery is handed on; undefined where that isn't certain. */
  readonly accepted: boolean | undefined;
  /** Whether the delivery was looked at for a signature. */
  readonly isChecked: boolean;
  /** What was hashed, by the parts of the request that it is made of; undefined where nothing was, or where that isn't known. */
  readonly hashed: readonly string[] | undefined;
  /** Whether something but the delivery's own parts is in the hash. */
  readonly isKeyed: boolean;
  /** The header of its own that says when it was sent. */
  readonly dated: string | undefined;
  /** The answer that was given, where only one can be. */
  readonly answer: Command | undefined;
}

/** A delivery that the sender signed, or one from somebody else, with a signature or without. */
export type Delivery = "genuine" | "forged" | "unsigned";

/** What else a delivery is like. */
export interface DeliveryOptions {
  /** How many seconds ago it was sent: two by default. */
  readonly age?: number;
  /** What each member of its body is, where it is looked at as a text. */
  readonly word?: string;
  /** Whether nothing is saved yet. */
  readonly isEarly?: boolean;
  /** Parameters of its URL that aren't there: `query.nonce`. */
  readonly without?: readonly string[];
  /** What its members and headers for the event say. */
  readonly event?: { readonly is: string; isNamedBy(name: string): boolean };
}

/**
 * What a `verification` does with a delivery: what the sender signed is what it compares with, and no challenge.
 *
 * @param isOrdinary whether what it says in its body and headers is nothing that a program asks for; otherwise it may be
 * @param form how it says when it was sent
 */
export function verdictOn(
  verification: Command,
  delivery: Delivery,
  isOrdinary: boolean,
  form: TimeForm,
  { age = 2, word, isEarly = false, without = [], event }: DeliveryOptions = {},
): Verdict {
  const { named, isOne, returned } = headersOf(verification);
  const request = new Request({
    delivery,
    isOrdinary,
    sent: saidTime(form, age),
    word,
    without,
    event,
    named,
    isOne,
    returned,
    place: verification.node,
  });
  const answers: Command[] = [];
  const output = run(verification, {
    input: { kind: "part", path: [], source: request },
    now: NOW,
    // Refused whichever case a genuine delivery takes.
    explores: delivery === "genuine" && word === undefined,
    // What was saved, or given by the customer, is what the sender knows.
    root: (name, path) => (isEarly && name === "data" ? MISSING : text([name, ...path].join("."), SIGNATURE)),
    effect(command, input) {
      if (command.key === "!sha") return request.hash(command, input);
      if (command.key === "!error") return record({ process_payload: false });
      if (command.key !== "!respond") return UNKNOWN;
      answers.push(command);
      const passed = givenTo(command)?.get("process_payload");
      if (passed !== undefined && passed.kind !== "boolean") return UNKNOWN;
      return record({ process_payload: passed?.value ?? false });
    },
  });
  const passed = isKind(output, "record") ? output.members.get("process_payload") : undefined;
  const { isChecked, hashed, isKeyed, dated } = request;
  return {
    accepted: typeof passed === "boolean" ? passed : undefined,
    isChecked,
    hashed,
    isKeyed,
    dated,
    answer: answers.length === 1 ? answers[0] : undefined,
  };
}

interface RequestOptions {
  readonly delivery: Delivery;
  readonly isOrdinary: boolean;
  readonly sent: NonNullable<TextValue["says"]>;
  readonly word: string | undefined;
  readonly without: readonly string[];
  readonly event: DeliveryOptions["event"];
  /** Headers that have the signature, whatever they are called. */
  readonly named: ReadonlySet<string>;
  /** Whether only one header is read that has one. */
  readonly isOne: boolean;
  /** Headers that are sent back: the service sends them when it asks whether the URL is ours, and with no delivery. */
  readonly returned: ReadonlySet<string>;
  /** Around which comments say how the signature is written. */
  readonly place: SyntaxNode;
}

/** The request with a delivery, and what a `verification` looks at in it. */
class Request implements Source {
  readonly isObject = true;
  isChecked = false;
  hashed: readonly string[] | undefined;
  isKeyed = false;
  dated: string | undefined;
  private readonly options: RequestOptions;
  /** Signatures that are part of what was hashed: no hash is equal to what it was made of. */
  private readonly inHash = new Set<string>();

  constructor(options: RequestOptions) {
    this.options = options;
  }

  isAbsent([member, name, ...rest]: readonly string[]): boolean {
    if (this.options.delivery !== "unsigned" || name === undefined || rest.length > 0) return false;
    return member !== "body" && this.isProof(member, name) && this.resolve([member!, name]) === null;
  }

  resolve(path: readonly string[]): Value {
    const { isOrdinary, word, without, event } = this.options;
    const [member, name] = path;
    if (without.includes(path.join("."))) return null;
    if (event !== undefined && path.length > 1 && event.isNamedBy(path.at(-1)!)) return event.is;
    if (member === "method") return "POST";
    if (member === "body" && word !== undefined && path.length > 1) return word;
    if (path.some((each) => challenge.test(each))) return null;
    if (member === "raw_body") return text("raw_body");
    if (member === "body") return path.length === 1 || isOrdinary ? this.part("body") : UNKNOWN;
    if ((member !== "headers" && member !== "query" && member !== "query_params") || name === undefined)
      return UNKNOWN;
    if (member === "headers" && (/[A-Z]/.test(name) || this.options.returned.has(name))) return null;
    return this.given(member, name);
  }

  /** Hashes what a `!sha` is given. */
  hash(command: Command, input: Value): Value {
    this.isChecked = true;
    const value = resolved(memberOf(input, "value_to_encrypt"));
    // A text that is known as a whole has nothing of the delivery.
    const hashed =
      typeof value === "string"
        ? []
        : isKind(value, "text") && value.starts === undefined
          ? this.partsOf(value)
          : undefined;
    this.hashed = hashed;
    this.isKeyed =
      givenTo(command)?.get("secret") !== undefined ||
      (hashed ?? ["data."]).some((part) => !ofRequest.test(part));
    for (const each of hashed ?? []) this.inHash.add(each);
    const isSigned = hashed === undefined || hashed.includes("raw_body");
    return record({
      value_to_encrypt: value,
      hash: {
        ...text("hash", isSigned ? SIGNATURE : "other"),
        isWhole: true,
        letters: "lower",
        ...(hashed === undefined ? {} : { hashed }),
      },
    });
  }

  /** What a text is made of. The time of the delivery may stand in it as the number that it was made. */
  private partsOf({ of, before = "", behind = "" }: TextValue): readonly string[] {
    const { sent } = this.options;
    const isDated = "number" in sent && `${before}${behind}`.includes(String(sent.number));
    return isDated ? [...of, this.dated ?? "headers"] : of;
  }

  /** A header or a parameter. */
  private given(member: string, name: string): Value {
    const of = `${member}.${name}`;
    if (time.test(name) && !untilWhen.test(name)) {
      this.dated = of;
      return this.timeAt(of);
    }
    if (!this.isProof(member, name)) return this.part(of);
    this.isChecked = true;
    const { delivery, place, isOne } = this.options;
    if (delivery === "unsigned") return null;
    const { before, letters } = documentedSignature(name, place, isOne && member === "headers");
    const form = letters === undefined ? {} : { letters };
    const fields = new Map<string, Value>([
      ...timeFields.map((each) => [each, this.timeAt(`${of}.${each}`)] as const),
      ...proofFields.map((each) => [each, { ...this.proofAt(`${of}.${each}`), ...form }] as const),
    ]);
    const proof = { ...this.proofAt(of), ...form, fields };
    return before === undefined ? proof : { ...proof, before, isWhole: true };
  }

  private isProof(member: string | undefined, name: string): boolean {
    return proof.test(name) || (member === "headers" && this.options.named.has(name));
  }

  private part(of: string): TextValue {
    return { ...text(of), isOther: this.options.isOrdinary };
  }

  private timeAt(of: string): TextValue {
    const { isOrdinary, sent } = this.options;
    return { ...text(of, "time"), isOther: isOrdinary, says: sent };
  }

  private proofAt(of: string): TextValue {
    const isGenuine = this.options.delivery === "genuine";
    return text(of, this.inHash.has(of) ? "hashed" : isGenuine ? SIGNATURE : "forged");
  }
}

const givenTo = ({ argument }: Command) => (argument?.kind === "object" ? argument : undefined);

const challenge = /challenge|crc_?token|validation_?token|verify_?token/i;
const proof = /sign|hmac|digest|hash|token|secret|auth|(?:^|[-_])(?:sig|mac)(?:$|[-_])/i;
/** A header, or a member of one as `t=1,v1=2`, that says when it was sent. */
const time = /(?:^|[-_])(?:time|timestamp|ts|date|epoch|(?:sent|issued|signed)(?:[-_]?at)?)$/i;
const untilWhen = /expir|until|valid|not[-_]/i;
const timeFields: readonly string[] = ["t", "ts", "time", "timestamp", "sent"];
const proofFields: readonly string[] = [
  "v1",
  "v2",
  "v0",
  "sig",
  "signature",
  "s",
  "hmac",
  "mac",
  "h1",
  "h",
  "sha256",
  "digest",
];
const ofRequest = /^(?:raw_body|body|headers|query)/;

/**
 * `.headers.signature`, `.headers["x-signature"]`, the same of `${piped_content.0.headers}`, and `$h["x-signature"]` where a variable has
 * them.
 */
const headerRead = /(?:headers[}>]?(?: ?\| ?)?(?:\.?\["|\.)|(?<=\$\w{1,20}\[")(?=\w+-))([\w-]+)/g;

/** What says of a header that it is about something else than its sender. */
const otherHeader =
  /(?:^|[-_])(?:id|uuid|event|topic|type|kind|action|version|agent|length|host|attempts?|retry|source|account|shop|tenant|hello|ping)$|^content-|^accept/i;

/**
 * The header that is compared with a hash, or with what was saved, where no header's name says that it is the signature: the only one that can be. Whether one
 * header alone is read that has a signature. And the headers that answers send back.
 */
function headersOf(verification: Command): Pick<RequestOptions, "named" | "isOne" | "returned"> {
  const found = new Set<string>();
  const proofs = new Set<string>();
  const returned = new Set<string>();
  const all: (Command | undefined)[] = [verification];
  // The list grows while it is walked through.
  for (const command of all) {
    all.push(...(command?.children ?? []));
    const headers = command?.key === "!respond" ? givenTo(command)?.get("headers") : undefined;
    for (const { name, value } of headers?.kind === "object" ? headers.members : [])
      if (value?.kind === "string" && /\$[{<]/.test(value.value)) returned.add(name.toLowerCase());
    const text = command?.program?.node.value ?? "";
    const { holes = [] } = command?.program ?? {};
    const isCompared = /\bhash\b/.test(text) || holes.some(({ root }) => root === "data");
    for (const [, name] of text.matchAll(headerRead)) {
      if (proof.test(name!)) proofs.add(name!);
      const isOther = time.test(name!) || challenge.test(name!) || otherHeader.test(name!);
      if (!isOther && isCompared) found.add(name!);
    }
  }
  for (const name of returned) {
    found.delete(name);
    proofs.delete(name);
  }
  if (proofs.size > 0) return { named: new Set(), isOne: proofs.size === 1, returned };
  return { named: found.size === 1 ? found : new Set(), isOne: found.size === 1, returned };
}

function saidTime(form: TimeForm, age: number): NonNullable<TextValue["says"]> {
  const seconds = NOW - age;
  return form === "date" ? { date: seconds } : { number: seconds * perSecond[form] };
}

const perSecond = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 } as const;

function text(of: string, label?: string): TextValue {
  return { kind: "text", of: [of], label, isOther: true };
}
