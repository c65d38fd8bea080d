import { compile } from "@configc/compiler";
import { simulate } from "@configc/simulate";

/**
 * Simulates an app without a word on its service, in the worlds that are always tried.
 *
 * @returns a line for each law that breaks: of which part, where, and what it takes of the service
 */
export async function lawsBroken(text: string): Promise<readonly string[]> {
  const { parts } = await simulate(compile(text).app, { seeds: 0, days: 0 });
  return parts.flatMap(({ kind, workflow, intake, failures }) =>
    failures.map(
      ({ law, needs }) =>
        `${[workflow, intake].filter((name) => name !== undefined).join(", ")} (${kind}) | ${law} | ${needs.join(", ") || "nothing"}`,
    ),
  );
}
