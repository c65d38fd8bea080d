import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { index, setPath } from "../access.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { type Emit, type Environment, force, type LazyCode } from "../machine.ts";
import { bytes } from "../meter.ts";
import { length } from "../operators.ts";
import { Ownership } from "../ownership.ts";
import { described, isArray } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** What puts values together again that were taken apart as `--stream` and `tostream` do. */
export const streams: Readonly<Record<string, FilterFunction>> = {
  "fromstream/1": {
    run:
      ([events], span) =>
      (env, input, emit) =>
        assemble(events!, env, input, emit, span),
  },
};

/**
 * An event of two parts is a leaf with its path, which ends a value if the path is empty; one of a single part is the last path
 * of an array or object, which ends the value if that is on the top level.
 */
function assemble(events: LazyCode, env: Environment, input: Json, emit: Emit, span: Span): boolean {
  let whole: Json = null;
  let isDone = false;
  let owned = new Ownership();
  return force(
    events.run(env, input, (event) => {
      env.machine.calls(span);
      if (isDone) {
        whole = null;
        owned = new Ownership();
      }
      const hasLeaf = lengthOf(event, span) === 2;
      const path = index(event, 0, span);
      const depth = lengthOf(path, span);
      isDone = depth === (hasLeaf ? 0 : 1);
      if (hasLeaf) {
        // As jq sets it: at the path behind a key of its own.
        const keys = path ?? [];
        if (!isArray(keys)) return fail(`${described(["x"])} and ${described(keys)} cannot be added`, span);
        env.machine.makes(bytes.item, span);
        whole = setPath(whole, keys, index(event, 1, span), span, owned);
      }
      return !isDone || emit(whole);
    }),
    env,
  );
}

function lengthOf(value: Json, span: Span): number {
  return doubleOf(length(value, span))!;
}
