import type { Json } from "@configc/jq";
import type { Shape } from "./shape.ts";

/** What a service says with status 200 where it failed, as far as programs look for it; undefined where they don't. */
export function errorBodyOf(answer: Shape): string | undefined {
  if (answer.kind !== "object") return undefined;
  const body: Record<string, Json> = {};
  for (const [name, shape] of Object.entries(answer.members)) {
    if (errorNames.has(name.toLowerCase())) body[name] = told(shape);
    else if (successNames.has(name.toLowerCase())) body[name] = false;
  }
  return Object.keys(body).some((name) => errorNames.has(name.toLowerCase()))
    ? JSON.stringify(body)
    : undefined;
}

const errorNames: ReadonlySet<string> = new Set(["error", "errors", "error_code", "error_message", "fault"]);
const successNames: ReadonlySet<string> = new Set(["ok", "success"]);

function told(shape: Shape): Json {
  switch (shape.kind) {
    case "object":
      return Object.fromEntries(Object.entries(shape.members).map(([name, member]) => [name, told(member)]));
    case "list":
      return [told(shape.item)];
    case "number":
      return 429;
    case "boolean":
      return true;
    default:
      return shape.choices[0] ?? "too many requests";
  }
}
