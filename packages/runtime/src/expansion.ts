import type { AppExpansion, AppNode } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { RunError } from "./errors.ts";
import { asExact } from "./json.ts";
import type { Frame } from "./step.ts";

/** Gives the value of an expansion; undefined where it is missing and has no `default` (D7, D9). */
type Getter = (frame: Frame) => Json | undefined;

/**
 * Makes the closure of an expansion. JSON `null` is present; maps have no prototype members: only own ones are read.
 *
 * @param path root first
 */
function getterOf({ path, default: fallback }: Omit<AppExpansion, "span">): Getter {
  const [root = "", ...segments] = path;
  const start = roots.get(root);
  if (start === undefined) return () => fallback;
  const steps = segments.map(stepOf);
  return (frame) => {
    let value = start(frame);
    for (let at = 0; at < steps.length && value !== undefined; at++) value = steps[at]!(value);
    return value === undefined ? fallback : value;
  };
}

/** Like `getterOf`, but a missing value fails, naming the expansion and its place (D9). */
export function requiredGetter(
  expansion: Omit<AppExpansion, "span">,
  place: AppNode,
): (frame: Frame) => Json {
  const get = getterOf(expansion);
  return (frame) => {
    const value = get(frame);
    return value === undefined ? missing(expansion, place) : value;
  };
}

/** What each root gives (D11). */
const roots: ReadonlyMap<string, Getter> = new Map<string, Getter>([
  // A response's hidden `body` is its own member, so paths find it like any other (D20).
  ["piped_content", (frame) => frame.piped],
  ["custom_data", (frame) => frame.customData()],
  ["data", (frame) => frame.saved.read()],
  ["polling_state", (frame) => frame.context.polling_state ?? emptyState],
  ["subdomain", (frame) => frame.context.subdomain],
  [
    "webhook",
    (frame) => (frame.context.webhook === undefined ? undefined : { url: frame.context.webhook.url }),
  ],
]);

/** `polling_state` before anything was saved. */
const emptyState: JsonObject = {};

/** D6: a segment of digits indexes an array and names a member of an object. */
function stepOf(segment: string): (value: Json) => Json | undefined {
  const index = /^\d+$/.test(segment) ? Number(segment) : undefined;
  const inherited = segment in Object.prototype;
  return (value) => {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value))
      return index === undefined ? undefined : ((value as readonly Json[])[index] as Json | undefined);
    if (inherited && !Object.hasOwn(value, segment)) return undefined;
    // A number that keeps its digits is an object only here.
    if (asExact(value) !== undefined) return undefined;
    return (value as JsonObject)[segment];
  };
}

function missing({ path }: Omit<AppExpansion, "span">, place: AppNode): never {
  const [root = "", ...rest] = path;
  const reason = reasons.get(root)?.(rest) ?? `\`${root}\` isn't a root of expansions`;
  throw new RunError(
    "DataError",
    `\`\${${path.join(".")}}\` has no value here: ${reason}. Add \`| default\` if it may be missing.`,
    place,
  );
}

const reasons: ReadonlyMap<string, (path: readonly string[]) => string> = new Map<
  string,
  (path: readonly string[]) => string
>([
  ["piped_content", ([index = ""]) => `step ${index} gave nothing under that path`],
  ["custom_data", ([id = ""]) => `the field \`${id}\` was skipped, or has no such part`],
  ["data", (path) => `nothing has been saved as \`${path.join(".")}\``],
  ["polling_state", (path) => `the polling state has no \`${path.join(".")}\``],
  ["subdomain", () => "the connection has no subdomain"],
  ["webhook", () => "there is no webhook"],
]);
