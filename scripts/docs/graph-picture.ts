import { compile } from "@configc/compiler";
import { graphOf, toSvg } from "@configc/compiler/graph";

const example = "examples/crm/crm.app.json";

/**
 * `docs/images/graph.svg`: the largest example as `configc graph` draws it.
 *
 * @param read gives the text of a file of the repository
 */
export function graphPicture(read: (path: string) => string): string {
  const { model } = compile(read(example), { uri: example });
  return toSvg(graphOf(model), { title: `configc graph ${example} --format svg` });
}
