import { memoize } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import { derivedOf } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import { commentsOver } from "./counted.ts";
import { isLimited, statementsIn } from "./documented-statements.ts";
import { hasComments } from "./documented-words.ts";
import { itemKeys } from "./outputs.ts";

/** The members of which comments around a command say that they are JSON texts, with the comment: `answers is JSON text`. */
export const jsonTextsAt: (command: Command, model: Model) => ReadonlyMap<string, StringNode> = derivedOf(
  (command, model) => {
    const found = new Map<string, StringNode>();
    if (!hasComments(model)) return found;
    for (const comment of commentsOver(command, model))
      for (const name of jsonTextsIn(comment.value)) if (!found.has(name)) found.set(name, comment);
    return found;
  },
);

/** `is a JSON text`, `comes as a string of JSON`, `is JSON in a text`, `is serialized JSON` */
const isJson =
  /^(?:is|are|comes?|arrives?|holds|has) (?:(?:always|itself|an?|as|in|the|only|given|sent) ){0,4}(?:JSON[- ]?(?:encoded )?(?:texts?|strings?)|(?:texts?|strings?) (?:of|with|in|that (?:is|holds|has)) JSON|JSON (?:as|in|within) (?:an? )?(?:texts?|strings?)|(?:serialized|serialised|stringified|escaped) JSON|JSON[- ]encoded(?! (?:object|list|array|body)))\b/i;

const jsonTextsIn: (text: string) => readonly string[] = memoize((text) => {
  if (!/json/i.test(text)) return [];
  return statementsIn(text).flatMap(({ subjects, said, sentence }) =>
    isJson.test(said) && !isLimited(sentence)
      ? subjects.map((path) => path.slice(path.lastIndexOf(".") + 1))
      : [],
  );
}, 200);

/** Whether a step before, or around, has parsed a member: `!extract` with `to_json`. */
export function isParsedBefore(name: string, command: Command): boolean {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent) {
    const { pipe, stepsRun } = at;
    for (const step of pipe?.children.slice(0, stepsRun) ?? [])
      if (step?.key === "!extract" && parses(step.argument, name)) return true;
  }
  return false;
}

function parses(argument: Command["argument"], name: string): boolean {
  const parsed = argument?.kind === "object" ? argument.get("to_json") : undefined;
  const names = itemKeys(argument);
  return (parsed?.kind !== "boolean" || parsed.value) && (names === undefined || names.includes(name));
}
