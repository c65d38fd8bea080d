import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { commentsAround } from "../../../flow/documented-words.ts";

/** Whether a comment around a program says something of a member right behind it as it is written: `page.first is of the next page`. */
export const isSaidOf = (
  path: readonly string[] | undefined,
  form: RegExp,
  { command }: JqProgram,
): boolean => {
  const written = path?.join(".") ?? "";
  if (written === "") return false;
  return commentsAround(command.node, []).some(({ value }) => {
    const at = value.indexOf(written);
    // What stands behind `and` may be said of another one.
    const said = at < 0 ? undefined : /^(?![\w.])[^.;,]{0,60}/.exec(value.slice(at + written.length))?.[0];
    return said !== undefined && form.test(said.split(" and ")[0]!);
  });
};
