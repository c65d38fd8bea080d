/*
 * The configs that tests and rule examples change: the templates of `configc init`, and for a poll a plainer one, which counts pages. What a
 * template has to do right would only be in their way.
 */

const templates = new URL("../../../cli/templates/", import.meta.url);
const bases = new URL("../rule-bases/", import.meta.url);

/** The file of a base, by the name of its template. */
export function baseFile(name: string): URL {
  return new URL(`${name}.app.json`, name === "inbound-polling" ? bases : templates);
}
