import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { isObject, jsonText, structureName } from "../json.ts";
import { textOf } from "../template.ts";

/** Methods without a request body (D19); they count as reading (D21). */
export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const form = "application/x-www-form-urlencoded";

/** The text of a request's body: form fields if the content type says so, else JSON (D19). */
export function bodyText(value: Json, contentType: string, place: AppNode): string {
  if (contentType.toLowerCase().startsWith(form))
    return typeof value === "string" ? value : formText(value, place);
  try {
    return jsonText(value);
  } catch (cause) {
    throw new RunError("DataError", "The body is nested too deeply to be sent.", place, { cause });
  }
}

function formText(value: Json, place: AppNode): string {
  if (!isObject(value))
    throw new RunError("DataError", "A form body must be an object: its members are the fields.", place);
  return new URLSearchParams(parametersOf(value, "a form field", place)).toString();
}

/**
 * Names and values of query parameters or form fields: arrays repeat the name, `null` leaves it out (D17).
 *
 * @param what for messages: "a parameter"
 */
export function parametersOf(value: Json, what: string, place: AppNode): [string, string][] {
  if (!isObject(value)) throw new RunError("DataError", `\`params\` must be an object.`, place);
  const pairs: [string, string][] = [];
  for (const [name, given] of Object.entries(value)) {
    for (const item of Array.isArray(given) ? (given as readonly Json[]) : [given]) {
      if (item === null) continue;
      if (structureName(item) !== undefined)
        throw new RunError(
          "DataError",
          `\`${name}\` can't be ${what}: it is an object or a list in a list. Name its parts one by one.`,
          place,
        );
      pairs.push([name, textOf(item)]);
    }
  }
  return pairs;
}
