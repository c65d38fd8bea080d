import { type Cardinality, infer, type JqDiagnostic, type Type, types } from "@configc/jq";
import { derivedFromText } from "../bind/derived.ts";
import type { JqProgram } from "../bind/model.ts";
import { plainType } from "./plain-type.ts";

/** What is inferred of a program for an input and the values of its holes. */
export interface InferredProgram {
  /** Of every output. */
  readonly type: Type;
  readonly cardinality: Cardinality;
  /** What certainly fails, or can't be meant. */
  readonly diagnostics: readonly JqDiagnostic[];
}

const none: readonly never[] = [];
const nothing: InferredProgram = { type: types.unknown, cardinality: "unknown", diagnostics: [] };

/** Results of a text by the types of its input and its holes; equal types are the same object, so their ids tell them apart. */
const resultsOf = derivedFromText(() => new Map<string, InferredProgram>());
const RESULTS_LIMIT = 64;

/**
 * Infers a program, once for equal text and types: an edit in one program infers anew only what takes its output.
 *
 * @param holes types of the program's expansions, in the order of the text
 */
export function inferProgram(program: JqProgram, input: Type, holes: readonly Type[]): InferredProgram {
  if (program.diagnostics.length > 0) return nothing;
  if (holes.length === 0 && (input === types.unknown || input === types.anyObject)) {
    const plain = plainType(program);
    if (plain !== null) return { ...plain, diagnostics: none };
  }
  const results = resultsOf(program);
  const key = `${input.id}:${holes.map(({ id }) => id)}`;
  const known = results.get(key);
  if (known !== undefined) return known;
  const { type, cardinality, diagnostics } = inferNodes(program, input, holes);
  const result = { type, cardinality, diagnostics };
  if (results.size >= RESULTS_LIMIT) results.clear();
  results.set(key, result);
  return result;
}

/** The same with what is known of each expression, which isn't kept: only findings need it. */
export function inferNodes(
  program: JqProgram,
  input: Type,
  holes: readonly Type[],
): ReturnType<typeof infer> {
  return infer(program.tree, input, {
    holes: holes.map((type, index) => {
      const { start, end } = program.holes[index]!.syntax;
      return { start, end, type };
    }),
  });
}

/** The value of a `!jq`: the first output, `null` where there may be none (D23). */
export function firstOutput({ type, cardinality }: InferredProgram): Type {
  if (cardinality === "one") return type;
  return cardinality === "none" ? types.nullType : types.union(type, types.nullType);
}
