import { type Config, get, textAt } from "../config.ts";
import { type Kind, replaced, replacing } from "../kind.ts";
import { each, inPrograms } from "./in-programs.ts";
import { isReadByParser } from "./likely.ts";

/** Mistakes where a value is there and taken for something else: a length of time, a token, a secret, the state. */

/** Words of a length of time, by which customers choose a number. */
const length = /\b(?:minute|hour|day|week|month|year)s?\b/i;

/** Ids of form fields of which customers choose a length of time. */
function lengths(config: Config): ReadonlySet<string> {
  const found = new Set<string>();
  for (const field of config.objects("workflows.*.setup.select.form_fields.*")) {
    const options = get(field, "options");
    const said = (options?.kind === "array" ? options.items : []).filter(
      (option) =>
        length.test(textAt(option, "display") ?? "") && /^[1-9]\d*$/.test(textAt(option, "value") ?? ""),
    );
    const id = textAt(field, "id");
    if (said.length > 1 && id !== undefined) found.add(id);
  }
  return found;
}

export const misusedKinds: readonly Kind[] = [
  replacing(
    "meaning/other-duration",
    "warning",
    "A length of time that was chosen is multiplied by the seconds of another unit.",
    function* (config) {
      const fields = lengths(config);
      for (const { node } of config.programs()) {
        const source = config.text.slice(node.start, node.end);
        const pattern = /\$\{custom_data\.([\w-]+)\.value\}(?: \| tonumber)?\)? \* (86400|3600|60)\b/g;
        for (const match of source.matchAll(pattern)) {
          if (!fields.has(match[1]!) || !/\bnow\b/.test(source)) continue;
          const end = node.start + match.index + match[0].length;
          yield [{ start: end - match[2]!.length, end }, match[2] === "3600" ? "86400" : "3600"];
        }
      }
    },
  ),
  replacing("meaning/default-display", "warning", "A default is what an option shows.", function* (config) {
    for (const { span, segments, filters, site } of config.expansions("custom_data")) {
      const text = filters[0]
        ?.trim()
        .replace(/^default:/, "")
        .trim();
      if (segments[2] !== "value" || text === undefined || !filters[0]!.includes("default:")) continue;
      const field = config
        .objects("workflows.*.setup.select.form_fields.*")
        .find((each) => textAt(each, "id") === segments[1] && isWithin(each, site.unit));
      const options = get(field, "options");
      const option = (options?.kind === "array" ? options.items : []).find(
        (each) => textAt(each, "value") === text,
      );
      const display = textAt(option, "display");
      if (display === undefined || !/^[\w ]+$/.test(display) || display === text) continue;
      const source = config.text.slice(span.start, span.end);
      const at = span.start + source.indexOf(text, source.indexOf("default:") + "default:".length);
      yield [{ start: at, end: at + text.length }, display];
    }
  }),
  replacing(
    "meaning/token-as-text",
    "warning",
    "The token of the next page is made a text.",
    function* (config) {
      for (const node of config.strings("api.pagination.parser.next_result_token.!jq"))
        if (/^\.[\w.]+$/.test(node.value)) yield [node, JSON.stringify(`${node.value} | tostring`)];
    },
  ),
  {
    name: "meaning/answer-iterated",
    what: "A page that is an object is gone through, and not its list.",
    expects: "warning",
    *mutants(config) {
      for (const { node, site } of config.programs()) {
        if (site.key !== "!jq" || !isReadByParser(site, config)) continue;
        const match = /^\[\.[a-z_]+(?=\[\] \| \{)/.exec(node.value);
        if (match === null) continue;
        const start = node.start + 2;
        yield { ...replaced({ start, end: start + match[0].length - 1 }, "."), at: [node] };
      }
    },
  },
  replacing(
    "meaning/secret-as-id",
    "warning",
    "The signing secret stands where the id of the registration belongs.",
    function* (config) {
      for (const { key, argument, unit } of config.commands) {
        const [, path] = /^\$\{(data\.[\w.]+)\}$/.exec(textAt(argument, "secret") ?? "") ?? [];
        if (key !== "!sha" || path === undefined) continue;
        for (const { span, site, node } of config.expansions("data"))
          if (site.unit === unit && site.place[2] === "delete" && get(site.argument, "path") === node)
            yield [span, `\${${path}}`];
      }
    },
  ),
  inPrograms(
    "state-wins",
    "The old state stands on the right, and its members win.",
    ({ place }) => place[0] === "data_intake" && place[2] === "request",
    each(/\$\{polling_state\} \+ (\{(?:[^{}]|\$\{[^}]*\})*\})/g, ([, made]) => `${made} + \${polling_state}`),
  ),
  inPrograms(
    "future-start",
    "How far back an import reaches is added to the time of the setup.",
    ({ place }) => place[0] === "data_intake" && place[2] === "initial_setup",
    each(/(?<=\b(?:from|since|after|start)\w*: \(+\$?now )-(?= )/g, "+"),
  ),
];

function isWithin(
  inner: { readonly start: number; readonly end: number },
  outer: { readonly start: number; readonly end: number } | undefined,
): boolean {
  return outer !== undefined && outer.start <= inner.start && inner.end <= outer.end;
}
