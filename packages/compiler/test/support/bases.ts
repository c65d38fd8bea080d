import type { WorldFile } from "@configc/compiler";

/*
 * The configs that tests and rule examples change: the templates of `configc init`, and for a poll a plainer one, which counts pages. What a
 * template has to do right would only be in their way.
 */

const templates = new URL("../../../cli/templates/", import.meta.url);
const bases = new URL("../rule-bases/", import.meta.url);

/**
 * What is known of a base's service: the plain poll counts the pages of a list that doesn't move, so that what isn't about that
 * has nothing else to tell.
 */
export const baseWorld: WorldFile = {
  intakes: { customers: { pages: "frozen", lag: 0, order: "oldest-first" } },
};

/** The file of a base, by the name of its template. */
export function baseFile(name: string): URL {
  return new URL(`${name}.app.json`, name === "inbound-polling" ? bases : templates);
}
