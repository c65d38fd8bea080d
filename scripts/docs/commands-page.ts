import { language } from "@configc/compiler";
import { code, fence, list, page, table } from "./markdown.ts";
import { sectionBlocks, spaced } from "./section-text.ts";
import { sectionsBelow } from "./sections.ts";
import { sourceText, typeText } from "./value-text.ts";

/** `docs/language/commands.md` */
export function commandsPage(): string {
  return page(
    "Commands",
    "A command is an object with exactly one key that starts with `!`. It takes one JSON value and gives one; in a `!pipe`, the output of each step is the input of the next.",
    table(
      ["command", "what it does"],
      language.commandSpecs.map(({ key, tier, doc }) => [
        `[${code(key)}](#${key.slice(1)})${tier === "ext" ? " *ext*" : ""}`,
        doc,
      ]),
    ),
    ...language.commandSpecs.flatMap(commandBlocks),
    "## Where commands stand",
    "The input is that of a command on its own or of the first step of a pipe.",
    table(["place", "input", "has to give"], Object.values(language.places).map(placeRow)),
  );
}

function commandBlocks({
  key,
  doc,
  argument,
  input,
  output,
  example,
  places,
  source,
  tier,
}: language.CommandSpec): string[] {
  const sections = sectionsBelow(argument);
  const linkTo = (section: language.Section) =>
    `#argument-of-${section.name.replace(/^!/, "").replaceAll(" ", "-")}`;
  return [
    `## ${key}`,
    `${tier === "ext" ? "*ext*. " : ""}${doc}`,
    list([
      `Argument: ${argument.kind === "section" ? `an [object](${linkTo(argument.section())})` : typeText(argument, linkTo)}`,
      `Input: ${input}`,
      `Output: ${output}`,
      ...(places === undefined
        ? []
        : [`Only in ${places.map((place) => language.places[place].title).join(", ")}`]),
    ]),
    fence("json", spaced(example)),
    ...sections.flatMap((section) => [`### Argument of ${section.name}`, ...sectionBlocks(section, linkTo)]),
    ...(sections.length > 0 ? [] : [`Defined by ${sourceText(source)}.`]),
  ];
}

const inputs: Readonly<Record<language.PlaceInput, string>> = {
  roots: "an object of the roots legal there: `{custom_data, data, …}`",
  payload: "the webhook's payload, or one result item",
  verification: "`{method, headers, query, query_params, body, raw_body}`",
  delivery: "`{headers, query, body}`",
  transformed: "the mapped item",
  response: "the response of a page",
};

const contracts: Readonly<Record<language.PlaceContract, string>> = {
  connection: "`{account_id, description}`",
  options: "a list of `{display, value}`",
  "map-options": "a list of map options",
  string: "a string",
  value: "a value to compare",
  number: "a text or number, or `null`",
  lifecycle: "anything; `polling_state` is saved",
  iteration: "`{results, iterate, polling_state}`",
  "flat-object": "an object with the fields at its root, or `null`",
  count: "a number",
  token: "a token, or `null` at the end",
  anything: "anything",
};

function placeRow({ title, name, input, contract, webhook }: language.Place): string[] {
  const member = name.slice(name.indexOf(".") + 1);
  // Only polling has a state to save.
  const output = webhook && contract === "lifecycle" ? contracts.anything : contracts[contract];
  return [title.includes(member) ? title : `${title}: ${code(member)}`, inputs[input], output];
}
