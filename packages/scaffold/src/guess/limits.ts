import type { Guess } from "./guess.ts";

interface RateLimit {
  readonly requests: number;
  /** Seconds. */
  readonly period: number;
}

const units: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

/** A limit that prose tells: “120 requests per minute”. */
export function rateLimitOf(about: string): Guess<RateLimit> | undefined {
  const found =
    /(\d[\d,.]*)\s+(?:api\s+)?(?:requests?|calls?)\s*(?:\/|per|an?|every|each)\s*(?:(\d+)\s*)?(second|minute|hour|day)s?\b/i.exec(
      about,
    );
  if (found === null) return undefined;
  const [text = "", requests = "", count = "1", unit = ""] = found;
  const number = Number(requests.replace(/[,.](?=\d{3}\b)/g, ""));
  if (!Number.isInteger(number) || number < 1) return undefined;
  return {
    value: { requests: number, period: Number(count) * units[unit.toLowerCase()]! },
    because: `“${text.replace(/\s+/g, " ")}” in the description`,
  };
}
