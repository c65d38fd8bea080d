import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { commentsAround } from "../../../flow/documented-words.ts";

/** Whether a sentence of a comment around a program has a member as it is written, `page.first`, and says something of it. */
export const isSaidOf = (
  path: readonly string[] | undefined,
  form: RegExp,
  { command }: JqProgram,
): boolean => {
  const written = path?.join(".") ?? "";
  return (
    written !== "" &&
    commentsAround(command.node, []).some(({ value }) =>
      value.split(/(?<=[.;])\s+/).some((sentence) => sentence.includes(written) && form.test(sentence)),
    )
  );
};
