import { createRequire } from "node:module";
import { compile } from "@configc/jq";
import { loadJq } from "jq-wasm";
import jsonata from "jsonata";
import type { BenchProgram, Input } from "./programs.ts";

/** Runs a program, compiled once, on an input; a promise if the language is asynchronous. */
export type Work = () => unknown;

export interface Contender {
  readonly name: string;
  /** Undefined if the program can't be written in that language, or the library fails on it. */
  prepare(program: BenchProgram, input: Input): Promise<Work | undefined>;
}

// These two have no types of their own.
const load = createRequire(import.meta.url);
const jqjs = load("@michaelhomer/jqjs") as {
  compile(program: string): (input: unknown) => Iterable<unknown>;
};
const jmespath = load("jmespath") as { search(input: unknown, program: string): unknown };

export const contenders: readonly Contender[] = [
  {
    name: "hand-written JS",
    prepare:
      async ({ hand }, input) =>
      () =>
        hand(input),
  },
  {
    name: "ours",
    async prepare({ jq }, input) {
      const { filter } = compile(jq);
      return () => filter!.first(input as never);
    },
  },
  {
    name: "jqjs",
    async prepare({ jq }, input) {
      try {
        const run = jqjs.compile(jq);
        return () => [...run(input)][0];
      } catch {
        return undefined;
      }
    },
  },
  {
    name: "jq-wasm",
    async prepare({ jq }, input) {
      // It takes text and gives text; reading and writing it is part of every call.
      const engine = await loadJq();
      return () => JSON.parse(engine.raw(JSON.stringify(input), jq, ["-c"]).stdout);
    },
  },
  {
    name: "jmespath",
    async prepare({ jmespath: program }, input) {
      return program === undefined ? undefined : () => jmespath.search(input, program);
    },
  },
  {
    name: "jsonata",
    async prepare({ jsonata: program }, input) {
      if (program === undefined) return undefined;
      const expression = jsonata(program);
      return () => expression.evaluate(input);
    },
  },
];
