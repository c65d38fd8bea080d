import { type Cardinality, infer, type JqDiagnostic, type Type, types } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { plainType, typeRead } from "./plain-type.ts";

/** What is inferred of a program for an input and the values of its holes. */
export interface InferredProgram {
  /** Of every output. */
  readonly type: Type;
  readonly cardinality: Cardinality;
  /** Whether it fails whatever comes: `error("…")`. */
  readonly fails?: boolean;
  /** What certainly fails, or can't be meant. */
  readonly diagnostics: readonly JqDiagnostic[];
}

const none: readonly never[] = [];
const nothing: InferredProgram = { type: types.unknown, cardinality: "unknown", diagnostics: [] };

/** Results of a text for so many combinations of types are kept. */
const RESULTS_LIMIT = 64;

type OfTypes<T> = (program: JqProgram, input: Type, holes: readonly Type[]) => T;

/**
 * Something that follows from a program's text and the types of its input and its holes: worked out once for equal ones, so that an
 * edit in one program has only what takes its output worked out anew.
 */
export function inferredOnce<T>(compute: OfTypes<T>): OfTypes<T> {
  const resultsOf = derivedFromText(() => new Map<string, T>());
  return (program, input, holes) => {
    const results = resultsOf(program);
    // Equal types are the same object, so their ids tell them apart.
    const key = `${input.id}:${holes.map(({ id }) => id)}`;
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(program, input, holes);
    if (results.size >= RESULTS_LIMIT) results.clear();
    results.set(key, result);
    return result;
  };
}

const inferOnce = inferredOnce((program, input, holes): InferredProgram => {
  const { type, cardinality, fails, diagnostics } = inferNodes(program, input, holes);
  return { type, cardinality, fails, diagnostics };
});

/**
 * Infers a program, once for equal text and types.
 *
 * @param holes types of the program's expansions, in the order of the text
 */
export function inferProgram(program: JqProgram, input: Type, holes: readonly Type[]): InferredProgram {
  if (program.diagnostics.length > 0) return nothing;
  if (holes.length === 0 && (input === types.unknown || input === types.anyObject)) {
    const plain = plainType(program);
    if (plain !== null) return { ...plain, diagnostics: none };
  }
  const read = typeRead(program, input);
  if (read !== undefined) return { type: read, cardinality: "one", diagnostics: none };
  return inferOnce(program, input, holes);
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

/** Whether a program ends with an error of its own, whatever comes: `error("…")`. What fails by a mistake is told of, and goes on as `null`. */
export const refusesAll = ({ cardinality, fails = false, diagnostics }: InferredProgram): boolean =>
  fails && cardinality === "none" && diagnostics.length === 0;

/** The value of a `!jq`: the first output, `null` where there may be none (D23), and nothing where it refuses all. */
export function firstOutput(program: InferredProgram): Type {
  const { type, cardinality } = program;
  if (cardinality === "one") return type;
  if (refusesAll(program)) return types.never;
  return cardinality === "none" ? types.nullType : types.union(type, types.nullType);
}
