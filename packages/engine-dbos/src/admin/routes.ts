import { type Asked, answers } from "./answers.ts";
import type { AdminContext } from "./context.ts";

/** Answers a GET below `/api/`; a text is JSON already. */
type Route = (context: AdminContext, asked: Asked) => Promise<unknown>;

/** What is told below `/api/NAME`, with filters in the query. A test goes through them all. */
export const lists: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["queues", async (context) => ({ apps: await answers.queues(context) })],
  ["reasons", async (context, asked) => ({ reasons: await answers.reasons(context, asked) })],
  ["failing", answers.failing],
  ["items", answers.items],
  ["runs", answers.runs],
  [
    "saved-runs",
    async (context, { installation }) => ({ rows: await answers.savedRuns(context, installation) }),
  ],
  ["acts", answers.acts],
]);

/** What is told below `/api/NAME/ID`. */
export const ones: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["installations", (context, { id = "" }) => answers.why(context, id)],
  ["items", (context, { id = "" }) => answers.item(context, id)],
  ["runs", (context, { id = "" }) => answers.run(context, id)],
  ["saved-runs", (context, { id = "", node }) => answers.savedRun(context, id, node)],
]);
