import { language } from "@configc/compiler";
import { code, fence, list, page, table } from "./markdown.ts";

/** `docs/language/expansions.md` */
export function expansionsPage(): string {
  const roots = Object.values(language.roots);
  return page(
    "Expansions",
    "`${path}` in a string of a command reads a value; `$<path>` means the same. A path is segments joined by `.`, with `[0]` or `.0` for an item of a list. Blanks inside the braces don't count.",
    "## Roots",
    table(
      ["root", "what it reads", "where", "type", "example"],
      roots.map(({ form, tier, doc, legalIn, type, example }) => [
        `${code(form)}${tier === "ext" ? " *ext*" : ""}`,
        doc,
        legalIn,
        type,
        code(example),
      ]),
    ),
    "## Which root where",
    table(
      ["place", ...roots.map(({ name }) => code(name))],
      Object.values(language.places).map((place) => [
        code(place.name),
        ...roots.map(({ name }) => cell(place, name)),
      ]),
    ),
    "`custom_data` in a webhook intake needs the scope `workflow`; in the options of a form field it reads earlier fields only. `subdomain` needs `defined_fields.subdomain` in the workflow's auth. Inside a `!pipe`, `piped_content` is legal everywhere.",
    "Besides commands, expansions are evaluated in the URLs of `api` and `auth` (`subdomain` only). In labels and help texts they are plain text.",
    "## Whole strings and parts of strings",
    list([
      "A string that is nothing but one expansion gives the value itself, with its type: number, list, object.",
      "Among other text, strings go in as they are, numbers and booleans as JSON, `null` as nothing, objects and lists as compact JSON. In paths, URLs and headers an object or a list is an error.",
      "In a `!jq` program an expansion is a value, never program text; inside a jq string it is text.",
      "As a whole path segment or a whole parameter value it is percent-encoded.",
      "`$${` writes a plain `${`, unless a known root follows: then it is a `$` and an expansion.",
    ]),
    "## Filter `default`",
    "What is missing fails, and with it the step. `| default` gives an empty string instead, `| default:TEXT` gives that text. A form field with `required: false` must be read with it. JSON `null` isn't missing.",
    fence("json", '"Note: ${custom_data.note.value | default:none}"'),
    "Defined by the specification, “What the service does”, and decisions D6 to D14 and D18.",
  );
}

function cell({ roots }: language.Place, root: language.RootSpec["name"]): string {
  return roots.includes(root) ? "✓" : "";
}
