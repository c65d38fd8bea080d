import { parse } from "smol-toml";
import { type Entry, missingAddresses } from "../entry.ts";
import { type Facts, UNKNOWN_ADDRESS } from "../facts.ts";

const LANGUAGE = "App config";

/** The files of an extension for Zed, by path. */
export function zedExtension(facts: Facts): Record<string, string> {
  return {
    "extension.toml": `${extension(facts)}\n`,
    "Cargo.toml": `${crate(facts)}\n`,
    [`languages/${facts.languageId}/config.toml`]: `${language(facts)}\n`,
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
rev = "master"`;
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
  goes: "a repository of its own, added to zed-industries/extensions as a submodule, beside a copy of the licence",
  files: zedExtension,
  problems(files) {
    const manifest = parse(files["extension.toml"] ?? "") as Record<string, unknown>;
    const problems = ["id", "name", "version", "schema_version", "authors", "description", "repository"]
      .filter((member) => !(member in manifest))
      .map((member) => `\`${member}\` is missing in extension.toml`);
    const names = Object.entries(files)
      .filter(([path]) => path.startsWith("languages/"))
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
    "the commit of the JSON grammar in the place of `master`",
    "a build by `cargo build --target wasm32-wasip2`: the source was never compiled",
  ],
};
