import type { Operation, Parameter } from "../description.ts";
import type { Guess } from "./guess.ts";
import { phrase } from "./name-words.ts";
import { formatOf } from "./time-words.ts";
import { requiredBeginning, type Watermark, windowOf } from "./window.ts";

const changes =
  /^(?:(?:since|min|filter|q|after|from|start|if)? ?(?:last )?(?:updated?|modified|modification|changed?|edited|activity)(?: (?:at|on|date|time|datetime))?(?: (?:since|after|from|min|start|gte?|ge|greater than|later than))?|(?:min|start|since|from|after) (?:last )?(?:updated?|modified|changed|edited)(?: (?:at|on|date|time))?|since(?: (?:last )?(?:updated?|changed|modified))?|(?:updated|modified|changed) (?:since|after|from|min)(?: date)?|last (?:updated|modified|changed)(?: (?:since|after))?|since timestamp|last changed since|delta since)$/;
const creations =
  /^(?:(?:min|start|since|from|after|filter) ?)?creat(?:ed|ion)(?: (?:at|on|date|time))?(?: (?:since|after|from|min|start|gte?|ge))?$|^(?:since created(?: at)?|since timestamp opt|created (?:since|after|from|gte?|min)|since(?: timestamp)?|start (?:date|time)|from date|begin time|date (?:from|start|after|min)|(?:min|oldest|after) (?:date|time|timestamp)?)$/;
/** Names that end a window, or that sort. */
const others = /\b(?:before|until|to|max|end|lte?|less|sort|order|by|dir|direction)\b/;

export function watermarkOf(operation: Operation): Guess<Watermark> | undefined {
  return (
    windowOf(operation) ??
    find(operation, changes, "changes") ??
    find(operation, creations, "creations") ??
    requiredBeginning(operation)
  );
}

function find(
  { parameters }: Operation,
  names: RegExp,
  counts: Watermark["counts"],
): Guess<Watermark> | undefined {
  for (const parameter of parameters) {
    if (parameter.in !== "query") continue;
    for (const { name, about, parameter: whole } of namesOf(parameter)) {
      const words = phrase(name);
      if (!names.test(words) || others.test(words) || !looksLikeTime(whole, about)) continue;
      // A lone `updated_at` may ask for an exact time.
      if (!/since|after|from|min|start|gt|ge|later|begin|oldest/.test(`${words} ${phrase(about)}`)) continue;
      // `since` is of changes unless its description says otherwise.
      const isOfCreation =
        counts === "changes" &&
        /\bcreated\b/i.test(about) &&
        !/updat|modif|chang|edit/i.test(`${words} ${about}`);
      if (isOfCreation) continue;
      return {
        value: { param: name, format: formatOf(whole, about), counts },
        because: `the parameter \`${name}\``,
      };
    }
  }
  return undefined;
}

/** A parameter, and the members of one that is an object: `created[gte]`. */
function* namesOf(
  parameter: Parameter,
): Generator<{ readonly name: string; readonly about: string; readonly parameter: Parameter }> {
  yield { name: parameter.name, about: parameter.about, parameter };
  if (parameter.shape.kind !== "object") return;
  // Bounds that take in what lies on them come first.
  const bounds = [...parameter.shape.members].sort(([a], [b]) => Number(/e$/.test(b)) - Number(/e$/.test(a)));
  for (const [name, shape] of bounds)
    yield { name: `${parameter.name}[${name}]`, about: parameter.about, parameter: { ...parameter, shape } };
}

function looksLikeTime({ shape }: Parameter, about: string): boolean {
  if (shape.kind === "number") return !/\bid\b/i.test(about);
  if (shape.kind === "unknown") return true;
  if (shape.kind !== "string" || shape.enum !== undefined) return false;
  return shape.format === undefined || /date|time/.test(shape.format);
}
