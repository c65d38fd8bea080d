import type { AppField } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { isObject, jsonText } from "../json.ts";
import { refused } from "./error.ts";
import { type FieldOption, textOf } from "./options.ts";

/** What is kept of an answer (D12): `display` of a text is the text. */
type Answer = { readonly value: Json; readonly display: Json };

/** Characters of a typed answer at most. */
const LONGEST = 100_000;

/**
 * The answer to a form field, as `custom_data` has it.
 *
 * @param given the value of an option, a list of such for a `multiselect`, or a text
 * @param options the choices, where they are known. A `text` may be something else: its options are suggestions.
 * @returns undefined for a field that is left empty
 * @throws SetupError
 */
export function answerOf(
  field: AppField,
  given: Json,
  options: readonly FieldOption[] | undefined,
): Answer | undefined {
  const { id, label, type } = field;
  if (given === null || given === "" || (Array.isArray(given) && given.length === 0)) return undefined;
  switch (type) {
    case "text":
    case "textarea": {
      const text = textOf(given);
      if (text === undefined) throw refused("invalid", `“${label}” takes text.`, id);
      if (text.length > LONGEST)
        throw refused("invalid", `“${label}” takes ${LONGEST} characters at most.`, id);
      return { value: text, display: text };
    }
    case "dropdown": {
      if (Array.isArray(given) || isObject(given))
        throw refused("invalid", `“${label}” takes one choice.`, id);
      const { value, display } = chosen(field, given, options);
      return { value, display };
    }
    case "multiselect": {
      if (!Array.isArray(given)) throw refused("invalid", `“${label}” takes a list of choices.`, id);
      const all = (given as readonly Json[]).map((one) => chosen(field, one, options));
      const different = all.filter(
        ({ value }, index) => all.findIndex((other) => same(other.value, value)) === index,
      );
      return {
        value: different.map(({ value }) => value),
        display: different.map(({ display }) => display),
      };
    }
  }
}

/** A page sends texts whatever the values are, so they are compared as such; what is kept is the option's own. */
function chosen(
  { id, label }: AppField,
  given: Json,
  options: readonly FieldOption[] | undefined,
): FieldOption {
  const text = textOf(given) ?? jsonText(given);
  if (options === undefined) return { value: given, display: text };
  const found =
    options.find(({ value }) => same(value, given)) ?? options.find(({ value }) => textOf(value) === text);
  if (found !== undefined) return found;
  throw refused("unknown", `“${text.slice(0, 100)}” isn't (or is no longer) a choice of “${label}”.`, id);
}

function same(one: Json, other: Json): boolean {
  return one === other || jsonText(one) === jsonText(other);
}
