import { RunError } from "@configc/runtime";
import type { Act, ActContext, Affected, Target } from "./act.ts";

/** What is asked of an act. */
export interface ActRequest {
  readonly target: Target;
  /** Who does it. */
  readonly by: string;
  readonly why: string;
  /** Its id: the same one twice is done once. */
  readonly request: string;
  /** Says what it would change, and changes nothing. */
  readonly dryRun: boolean;
}

export interface Performed extends Affected {
  readonly act: string;
  readonly request: string;
  /** Nothing was changed. */
  readonly dryRun?: true;
  /** The request was known: this is what it did then. */
  readonly before?: true;
}

/**
 * Has an act done, and keeps who did what, when, why, and what came of it (E146). One whose process died is gone on with by the same request; acts leave
 * alone what is done already.
 *
 * @throws RunError `DataError` if the target names nothing that the act knows, or the request is that of another act
 */
export async function performAct(
  act: Act,
  context: Omit<ActContext, "why">,
  { target, by, why, request, dryRun }: ActRequest,
): Promise<Performed> {
  const given = Object.keys(target).filter((name) => target[name as keyof Target] !== undefined);
  const unknown = given.find((name) => !(act.targets as readonly string[]).includes(name));
  if (unknown !== undefined || given.length === 0)
    throw new RunError(
      "DataError",
      `\`${act.name}\` goes by ${act.targets.join(", ")}${unknown === undefined ? ": give one of them at least" : `, not by ${unknown}`}.`,
      undefined,
    );
  const whole: ActContext = { ...context, why };
  const told = { act: act.name, request };
  if (dryRun) return { ...told, ...(await act.plan(whole, target)), dryRun: true };
  const { database, store } = context;
  return await store.exclusive(`act ${request}`, async () => {
    const text = JSON.stringify(target, Object.keys(target).sort());
    await database.query(
      `INSERT INTO configc.acts (request, act, target, by_whom, why) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (request) DO NOTHING`,
      [request, act.name, text, by, why],
    );
    const [kept] = await database.query<{ act: string; target: string; result: Affected | null }>(
      "SELECT act, target::text AS target, result FROM configc.acts WHERE request = $1",
      [request],
    );
    if (kept !== undefined && (kept.act !== act.name || kept.target !== text))
      throw new RunError(
        "DataError",
        `The request \`${request}\` was one to ${kept.act} ${kept.target}. Give this one an id of its own.`,
        undefined,
      );
    if (kept !== undefined && kept.result !== null) return { ...told, ...kept.result, before: true };
    const result = await act.perform(whole, target);
    await database.query(
      "UPDATE configc.acts SET result = $2, ended = clock_timestamp() WHERE request = $1",
      [request, JSON.stringify(result)],
    );
    return { ...told, ...result };
  });
}
