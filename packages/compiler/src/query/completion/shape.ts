import { isCommandKey, type Member, type Section, type Value } from "../../language/index.ts";
import { jsonLiteral, literal } from "./completion.ts";

/** Numbers the places of a snippet. */
class Places {
  private count = 0;
  next(content = ""): string {
    this.count++;
    return content === "" ? `$${this.count}` : `\${${this.count}:${content}}`;
  }
}

/** A snippet for a member: its name and a value of the right shape with all that it requires. */
export function memberSnippet(name: string, { value }: Member): string {
  return `${jsonLiteral(name)}: ${shape(value, new Places(), 0)}`;
}

/** A snippet for a value. */
export function valueSnippet(value: Value): string {
  return shape(value, new Places(), 0);
}

const MAX_DEPTH = 3;

function shape(value: Value, places: Places, depth: number): string {
  switch (value.kind) {
    case "text":
      return value.oneOf?.length === 1 ? jsonLiteral(value.oneOf[0]) : `"${places.next()}"`;
    case "integer":
      return value.only === undefined ? places.next(`${value.minimum ?? 1}`) : `${value.only}`;
    case "boolean":
      return places.next("true");
    case "scalar":
      return places.next('""');
    case "section":
      return sectionShape(value.section(), places, depth);
    case "variant": {
      const [first, section] = Object.entries(value.variants)[0]!;
      return sectionShape(section(), places, depth, { [value.by]: first });
    }
    case "map":
      return `{ ${places.next()} }`;
    case "list":
      return depth >= MAX_DEPTH ? "[]" : `[${shape(value.of, places, depth + 1)}]`;
    case "command":
      return `{ ${places.next()} }`;
    case "either":
      return shape(value.of[0]!, places, depth);
    case "data":
      return value.must === undefined ? places.next() : `{ ${places.next()} }`;
  }
}

function sectionShape(
  section: Section,
  places: Places,
  depth: number,
  fixed: Readonly<Record<string, string>> = {},
): string {
  if (depth >= MAX_DEPTH) return `{ ${places.next()} }`;
  const members = Object.entries(section.members)
    .filter(([name, { required }]) => required === true || Object.hasOwn(fixed, name))
    .map(([name, { value }]) => {
      const known = fixed[name];
      const text = known === undefined ? shape(value, places, depth + 1) : `"${places.next(literal(known))}"`;
      return `${jsonLiteral(name)}: ${text}`;
    });
  if (members.length === 0) return `{ ${places.next()} }`;
  const indent = "\t".repeat(depth + 1);
  return `{\n${members.map((member) => indent + member).join(",\n")}\n${"\t".repeat(depth)}}`;
}

/** A snippet for a command's argument. */
export function commandSnippet(key: string, argument: Value): string {
  if (!isCommandKey(key)) return "";
  if (key === "!jq") return '"!jq": "${1:.}"';
  if (key === "!pipe") return '"!pipe": [\n\t{ $1 }\n]';
  if (key === "!http") return '"!http": { "method": "${1|GET,POST,PUT,PATCH,DELETE|}", "path": "/$2" }';
  return `${jsonLiteral(key)}: ${shape(argument, new Places(), 1)}`;
}
