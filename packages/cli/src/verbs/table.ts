import type { VerbSpec } from "../command-line/verb.ts";
import { breaking } from "./specs/breaking.ts";
import { build } from "./specs/build.ts";
import { capacity } from "./specs/capacity.ts";
import { check } from "./specs/check.ts";
import { completion } from "./specs/completion.ts";
import { debug } from "./specs/debug.ts";
import { dev } from "./specs/dev.ts";
import { explain } from "./specs/explain.ts";
import { graph } from "./specs/graph.ts";
import { init } from "./specs/init.ts";
import { jq } from "./specs/jq.ts";
import { lsp } from "./specs/lsp.ts";
import { mcp } from "./specs/mcp.ts";
import { rules } from "./specs/rules.ts";
import { run } from "./specs/run.ts";
import { schema } from "./specs/schema.ts";
import { simulate } from "./specs/simulate.ts";
import { test } from "./specs/test.ts";
import { type } from "./specs/type.ts";

export { commonOptions } from "./specs/options.ts";

/** Every verb, in the order of the help: what it is in `specs`, what it does in the module that its `load` names. */
export const verbs: readonly VerbSpec[] = [
  check,
  explain,
  rules,
  schema,
  init,
  run,
  debug,
  test,
  simulate,
  capacity,
  breaking,
  dev,
  build,
  type,
  graph,
  jq,
  lsp,
  mcp,
  completion,
];
