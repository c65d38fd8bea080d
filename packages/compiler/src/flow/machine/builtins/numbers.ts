import { isKind, UNKNOWN, type Value } from "../value.ts";
import type { Call, OneOutput } from "./builtin.ts";

export const numbers: OneOutput = {
  floor: ({ known }) => computed(known, Math.floor),
  ceil: ({ known }) => computed(known, Math.ceil),
  round: ({ known }) => computed(known, Math.round),
  trunc: ({ known }) => computed(known, Math.trunc),
  fabs: ({ known }) => computed(known, Math.abs),
  abs: ({ known }) => computed(known, Math.abs),
  tonumber,
  pow,
};

function computed(value: Value, compute: (number: number) => number): Value {
  return typeof value === "number" ? compute(value) : UNKNOWN;
}

/** `pow(10; $digits)`, as programs round to so many digits. */
function pow({ first, second, input }: Call): Value {
  const [base, exponent] = [first, second].map((argument) => argument?.(input)?.[0]);
  return typeof base === "number" && typeof exponent === "number" ? base ** exponent : UNKNOWN;
}

function tonumber({ known }: Call): Value {
  if (typeof known === "number") return known;
  if (typeof known === "string")
    return known !== "" && Number.isFinite(Number(known)) ? Number(known) : UNKNOWN;
  if (isKind(known, "text") && known.says !== undefined && "number" in known.says) return known.says.number;
  return isKind(known, "unknown") ? (known.number ?? UNKNOWN) : UNKNOWN;
}
