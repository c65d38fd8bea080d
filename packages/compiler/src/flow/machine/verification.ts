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
}

/** A delivery that the sender signed, or one from somebody else. */
export type Delivery = "genuine" | "forged";

/**
 * What a `verification` does with a delivery: what the sender signed is what it compares with, and no challenge.
 *
 * @param isOrdinary whether what it says in its body and headers is nothing that a program asks for; otherwise it may be
 */
export function verdictOn(verification: Command, delivery: Delivery, isOrdinary: boolean): Verdict {
  let isChecked = false;
  let hashed: readonly string[] | undefined;
  let isKeyed = false;
  const part = (of: string): TextValue => ({ ...text(of), isOther: isOrdinary });
  const source: Source = {
    resolve(path) {
      const [member, name] = path;
      if (member === "method") return "POST";
      if (path.some((each) => challenge.test(each))) return null;
      if (member === "raw_body") return text("raw_body");
      if (member === "body") return path.length === 1 || isOrdinary ? part("body") : UNKNOWN;
      if ((member !== "headers" && member !== "query" && member !== "query_params") || name === undefined)
        return UNKNOWN;
      if (member === "headers" && /[A-Z]/.test(name)) return null;
      if (!proof.test(name)) return part(`${member}.${name}`);
      isChecked = true;
      return text(`${member}.${name}`, delivery === "genuine" ? SIGNATURE : "forged");
    },
  };
  const request: Part = { kind: "part", path: [], source };
  const output = run(verification, {
    input: request,
    now: NOW,
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
        const isSigned = hashed === undefined || hashed.includes("raw_body");
        return record({ value_to_encrypt: value, hash: text("hash", isSigned ? SIGNATURE : "other") });
      }
      if (command.key === "!error") return record({ process_payload: false });
      if (command.key !== "!respond") return UNKNOWN;
      const passed = given?.get("process_payload");
      if (passed !== undefined && passed.kind !== "boolean") return UNKNOWN;
      return record({ process_payload: passed?.value ?? false });
    },
  });
  const passed = isKind(output, "record") ? output.members.get("process_payload") : undefined;
  return { accepted: typeof passed === "boolean" ? passed : undefined, isChecked, hashed, isKeyed };
}

const challenge = /challenge|crc_?token|validation_?token|verify_?token/i;
const proof = /sign|hmac|digest|hash|token|secret|auth/i;
const ofRequest = /^(?:raw_body|body|headers|query)/;

function text(of: string, label?: string): TextValue {
  return { kind: "text", of: [of], label, isOther: true };
}
