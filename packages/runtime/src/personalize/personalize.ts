import type { AppField } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { isObject, jsonText, ownMember, setOwn } from "../json.ts";

/**
 * Replaces each `%ID%` by that field of the contact, once: what comes in isn't looked at again (D38). The id's letters may be
 * in any case; an exact match is preferred. An unknown id stays as typed.
 *
 * @param unknown is told each unknown id
 */
export function personalizeText(text: string, contact: JsonObject, unknown: (id: string) => void): string {
  // The closing sign isn't consumed: in `50%b%EMAIL%` it opens the next one if `b` is unknown.
  const pattern = /%([A-Za-z][A-Za-z0-9_]*)(?=%)/g;
  let result = "";
  let end = 0;
  let names: Map<string, string> | undefined;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const id = match[1] ?? "";
    let value = ownMember(contact, id);
    if (value === undefined) {
      names ??= namesInLowerCase(contact);
      const name = names.get(id.toLowerCase());
      value = name === undefined ? undefined : ownMember(contact, name);
    }
    if (value === undefined) {
      unknown(id);
      continue;
    }
    result += text.slice(end, match.index) + shown(value);
    end = match.index + id.length + 2;
    pattern.lastIndex = end;
  }
  return result + text.slice(end);
}

function namesInLowerCase(contact: JsonObject): Map<string, string> {
  const names = new Map<string, string>();
  for (const name of Object.keys(contact)) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, name);
  }
  return names;
}

/** As in a template (D9). */
function shown(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : jsonText(value);
}

/**
 * The values of a workflow's fields as its pipeline sees them for one contact: those of personalised textareas have the
 * contact's fields filled in (D38).
 *
 * @param customData `{id: {value, display?}}`
 * @param unknown is told each id that the contact doesn't have, with its field
 */
export function personalize(
  customData: Json | undefined,
  fields: readonly AppField[],
  contact: Json | undefined,
  unknown: (id: string, field: AppField) => void,
): Json | undefined {
  if (!isObject(customData) || !isObject(contact)) return customData;
  const personal = fields.filter(({ type, personalize }) => type === "textarea" && personalize !== undefined);
  if (personal.length === 0) return customData;
  const result: Record<string, Json> = {};
  for (const [id, value] of Object.entries(customData)) setOwn(result, id, value);
  for (const field of personal) {
    const filled = ownMember(customData, field.id);
    if (!isObject(filled)) continue;
    const members: Record<string, Json> = {};
    const told = new Set<string>();
    for (const [name, value] of Object.entries(filled)) {
      const replaced =
        typeof value === "string"
          ? personalizeText(value, contact, (id) => {
              // `value` and `display` have the same text.
              if (!told.has(id)) unknown(id, field);
              told.add(id);
            })
          : value;
      setOwn(members, name, replaced);
    }
    setOwn(result, field.id, members);
  }
  return result;
}
