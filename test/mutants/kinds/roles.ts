import { type CommandSite, type Config, get, textAt } from "../config.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, inPrograms } from "./in-programs.ts";

/** Mistakes in what a value is for where it goes: a name for an id, what came before for what a step made. */

const inPipeline = ({ place }: CommandSite): boolean => place[2] === "data_pipeline";
const inSource = ({ place }: CommandSite): boolean =>
  inPipeline({ place } as CommandSite) && place[3] === "source";

/** Options of fields whose value goes to a member that is called an id. */
function* idOptions(config: Config) {
  for (const workflow of config.workflows)
    for (const field of config.fields(workflow)) {
      const id = textAt(field, "id");
      if (id === undefined || !config.text.includes(`_id": "\${custom_data.${id}.value}"`)) continue;
      for (const { node, site } of config.programs())
        if (site.unit === workflow && field.start < node.start && node.end < field.end) yield node;
    }
}

export const roleKinds: readonly Kind[] = [
  inPrograms(
    "other-role",
    "`email` gets the record's id.",
    inPipeline,
    each(/(?<=\bemail: \.(?:\w+\.)*)email(?=[,}])/g, "id"),
  ),
  replacing(
    "meaning/name-for-id",
    "warning",
    "An option's value is its name, and goes to an id.",
    function* (config) {
      for (const node of idOptions(config)) {
        const source = config.text.slice(node.start, node.end);
        for (const match of source.matchAll(
          /(?<=display: (\.(?:name|title)), value: )(?:\.id|\(\.id \| tostring\))(?=\})/g,
        )) {
          const start = node.start + match.index;
          yield [{ start, end: start + match[0].length }, match[1]!];
        }
      }
    },
  ),
  replacing(
    "meaning/routed-by-other-kind",
    "warning",
    "Deliveries are routed by a name.",
    function* (config) {
      for (const node of config.strings("data_intake.*.resource_id.!jq"))
        for (const match of config.text
          .slice(node.start, node.end)
          .matchAll(/(?<=\w)(?:_id|\.id)(?="| \| tostring"$)/g)) {
          const start = node.start + match.index;
          yield [{ start, end: start + match[0].length }, match[0].replace("id", "name")];
        }
    },
  ),
  replacing(
    "meaning/display-for-id",
    "warning",
    "Workflows are known by what an option shows.",
    function* (config) {
      for (const node of config.strings("workflows.*.setup.select.describe_selection.resource_id.!jq")) {
        const at = config.text.slice(node.start, node.end).lastIndexOf(".value");
        if (at > 0) yield [{ start: node.start + at, end: node.start + at + ".value".length }, ".display"];
      }
    },
  ),
  inPrograms(
    "used-where-empty",
    "What has a value is skipped, and the empty is used.",
    inSource,
    each(/(?<=^(?:if|.*\| if) \.[\w.]+ )==(?= null then null else)/g, "!="),
  ),
  replacing("meaning/mapped-id", "error", "A record's id is read from what was mapped.", function* (config) {
    for (const expansion of config.expansions("piped_content")) {
      const { site, segments, node } = expansion;
      if (site.place[3] !== "target" || segments.length !== 3 || segments[2] !== "id" || segments[1] === "0")
        continue;
      if (get(site.argument, "path") === node && get(get(site.unit, "setup"), "map") !== undefined)
        yield [config.segment(expansion, 1), "0"];
    }
  }),
];
