import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { saysMissing } from "../../../flow/says-missing.ts";
import { toJson } from "../../../parse/syntax-tree.ts";

/**
 * Whether a `!switch` asks for the id of another record as it came, with a case that says there is none, and another one that has it in a
 * path: then it asks whether the record has one, and JSON has null for an id that isn't there.
 */
export function idInPath(given: Expression, program: JqProgram, model: Model): string | undefined {
  const { command } = program;
  const value = bare(given);
  if (value.kind !== "Postfix" || isMadeAround(value, program)) return undefined;
  const name = nameOfValue(value);
  if (command.key !== "!switch" || name === undefined || name === "id" || !isIdName(name)) return undefined;
  const cases = command.argument?.kind === "object" ? command.argument.get("cases") : undefined;
  if (cases?.kind !== "array" || cases.items.length < 2) return undefined;
  const texts = cases.items.map((each) => JSON.stringify(toJson(each)));
  const inPath = new RegExp(`"(?:path|url)":"[^"]*/\\$\\{[\\w.]*\\.${escapedPattern(name)}\\}`);
  if (!texts.some((text) => inPath.test(text))) return undefined;
  const thing = name.replace(/_?(?:id|Id|uuid|guid)$/, "");
  const says = texts.some(
    (text) =>
      !inPath.test(text) &&
      [...text.matchAll(/"(?:!print_c|!print|!error)":"([^"]{1,300})"/g)].some(([, message = ""]) =>
        saysMissing(message, [thing]),
      ),
  );
  if (!says || !isAsItCame(trailsOf(flowOf(model), program, value))) return undefined;
  const said = hasComments(model) ? commentsAround(command.node, intakesAround(command.unit)) : [];
  if (said.some(({ value: comment }) => /\bempty\b|""/.test(comment))) return undefined;
  return `\`${name}\` is the id of a ${thing.replaceAll("_", " ")}; one case says that there is none, and another one has it in a path`;
}

/** Whether a step before writes a member of that name: it may write an empty text where there is none. */
function isMadeAround(value: Expression, { command }: JqProgram): boolean {
  const made = new RegExp(
    `(?<![\\w-])${escapedPattern(nameOfValue(value) ?? "")}"?\\)?\\s*(?::|//|\\|?=(?!=))`,
  );
  for (let at = command.pipe; at !== undefined; at = at.parent?.pipe)
    for (const step of at.children)
      if (step !== undefined && made.test(JSON.stringify(toJson(step.node)).replaceAll('\\"', '"')))
        return true;
  return false;
}
