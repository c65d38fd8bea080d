import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { getPath } from "../access.ts";
import { fail } from "../error.ts";
import { force } from "../machine.ts";
import { finished, pathKeys, pathTo } from "../path-values.ts";
import { isArray } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** What gives paths or follows them. */
export const pathFilters: Readonly<Record<string, FilterFunction>> = {
  "path/1": {
    run:
      ([expression], span) =>
      (env, input, emit) =>
        expression!.paths(env, null, input, (path, value) => emit(pathKeys(finished(path, value, span)))),
  },
  "getpath/1": {
    run:
      ([path], span) =>
      (env, input, emit) =>
        force(
          path!.run(env, input, (keys) => emit(getPath(input, pathArray(keys, span), span))),
          env,
        ),
    paths:
      ([path], span) =>
      (env, at, input, emit) =>
        force(
          path!.run(env, input, (keys) => {
            let step = at;
            let value: Json = input;
            for (const key of pathArray(keys, span)) step = pathTo(step, key, value, span);
            // A path that doesn't exist may still be assigned to.
            value = getPath(input, keys as readonly Json[], span);
            return emit(step, value);
          }),
          env,
        ),
  },
};

function pathArray(value: Json, span: Span): readonly Json[] {
  return isArray(value) ? value : fail("Path must be specified as an array", span);
}
