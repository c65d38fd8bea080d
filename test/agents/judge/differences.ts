import { isDeepStrictEqual } from "node:util";

/** Told one by one; the others are counted. */
const TOLD = 3;

/**
 * @param contacts what the platform has
 * @param expected what it should have, by address
 * @param when in words
 * @returns what is missing, wrong, or too much
 */
export function differences(
  contacts: readonly Readonly<Record<string, unknown>>[],
  expected: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  when: string,
): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { email, ...fields } of contacts) {
    const address = String(email);
    const wanted = expected.get(address);
    if (seen.has(address)) problems.push(`${address} is there twice ${when}.`);
    else if (wanted === undefined) problems.push(`${address} arrived ${when}, and shouldn't have.`);
    else if (!isDeepStrictEqual(present(fields), wanted))
      problems.push(`${address} is ${JSON.stringify(fields)} ${when}, not ${JSON.stringify(wanted)}.`);
    seen.add(address);
  }
  const lost = [...expected.keys()].filter((address) => !seen.has(address));
  if (lost.length > 0)
    problems.push(`${lost.length} of ${expected.size} never arrived ${when}, ${lost[0]} for one.`);
  const more = problems.length - TOLD;
  return more > 0 ? [...problems.slice(0, TOLD), `There are ${more} more of that kind ${when}.`] : problems;
}

/** A field without a value is the same as none. */
function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
}
