import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { takenTitles } from "../../../flow/offered-titles.ts";
import { toJson } from "../../../parse/syntax-tree.ts";

/** A case that sends what is mapped for one option, while that option leads to another one. */
export interface TitledCase {
  /** Of the option, in the given order. */
  readonly option: number;
  readonly title: string;
  readonly other: number;
}

/**
 * The option for which fields are mapped, “Phone (for the courier)”, that only the case of another option sends: who chose the courier gets
 * something else.
 *
 * @param words of each option, those that no other one has
 * @param cases that each option leads to
 */
export function titledCase(
  words: readonly (readonly string[])[],
  cases: readonly (number | undefined)[],
  children: Command["children"],
  workflow: WorkflowSymbol,
  model: Model,
): TitledCase | undefined {
  const titles = [...takenTitles(workflow, model)].filter(
    ([id, title]) => isName.test(id) && purpose.test(title),
  );
  if (titles.length === 0) return undefined;
  const read = children.map((child) => (child === undefined ? new Set<string>() : membersRead(child)));
  for (const [option, own] of cases.entries()) {
    if (own === undefined) continue;
    const meant = titles.filter(([, title]) => {
      const said: readonly string[] = (purpose.exec(title)?.[1] ?? "").toLowerCase().split(/[^a-z]+/);
      const about = words.flatMap((each, at) => (each.some((word) => said.includes(word)) ? [at] : []));
      return about.length === 1 && about[0] === option;
    });
    const [first] = meant;
    const at = read.flatMap((names, index) => (meant.some(([id]) => names.has(id)) ? [index] : []));
    const [other, ...more] = at;
    if (first === undefined || other === undefined || more.length > 0 || other === own) continue;
    // Nobody else may be meant by that case than one other option.
    if (cases.filter((each) => each === other).length !== 1) continue;
    return { option, title: first[1], other };
  }
  return undefined;
}

/** What a field is for: “(for the courier)”, “only with a courier”. */
const purpose = /\b(?:for|if|when|with|only)\s+([^()]{1,60})/i;
const isName = /^[A-Za-z_]\w*$/;

/** The members that a command reads: `phone` of `${piped_content.0.phone}` and `.phone`. */
function membersRead({ node }: Command): ReadonlySet<string> {
  const text = JSON.stringify(toJson(node), (name, value: unknown) =>
    name === "_comment" ? undefined : value,
  );
  return new Set([...text.matchAll(/\.([A-Za-z_]\w*)/g)].map(([, name]) => name!));
}
