import {
  type Compilation,
  type CompileOptions,
  compile,
  noSamples,
  recompile,
  type Settings,
} from "@configc/compiler";
import { describe, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { type Subject, subjects } from "./documents.ts";
import { Chance, edits } from "./edits.ts";
import { expectEqual, someOffsets } from "./equality.ts";

/**
 * After each of a random sequence of edits, `recompile` gives what `compile` gives. `RECOMPILE_SECONDS` lets it run longer,
 * `RECOMPILE_SEED` repeats a run.
 */

const seconds = Number(process.env["RECOMPILE_SECONDS"] ?? 0);
const seed = Number(process.env["RECOMPILE_SEED"] ?? (seconds > 0 ? Date.now() % 1_000_000 : 1));
const all = subjects();

describe("edits give what a new compilation gives", () => {
  for (const [index, subject] of all.entries()) {
    test(
      subject.name,
      () => {
        const end = Date.now() + (seconds / all.length) * 1000;
        let round = 0;
        const few = subject.text.length > 50_000 ? cases(5, 2) : cases(12, 4);
        do editAtRandom(subject, seed + index + 1001 * round++, seconds > 0 ? 60 : few);
        while (Date.now() < end);
      },
      30_000 + 2_000 * seconds,
    );
  }
});

const someSettings: readonly Partial<Settings>[] = [
  {},
  { language: "core" },
  { unknownMembers: "warning", rules: { "style/workflow-name": "error" } },
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Edits a document so often, and goes back to an earlier version from time to time. */
function editAtRandom({ text, uri, samples }: Subject, seed: number, count: number): void {
  const chance = new Chance(seed);
  let options: CompileOptions = { uri, samples };
  let version = { text, compilation: compile(text, options) };
  const versions = [version];
  const history: string[] = [];
  try {
    for (let done = 0; done < count; done++) {
      const kind = chance.of(Object.keys(edits));
      const back = chance.below(6) === 0;
      const next = back ? chance.of(versions).text : edits[kind]!(version.text, chance);
      if (next.length > 4 * text.length + 1000) continue;
      // Most edits break the document, and then little is taken over: every other sequence keeps it valid.
      if (seed % 2 === 0 && !isJson(next)) continue;
      if (chance.below(15) === 0)
        options = { uri, settings: chance.of(someSettings), samples: chance.of([samples, noSamples]) };
      history.push(back ? "back" : kind);
      const compilation: Compilation = recompile(version.compilation, next, options);
      // Sometimes nobody asks before the next edit.
      if (chance.below(4) > 0) expectEqual(compilation, compile(next, options), someOffsets(next, chance));
      version = { text: next, compilation };
      versions.push(version);
      // The version before, or any other, can still be asked.
      if (chance.below(8) === 0) {
        const other = chance.of(versions.slice(-5));
        const offsets = someOffsets(other.text, chance);
        const { settings, samples } = other.compilation.model;
        expectEqual(other.compilation, compile(other.text, { uri, settings, samples }), offsets);
        if (chance.below(2) === 0) version = other;
      }
    }
  } catch (error) {
    throw new Error(`With seed ${seed}, after: ${history.join(", ")}`, { cause: error });
  }
}
