import type { StringNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get } from "../config.ts";
import { misspelled } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";

/** Every string that must be one of a list, with a value that people take for one of them. */
function* closedValues(config: Config): Generator<readonly [StringNode, string]> {
  const lists: readonly (readonly [path: string, foreign: string])[] = [
    ["$version", "3"],
    ["workflows.*.type", "outbound"],
    ["data_intake.*.type", "poll"],
    ["data_intake.*.scope", "account"],
    ["data_intake.*.import_option", "once"],
    ["workflows.*.setup.select.form_fields.*.type", "select"],
    ["workflows.*.setup.schedule.import_options.*.type", "once"],
    ["api.pagination.style.type", "offset"],
  ];
  for (const [path, foreign] of lists) for (const node of config.strings(path)) yield [node, foreign];
  const inCommands: readonly (readonly [key: string, member: string, foreign: string])[] = [
    ["!http", "method", "FETCH"],
    ["!http", "target", "internal"],
    ["!save", "scope", "global"],
    ["!sha", "algorithm", "crc32"],
  ];
  for (const [key, member, foreign] of inCommands) {
    for (const site of config.commands) {
      const node = site.key === key ? get(site.argument, member) : undefined;
      if (node?.kind === "string") yield [node, foreign];
    }
  }
}

export const enumKinds: readonly Kind[] = [
  replacing("enum/misspelled", "error", "A slip in a value of a closed list.", function* (config) {
    for (const [node] of closedValues(config)) yield [node, JSON.stringify(misspelled(node.value))];
  }),
  replacing("enum/foreign", "error", "A value of another tool's list.", function* (config) {
    for (const [node, foreign] of closedValues(config)) yield [node, JSON.stringify(foreign)];
  }),
  replacing(
    "enum/wrong-case",
    "error",
    "The right value in capitals. Methods aside: they may be in any case (D17).",
    function* (config) {
      for (const [node] of closedValues(config)) {
        const { parent } = node;
        const upper = node.value.toUpperCase();
        if (upper !== node.value && !(parent?.kind === "member" && parent.name === "method"))
          yield [node, JSON.stringify(upper)];
      }
    },
  ),
  replacing("enum/lower-case-method", "hint", "A method in lower case (D17).", function* (config) {
    for (const site of config.commands) {
      const method = site.key === "!http" ? get(site.argument, "method") : undefined;
      if (method?.kind === "string") yield [method, JSON.stringify(method.value.toLowerCase())];
    }
  }),
  replacing(
    "enum/version-number",
    "error",
    "`$version` as a number, or as an older version.",
    function* (config) {
      for (const node of config.select("$version"))
        for (const text of ["2", '"1"', '"2.0"']) yield [node, text];
    },
  ),
  replacing(
    "enum/auth-type",
    "warning",
    "A type of auth that isn't known: its members can't be checked (D27).",
    function* (config) {
      for (const node of config.strings("auth.*.type")) {
        yield [node, JSON.stringify(misspelled(node.value))];
        yield [node, '"jwt"'];
      }
    },
  ),
  replacing("enum/personalize", "error", "`personalize` with another value (D38).", function* (config) {
    for (const node of config.select("workflows.*.setup.select.form_fields.*.personalize")) {
      for (const text of ["true", '"Contact"', '"PlatformContcat"']) yield [node, text];
    }
  }),
];
