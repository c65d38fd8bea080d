import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { type Entry, missingAddresses } from "../entry.ts";
import { type Facts, root, UNKNOWN_ADDRESS } from "../facts.ts";

const LANGUAGE = "App config";
/** The commit of the grammar that the queries were written for. */
const GRAMMAR = "46aa487b3ade14b7b05ef92507fdaa3915a662a3";

// A language has no colours, brackets, indents and outline without queries of its own.
const HIGHLIGHTS = `(comment) @comment

(string) @string

(escape_sequence) @string.escape

(pair
  key: (string) @property)

(number) @number

[
  (true)
  (false)
] @boolean

(null) @constant

[
  "{"
  "}"
  "["
  "]"
] @punctuation.bracket

[
  ","
  ":"
] @punctuation.delimiter
`;
const BRACKETS = `("{" @open
  "}" @close)

("[" @open
  "]" @close)

("\\"" @open
  "\\"" @close)
`;
const INDENTS = `(object
  "}" @end) @indent

(array
  "]" @end) @indent
`;
const OUTLINE = `(pair
  key: (string
    (string_content) @name)) @item
`;

/** The files of an extension for Zed, by path. */
export function zedExtension(facts: Facts): Record<string, string> {
  return {
    "extension.toml": `${extension(facts)}\n`,
    "Cargo.toml": `${crate(facts)}\n`,
    [`languages/${facts.languageId}/config.toml`]: `${language(facts)}\n`,
    [`languages/${facts.languageId}/highlights.scm`]: HIGHLIGHTS,
    [`languages/${facts.languageId}/brackets.scm`]: BRACKETS,
    [`languages/${facts.languageId}/indents.scm`]: INDENTS,
    [`languages/${facts.languageId}/outline.scm`]: OUTLINE,
    "src/lib.rs": `${source(facts)}\n`,
  };
}

function extension({ version, description, repository, homepage }: Facts): string {
  return `id = "configc"
name = "configc"
description = ${JSON.stringify(description)}
version = "${version}"
schema_version = 1
authors = ["configc"]
repository = "${repository ?? homepage ?? UNKNOWN_ADDRESS}"

[language_servers.configc]
name = "configc"
languages = ["${LANGUAGE}"]

[grammars.json]
repository = "https://github.com/tree-sitter/tree-sitter-json"
rev = "${GRAMMAR}"`;
}

function crate({ version, licence }: Facts): string {
  return `[package]
name = "zed_configc"
version = "${version}"
edition = "2021"
license = "${licence}"
publish = false

[lib]
crate-type = ["cdylib"]

[dependencies]
zed_extension_api = "0.7"`;
}

/** Zed tells a language by the end of a file's name. */
function language({ patterns }: Facts): string {
  const suffixes = patterns.map((pattern) => JSON.stringify(pattern.replace(/^\*\./, "")));
  return `name = "${LANGUAGE}"
grammar = "json"
path_suffixes = [${suffixes.join(", ")}]
line_comments = ["// "]`;
}

function source({ server: [command, ...args] }: Facts): string {
  return `use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Configc;

impl zed::Extension for Configc {
    fn new() -> Self {
        Configc
    }

    fn language_server_command(&mut self, _: &LanguageServerId, tree: &Worktree) -> Result<Command> {
        let command = tree.which("${command}").ok_or("configc isn't installed: npm install -g configc")?;
        let args = vec![${args.map((arg) => `"${arg}".into()`).join(", ")}];
        Ok(Command { command, args, env: tree.shell_env() })
    }
}

zed::register_extension!(Configc);`;
}

export const zed: Entry = {
  id: "zed",
  name: "Zed",
  goes: "a repository of its own, added to zed-industries/extensions as a submodule; registry/extensions.toml is added to the file there",
  files: (facts) => ({
    ...zedExtension(facts),
    LICENSE: readFileSync(`${root}LICENSE`, "utf8"),
    "registry/extensions.toml": `[configc]\nsubmodule = "extensions/configc"\nversion = "${facts.version}"\n`,
  }),
  problems(files) {
    const manifest = parse(files["extension.toml"] ?? "") as Record<string, unknown>;
    const problems = ["id", "name", "version", "schema_version", "authors", "description", "repository"]
      .filter((member) => !(member in manifest))
      .map((member) => `\`${member}\` is missing in extension.toml`);
    if (/zed|extension/i.test(`${manifest["id"]} ${manifest["name"]}`))
      problems.push("id and name may say neither “zed” nor “extension”");
    for (const [name, { rev }] of Object.entries(manifest["grammars"] as Record<string, { rev: string }>))
      if (!/^[\da-f]{40}$/.test(rev)) problems.push(`the grammar \`${name}\` names no commit`);
    if (!/^\s*Apache License\s+Version 2\.0/.test(files["LICENSE"] ?? ""))
      problems.push("a licence that is accepted is missing");
    const folders = Object.keys(files)
      .filter((path) => /^languages\/.*\/config\.toml$/.test(path))
      .map((path) => path.replace("config.toml", ""));
    for (const folder of folders)
      if (files[`${folder}highlights.scm`] === undefined) problems.push(`${folder} has no highlights.scm`);
    const { version } =
      (parse(files["registry/extensions.toml"] ?? "") as Record<string, { version?: string }>)["configc"] ??
      {};
    if (version !== manifest["version"]) problems.push("the registry's version isn't that of extension.toml");
    const names = Object.entries(files)
      .filter(([path]) => /^languages\/.*\.toml$/.test(path))
      .map(([, text]) => (parse(text) as { name?: string }).name);
    const servers = manifest["language_servers"] as Record<string, { languages: string[] }>;
    for (const { languages } of Object.values(servers))
      for (const name of languages)
        if (!names.includes(name)) problems.push(`there is no language \`${name}\``);
    parse(files["Cargo.toml"] ?? "");
    return problems;
  },
  missing: (facts) => [
    ...missingAddresses(facts),
    "a build by `cargo build --target wasm32-wasip2`, and a look at it as a dev extension: both were never done",
  ],
};
