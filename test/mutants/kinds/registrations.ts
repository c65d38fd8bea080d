import { type CommandSite, type Config, get, itemsOf } from "../config.ts";
import { without, withoutItem } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, inPrograms, inVerification } from "./in-programs.ts";

/** Mistakes in how a webhook is registered again and its deliveries are checked. */

const inCommand = (config: Config, name: string): readonly CommandSite[] =>
  config.commands.filter(({ place }) => place[0] === "data_intake" && place[2] === name);

export const registrationKinds: readonly Kind[] = [
  replacing(
    "meaning/other-algorithm",
    "warning",
    "The hash is made with another algorithm than is compared.",
    function* (config) {
      for (const { key, argument, unit } of config.commands) {
        const algorithm = key === "!sha" ? get(argument, "algorithm") : undefined;
        if (algorithm?.kind !== "string" || unit === undefined) continue;
        if (config.text.slice(unit.start, unit.end).includes(`${algorithm.value}=`))
          yield [algorithm, algorithm.value === "sha256" ? '"sha512"' : '"sha256"'];
      }
    },
  ),
  replacing(
    "meaning/id-as-secret",
    "warning",
    "The webhook's id is taken for the signing secret.",
    function* (config) {
      for (const site of config.commands) {
        const secret = site.key === "!sha" ? get(site.argument, "secret") : undefined;
        if (secret?.kind !== "string" || !secret.value.startsWith("${data.")) continue;
        // The key that `delete` names it by.
        for (const { span, site: reader, segments } of config.expansions("data"))
          if (reader.unit === site.unit && reader.place[2] === "delete" && segments.length === 3) {
            yield [secret, `"${config.text.slice(span.start, span.end)}"`];
            break;
          }
      }
    },
  ),
  replacing(
    "meaning/other-events",
    "warning",
    "`update` registers another event than `create`.",
    function* (config) {
      for (const { key, argument } of inCommand(config, "update")) {
        const body = key === "!http" ? get(argument, "body") : undefined;
        for (const { name, value } of body?.kind === "object" ? body.members : []) {
          const items = itemsOf(value);
          const last = items.at(-1);
          if (items.length > 1 && /event|topic|trigger/.test(name) && last?.kind === "string")
            yield [last, `"${last.value}.other"`];
        }
      }
    },
  ),
  {
    name: "meaning/event-left-out",
    what: "`update` registers one event less than `create`.",
    expects: "warning",
    *mutants(config) {
      for (const { key, argument } of inCommand(config, "update")) {
        const body = key === "!http" ? get(argument, "body") : undefined;
        for (const { name, value } of body?.kind === "object" ? body.members : [])
          if (value?.kind === "array" && value.items.length > 1 && /event|topic|trigger/.test(name))
            yield { edits: [withoutItem(config, value, value.items.length - 1)], at: [value] };
      }
    },
  },
  {
    name: "meaning/choice-left-out",
    what: "`update` doesn't send the form field that `create` sends; one of several requests may be for something else.",
    expects: "warning",
    *mutants(config) {
      const all = inCommand(config, "update").filter(({ key }) => key === "!http");
      for (const { key, argument, unit } of all) {
        if (all.some((other) => other.unit === unit && other.argument !== argument)) continue;
        const body = key === "!http" ? get(argument, "body") : undefined;
        for (const member of body?.kind === "object" ? body.members : [])
          if (
            member.value?.kind === "string" &&
            /^\$\{custom_data\.[\w-]+\.value\}$/.test(member.value.value)
          )
            yield { edits: [without(config, member)], at: [body!] };
      }
    },
  },
  inPrograms(
    "bare-id-saved",
    "`!save` gets the bare id.",
    ({ key, place, index, parent }) => {
      const next = parent?.argument?.kind === "array" ? parent.argument.items[index + 1] : undefined;
      return key === "!jq" && place[2] === "create" && get(next, "!save") !== undefined;
    },
    each(/^\{\w+: (\.[\w.]*\bid)\}$/g, ([, id]) => id!),
  ),
  inPrograms(
    "object-as-id",
    "The whole object is saved as the id.",
    ({ place }) => place[2] === "create",
    each(/(?<=_id: \.(\w+))\.id(?=, \w+: \.\1\.\w)/g, ""),
  ),
  inPrograms(
    "signature-reversed",
    "A signature in parts (`v1=…`) is refused where it is right.",
    inVerification,
    each(/!=(?= \\"v\d=\\" \+ \.hash then [1-9])|(?<=\bv1\b[^=!]*)!=(?= \.hash\b)/g, "=="),
  ),
];
