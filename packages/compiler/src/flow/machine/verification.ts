import type { Command } from "../../bind/bound-nodes.ts";
import { NOW } from "./evaluate.ts";
import { record, run } from "./run.ts";
import {
  isKind,
  memberOf,
  type Part,
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

/** How a sender writes the time at which it signed. */
export type TimeForm = "seconds" | "milliseconds" | "microseconds" | "nanoseconds" | "date";

/** A delivery that the sender signed, or one from somebody else, with a signature or without. */
export type Delivery = "genuine" | "forged" | "unsigned";

/**
 * What a `verification` does with a delivery: what the sender signed is what it compares with, and no challenge.
 *
 * @param isOrdinary whether what it says in its body and headers is nothing that a program asks for; otherwise it may be
 * @param form how it says when it was sent
 * @param age how many seconds ago that was
 * @param word what each member of its body is, where it is looked at as a text
 */
export function verdictOn(
  verification: Command,
  delivery: Delivery,
  isOrdinary: boolean,
  form: TimeForm,
  age = 2,
  word?: string,
): Verdict {
  let isChecked = false;
  const named = signaturesOf(verification);
  /** Signatures that are part of what was hashed: no hash is equal to what it was made of. */
  const inHash = new Set<string>();
  const proofAt = (of: string): TextValue =>
    text(of, inHash.has(of) ? "hashed" : delivery === "genuine" ? SIGNATURE : "forged");
  const timeAt = (of: string): TextValue => ({
    ...text(of, "time"),
    isOther: isOrdinary,
    says: saidTime(form, age),
  });
  let hashed: readonly string[] | undefined;
  let isKeyed = false;
  let dated: string | undefined;
  const answers: Command[] = [];
  const part = (of: string): TextValue => ({ ...text(of), isOther: isOrdinary });
  const isProof = (member: string | undefined, name: string): boolean =>
    proof.test(name) || (member === "headers" && named.has(name));
  const source: Source = {
    isAbsent: ([member, name, ...rest]) =>
      delivery === "unsigned" &&
      name !== undefined &&
      rest.length === 0 &&
      member !== "body" &&
      isProof(member, name) &&
      source.resolve([member!, name]) === null,
    resolve(path) {
      const [member, name] = path;
      if (member === "method") return "POST";
      if (member === "body" && word !== undefined && path.length > 1) return word;
      if (path.some((each) => challenge.test(each))) return null;
      if (member === "raw_body") return text("raw_body");
      if (member === "body") return path.length === 1 || isOrdinary ? part("body") : UNKNOWN;
      if ((member !== "headers" && member !== "query" && member !== "query_params") || name === undefined)
        return UNKNOWN;
      if (member === "headers" && /[A-Z]/.test(name)) return null;
      const of = `${member}.${name}`;
      if (time.test(name) && !untilWhen.test(name)) {
        dated = of;
        return timeAt(of);
      }
      if (!isProof(member, name)) return part(of);
      isChecked = true;
      if (delivery === "unsigned") return null;
      const fields = new Map<string, Value>([
        ...timeFields.map((each) => [each, timeAt(`${of}.${each}`)] as const),
        ...proofFields.map((each) => [each, proofAt(`${of}.${each}`)] as const),
      ]);
      return { ...proofAt(of), fields };
    },
  };
  const request: Part = { kind: "part", path: [], source };
  const output = run(verification, {
    input: request,
    now: NOW,
    // Refused whichever case a genuine delivery takes.
    explores: delivery === "genuine" && word === undefined,
    // What was saved, or given by the customer, is what the sender knows.
    root: (name, path) => text([name, ...path].join("."), SIGNATURE),
    effect(command, input) {
      const { argument } = command;
      const given = argument?.kind === "object" ? argument : undefined;
      if (command.key === "!sha") {
        isChecked = true;
        const value = resolved(memberOf(input, "value_to_encrypt"));
        hashed = isKind(value, "text") && value.starts === undefined ? value.of : undefined;
        isKeyed =
          given?.get("secret") !== undefined || (hashed ?? ["data."]).some((part) => !ofRequest.test(part));
        for (const each of hashed ?? []) inHash.add(each);
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
      if (command.key === "!error") return record({ process_payload: false });
      if (command.key !== "!respond") return UNKNOWN;
      answers.push(command);
      const passed = given?.get("process_payload");
      if (passed !== undefined && passed.kind !== "boolean") return UNKNOWN;
      return record({ process_payload: passed?.value ?? false });
    },
  });
  const passed = isKind(output, "record") ? output.members.get("process_payload") : undefined;
  return {
    accepted: typeof passed === "boolean" ? passed : undefined,
    isChecked,
    hashed,
    isKeyed,
    dated,
    answer: answers.length === 1 ? answers[0] : undefined,
  };
}

const challenge = /challenge|crc_?token|validation_?token|verify_?token/i;
const proof = /sign|hmac|digest|hash|token|secret|auth|(?:^|[-_])(?:sig|mac)(?:$|[-_])/i;
/** A header, or a member of one as `t=1,v1=2`, that says when it was sent. */
const time = /(?:^|[-_])(?:time|timestamp|ts|date|epoch|(?:sent|issued|signed)(?:[-_]?at)?)$/i;
const untilWhen = /expir|until|valid|not[-_]/i;
const timeFields: readonly string[] = ["t", "ts", "time", "timestamp"];
const proofFields: readonly string[] = ["v1", "v2", "sig", "signature", "hmac", "h1", "sha256", "digest"];
const ofRequest = /^(?:raw_body|body|headers|query)/;

/** What says of a header that it is about something else than its sender. */
const otherHeader =
  /(?:^|[-_])(?:id|uuid|event|topic|type|kind|action|version|agent|length|host|attempts?|retry|source|account|shop|tenant|hello|ping)$|^content-|^accept/i;

/** The header that is compared with a hash, where no header's name says that it is the signature: the only one that can be. */
function signaturesOf(verification: Command): ReadonlySet<string> {
  const found = new Set<string>();
  const all: (Command | undefined)[] = [verification];
  // The list grows while it is walked through.
  for (const command of all) {
    all.push(...(command?.children ?? []));
    const text = command?.program?.node.value ?? "";
    for (const [, name] of text.matchAll(/headers(?:\.|\[")([\w-]+)/g)) {
      if (proof.test(name!)) return new Set();
      const isOther = time.test(name!) || challenge.test(name!) || otherHeader.test(name!);
      if (!isOther && /\bhash\b/.test(text)) found.add(name!);
    }
  }
  return found.size === 1 ? found : new Set();
}

function saidTime(form: TimeForm, age: number): NonNullable<TextValue["says"]> {
  const seconds = NOW - age;
  return form === "date" ? { date: seconds } : { number: seconds * perSecond[form] };
}

const perSecond = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 } as const;

function text(of: string, label?: string): TextValue {
  return { kind: "text", of: [of], label, isOther: true };
}
