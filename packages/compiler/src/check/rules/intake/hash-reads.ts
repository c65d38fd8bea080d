import type { Binding, Expression, Pattern, Pipeline } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedInPlace } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { nameRead } from "../../../flow/vocabulary.ts";

/**
 * Whether a program may compare the hash that `!sha` makes. `.hash as $mine` compares nothing where nobody reads `$mine`, nor does `.hash | length`, which all
 * hashes of an algorithm share, nor `.hash != null`.
 */
export const comparesHash = derivedInPlace((program: JqProgram): boolean => {
  const { value } = program.node;
  if (!hash.test(value)) return false;
  if (program.diagnostics.length > 0) return true;
  // What is left of the program where no more than that is read.
  const spans = [...unreadBindings(program), ...onlyMeasured(program)];
  const rest = spans.reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    value,
  );
  return hash.test(rest);
});

/** A header may be called so: `x-hash`. */
const hash = /(?<![\w-])hash(?![\w-])/;

/** What is bound to variables that nothing reads. */
function unreadBindings(program: JqProgram): readonly Binding[] {
  const read = new Set(nodesOfKind(program, "Variable").map(({ name }) => name));
  return nodesOfKind(program, "Binding").filter(
    ({ patterns }) => !patterns.flatMap(namesIn).some((name) => read.has(name)),
  );
}

const namesIn = (pattern: Pattern): readonly string[] =>
  nodesIn(pattern).flatMap((node) => (node.kind === "VariablePattern" ? [node.name] : []));

/** What is read only for its length, or for whether it is there. */
function onlyMeasured(program: JqProgram): readonly Expression[] {
  const measured = nodesOfKind(program, "Pipeline").flatMap((pipeline) => lengthOf(pipeline) ?? []);
  const asked = nodesOfKind(program, "Comparison").flatMap(({ left, right }) => {
    const [first, second] = [left, right].map((side) => constantOf(bare(side)));
    return [...(isNothing(second) ? [left] : []), ...(isNothing(first) ? [right] : [])];
  });
  // What looks for it in something compares it.
  return [...measured, ...asked].filter((read) => !nodesIn(read).some(({ kind }) => kind === "Call"));
}

const isNothing = (constant: unknown): boolean => constant === null || constant === "";

/** `.hash` of `.hash | length`. */
function lengthOf({ stages }: Pipeline): Expression | undefined {
  const [first, last, ...others] = stages;
  const isLength = last?.kind === "Call" && /^(?:length|utf8bytelength|type)$/.test(last.name.text);
  const read = others.length === 0 && isLength ? first : undefined;
  return read?.kind === "Postfix" || read?.kind === "Group" || read?.kind === "String" ? read : undefined;
}

/** Whether some of the commands may read what `!sha` gives; what is handed on as a whole may be read elsewhere. */
export function isHashRead(all: readonly Command[], { expansions }: Model): boolean {
  const inExpansions = expansions.some(
    ({ command, syntax: { path } }) =>
      command !== undefined &&
      all.includes(command) &&
      (path.length < 3 || (path[2]?.text === "hash" && command.program === undefined)),
  );
  return (
    inExpansions ||
    all.some(({ key, program }) =>
      program === undefined
        ? key === "!save" || key === "!extract"
        : program.diagnostics.length > 0 || comparesHash(program),
    )
  );
}

/**
 * The comparison of the text that was hashed with the header of a signature: `.value_to_encrypt == .headers["x-signature"]`. It stands where the hash belongs, whatever
 * else the hash is given to.
 */
export const comparesText = (program: JqProgram): boolean =>
  program.diagnostics.length === 0 &&
  program.node.value.includes("value_to_encrypt") &&
  !comparesHash(program) &&
  nodesOfKind(program, "Comparison").some(
    ({ operator, left, right }) =>
      (operator === "==" || operator === "!=") &&
      [
        [left, right],
        [right, left],
      ].some(
        ([side, other]) =>
          nameRead(side!, program) === "value_to_encrypt" &&
          ofSignature.test(textAt(valueBehind(other!, program), program)),
      ),
  );

const ofSignature = /\bheaders\b.{0,40}(?:sign|hash|hmac|digest|\bmac\b|-mac\b)/i;
