import type { AppExpansion, AppNode, AppTemplate, AppValue } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "./errors.ts";
import { requiredGetter } from "./expansion.ts";
import { asExact, jsonText, setOwn, structureName } from "./json.ts";
import { valueCost } from "./memory/json-cost.ts";
import { megabytes } from "./memory/memory.ts";
import type { Frame } from "./step.ts";

type ValueMaker = (frame: Frame) => Json;
type TextMaker = (frame: Frame) => string;

/** The place of an expansion of a command, for errors. */
export function placeOfExpansion({ span }: AppExpansion, { pointer }: AppNode): AppNode {
  return { pointer, span };
}

/** Makes the closure of a value with expansions. What has none is the same value each time: values are never changed. */
export function compileValue(value: AppValue, place: AppNode): ValueMaker {
  if ("literal" in value) {
    const literal = value.literal as Json;
    return () => literal;
  }
  if ("template" in value) return compileTemplate(value.template, place);
  if ("items" in value) {
    const items = value.items.map((item) => compileValue(item, place));
    return (frame) => items.map((item) => item(frame));
  }
  const members = value.members.map(({ key, value: inner }) => ({
    key: compileText(key, place),
    value: compileValue(inner, place),
  }));
  return (frame) => {
    const object: Record<string, Json> = {};
    for (const member of members) setOwn(object, member.key(frame), member.value(frame));
    return object;
  };
}

/** D8: an expansion alone is the value itself, with its type. */
function compileTemplate(template: AppTemplate, place: AppNode): ValueMaker {
  const [only] = template;
  if (template.length === 1 && only !== undefined && typeof only !== "string")
    return requiredGetter(only, placeOfExpansion(only, place));
  return compileText(template, place);
}

/**
 * D9: a text with the expansions' values as text.
 *
 * @param use what the text is for, where an object or array in it is an error: "the path", "the header `x`"
 */
export function compileText(template: AppTemplate, place: AppNode, use?: string): TextMaker {
  const makers: TextMaker[] = [];
  let lead = "";
  for (const piece of template) {
    if (typeof piece !== "string") makers.push(expansionText(piece, placeOfExpansion(piece, place), use));
    else if (makers.length === 0) lead += piece;
    else makers.push(() => piece);
  }
  if (makers.length === 0) return () => lead;
  const [first] = makers as [TextMaker];
  if (makers.length === 1) return lead === "" ? first : (frame) => lead + first(frame);
  return (frame) => {
    let text = lead;
    for (let at = 0; at < makers.length; at++) text += makers[at]!(frame);
    return text;
  };
}

function expansionText(expansion: AppExpansion, place: AppNode, use: string | undefined): TextMaker {
  const get = requiredGetter(expansion, place);
  return (frame) => {
    const value = get(frame);
    if (typeof value === "string") return value;
    const structure = use === undefined ? undefined : structureName(value);
    if (structure !== undefined)
      throw new RunError(
        "DataError",
        `\`\${${expansion.path.join(".")}}\` is an ${structure}, which ${use} can't contain. Use one of its parts.`,
        place,
      );
    fitsInText(value, frame, expansion, place);
    return textOf(value);
  };
}

/** The same parts may stand in a value many times, so its text may be larger than it. @throws RunError */
function fitsInText(value: Json, { room }: Frame, { path }: AppExpansion, place: AppNode): void {
  if (room === undefined || typeof value !== "object") return;
  const { always } = room.passing();
  if (valueCost(value, always) > always)
    throw new RunError(
      "LimitError",
      `\`\${${path.join(".")}}\` takes more than ${megabytes(always)} as text. Use one of its parts.`,
      place,
    );
}

/** D9: strings as they are, `null` as the empty string, all else as compact JSON. */
export function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (typeof value !== "object") return typeof value === "number" ? numberText(value) : String(value);
  return asExact(value)?.text ?? jsonText(value);
}

function numberText(number: number): string {
  return Number.isFinite(number) ? String(number) : jsonText(number);
}
