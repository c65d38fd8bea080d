import type { Config } from "../config.ts";
import { get, itemsOf } from "../config.ts";
import { keySpan, misspelled, ownerOf, replacement, source, without } from "../edits.ts";
import { type Kind, type Mutant, replaced, replacing } from "../kind.ts";

function* sites(config: Config, ...keys: readonly string[]) {
  for (const site of config.commands) if (keys.length === 0 || keys.includes(site.key)) yield site;
}

/** A mistake in the argument of the commands of a key. */
function argument(
  name: string,
  expects: Kind["expects"],
  what: string,
  key: string,
  ...texts: readonly string[]
): Kind {
  return replacing(name, expects, what, function* (config) {
    for (const { argument } of sites(config, key)) {
      if (argument === undefined) continue;
      for (const text of texts) if (text !== source(config, argument)) yield [argument, text];
    }
  });
}

/** Adds a member to the arguments of the commands of a key. */
function extra(name: string, expects: Kind["expects"], what: string, key: string, text: string): Kind {
  return {
    name,
    what,
    expects,
    *mutants(config) {
      for (const { argument } of sites(config, key)) {
        if (argument?.kind === "object")
          yield replaced({ start: argument.start + 1, end: argument.start + 1 }, ` ${text},`);
      }
    },
  };
}

function missingFrom(key: string, member: string): Kind {
  return {
    name: `command/${key.slice(1)}-without-${member.replaceAll("_", "-")}`,
    what: `\`${key}\` without \`${member}\`.`,
    expects: "error",
    *mutants(config) {
      for (const { argument } of sites(config, key)) {
        const node = argument?.kind === "object" ? argument.member(member) : undefined;
        if (node !== undefined)
          yield { edits: [without(config, node)], at: [ownerOf(node.parent, member)] } satisfies Mutant;
      }
    },
  };
}

export const commandKinds: readonly Kind[] = [
  replacing("command/misspelled", "error", "A slip in a command's name.", function* (config) {
    for (const { member } of sites(config)) yield [member.key, `"!${misspelled(member.name.slice(1))}"`];
  }),
  replacing("command/without-mark", "error", "A command without its `!`.", function* (config) {
    for (const { member } of sites(config)) yield [member.key, `"${member.name.slice(1)}"`];
  }),
  replacing("command/wrong-case", "error", "A command in capitals.", function* (config) {
    for (const { member } of sites(config)) yield [member.key, `"${member.name.toUpperCase()}"`];
  }),
  {
    name: "command/other-mark",
    what: "A command with another mark: seen at the key, or at the object that is no command then.",
    expects: "error",
    *mutants(config) {
      for (const { member, node } of sites(config)) {
        for (const mark of ["$", "@", "! "]) {
          const edits = [replacement(member.key, JSON.stringify(mark + member.name.slice(1)))];
          yield { edits, at: [member.key, keySpan(node), { start: node.start, end: node.start + 1 }] };
        }
      }
    },
  },
  {
    name: "command/two-keys",
    what: "Two commands in one object.",
    expects: "error",
    *mutants(config) {
      for (const { member } of sites(config)) {
        const second = member.name === "!jq" ? '"!print_c": "text"' : '"!jq": "."';
        yield {
          edits: [{ start: member.end, end: member.end, newText: `, ${second}` }],
          at: [member.key, { start: member.end, end: member.end }],
        };
      }
    },
  },
  {
    name: "command/member-beside",
    what: "Another member beside a command.",
    expects: "error",
    *mutants(config) {
      for (const { member } of sites(config)) {
        for (const name of ["method", "label", "comment"])
          yield replaced({ start: member.end, end: member.end }, `, "${name}": "GET"`);
      }
    },
  },
  replacing(
    "command/string-for-step",
    "error",
    "A jq program without its command, as a step of a pipe.",
    function* (config) {
      for (const { node, parent, key, argument } of sites(config)) {
        if (key === "!jq" && parent !== undefined && argument !== undefined)
          yield [node, source(config, argument)];
      }
    },
  ),
  replacing("command/unpacked", "error", "The argument without its command.", function* (config) {
    for (const { node, argument, key } of sites(config, "!http", "!pipe")) {
      // A list of options may be static, and a list of commands is then one of wrong options: found, but not here.
      if (key === "!pipe" && node.parent?.kind === "member" && node.parent.name === "options") continue;
      if (argument !== undefined) yield [node, source(config, argument)];
    }
  }),
  {
    name: "command/in-body",
    what: "A command below `body`, where it is data (D15).",
    expects: "warning",
    *mutants(config) {
      for (const { argument } of sites(config, "!http")) {
        const body = get(argument, "body");
        if (body?.kind !== "object") continue;
        for (const { value } of body.members)
          if (value !== undefined) yield replaced(value, '{ "!jq": ".id" }');
      }
    },
  },
  replacing(
    "command/in-parameters",
    "warning",
    "A command below `params` (D15). A header takes text only, which is another mistake.",
    function* (config) {
      for (const { argument } of sites(config, "!http")) {
        const params = get(argument, "params");
        if (params?.kind !== "object") continue;
        for (const { value } of params.members) if (value !== undefined) yield [value, '{ "!jq": ".id" }'];
      }
    },
  ),
  replacing("command/for-label", "error", "A command where text must stand.", function* (config) {
    for (const node of config.strings("workflows.*.label")) yield [node, '{ "!jq": ".name" }'];
    for (const node of config.strings("workflows.*.setup.connect.label")) yield [node, '{ "!jq": ".name" }'];
  }),
  {
    name: "command/pipe-empty",
    what: "A pipe without steps (D16).",
    expects: "error",
    *mutants(config) {
      for (const { argument, member } of sites(config, "!pipe")) {
        if (argument !== undefined)
          yield { edits: [replacement(argument, "[]")], at: [member.key, argument] };
      }
    },
  },
  replacing(
    "command/pipe-no-array",
    "error",
    "A pipe with one step that isn't in an array.",
    function* (config) {
      for (const { argument } of sites(config, "!pipe")) {
        const [first] = itemsOf(argument);
        if (argument !== undefined && first !== undefined) yield [argument, source(config, first)];
      }
    },
  ),
  argument(
    "command/jq-argument",
    "error",
    "`!jq` of something other than text.",
    "!jq",
    "1",
    '{ "filter": "." }',
    '["."]',
    "null",
  ),
  argument("command/jq-empty", "error", "`!jq` of nothing.", "!jq", '""'),
  argument(
    "command/http-argument",
    "error",
    "`!http` of something other than an object.",
    "!http",
    '"/me"',
    '["GET", "/me"]',
    "null",
  ),
  argument(
    "command/save-argument",
    "error",
    "`!save` of something other than an object.",
    "!save",
    '"workflow"',
    "true",
    "{}",
  ),
  argument(
    "command/error-argument",
    "error",
    "`!error` of something other than text.",
    "!error",
    "1",
    '{ "message": "No." }',
  ),
  argument(
    "command/error-expansion",
    "warning",
    "`!error` with an expansion (D26): it stays as it is written.",
    "!error",
    '"No contact ${piped_content.0.id}"',
  ),
  argument(
    "command/print-argument",
    "error",
    "`!print_c` of something other than text.",
    "!print_c",
    "1",
    '["text"]',
  ),
  argument("command/sha-argument", "error", "`!sha` of something other than an object.", "!sha", '"sha256"'),
  argument(
    "command/sha-shake-secret",
    "error",
    "shake with a secret (D26).",
    "!sha",
    '{ "algorithm": "shake_128", "secret": "<SECRET>" }',
  ),
  argument(
    "command/sha-weak",
    "warning",
    "md5 and sha1 (D26).",
    "!sha",
    '{ "algorithm": "md5" }',
    '{ "algorithm": "sha1" }',
  ),
  argument(
    "command/sha-secret-literal",
    "warning",
    "A secret in plain text (D29).",
    "!sha",
    '{ "algorithm": "sha256", "secret": "f3a9c1d27be84" }',
  ),
  argument(
    "command/extract-argument",
    "error",
    "`!extract` of something else.",
    "!extract",
    '["id"]',
    '{ "item_keys": "id", "to_json": false }',
    '{ "keys": ["id"], "to_json": false }',
  ),
  argument(
    "command/respond-argument",
    "error",
    "`!respond` of something else.",
    "!respond",
    "200",
    '{ "status": 200 }',
    '{ "code": "ok" }',
  ),
  missingFrom("!save", "scope"),
  missingFrom("!switch", "jq"),
  missingFrom("!switch", "cases"),
  missingFrom("!sha", "algorithm"),
  missingFrom("!extract", "item_keys"),
  extra("command/save-invented", "error", "A member that `!save` doesn't have.", "!save", '"key": "hook_id"'),
  extra("command/switch-default", "error", "`default` of `!switch`.", "!switch", '"default": { "!jq": "." }'),
  extra(
    "command/http-invented",
    "error",
    "A member that `!http` doesn't have.",
    "!http",
    '"query": { "a": "b" }',
  ),
  replacing("command/switch-index", "error", "A constant index that no case has (D26).", function* (config) {
    for (const { argument } of sites(config, "!switch")) {
      const jq = get(argument, "jq");
      const cases = itemsOf(get(argument, "cases"));
      if (jq !== undefined) for (const text of [`"${cases.length}"`, '"-1"']) yield [jq, text];
    }
  }),
  replacing("command/switch-no-cases", "error", "`!switch` without a case.", function* (config) {
    for (const { argument } of sites(config, "!switch")) {
      const cases = get(argument, "cases");
      if (cases !== undefined) yield [cases, "[]"];
    }
  }),
  replacing("command/switch-case-text", "error", "A case that is no command.", function* (config) {
    for (const { argument } of sites(config, "!switch")) {
      for (const each of itemsOf(get(argument, "cases"))) yield [each, '"nothing"'];
    }
  }),
  replacing(
    "command/respond-elsewhere",
    "error",
    "`!respond` outside `verification` (D26).",
    function* (config) {
      for (const { node, place, parent, index } of sites(config, "!jq", "!http")) {
        if (!place.includes("verification") && parent?.key === "!pipe" && index === 0)
          yield [node, '{ "!respond": { "code": 200 } }'];
      }
    },
  ),
];
