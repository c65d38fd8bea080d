import { type Entry, missingAddresses } from "../entry.ts";
import { type Facts, UNKNOWN_ADDRESS } from "../facts.ts";

/** A configuration as `vim.lsp.config` takes it (Neovim 0.11 or newer). */
export function lspConfig({ server, languageId, rootMarkers }: Facts): string {
  return [
    "{",
    `  cmd = ${list(server)},`,
    `  filetypes = ${list([languageId])},`,
    `  root_markers = ${list(rootMarkers)},`,
    "}",
  ].join("\n");
}

/** The same for people who have configc in a project rather than on the PATH: the project's own comes first, as with other servers from npm. */
function ownFirst({ server: [command, ...args], languageId, rootMarkers }: Facts): string {
  return `{
  cmd = function(dispatchers, config)
    local cmd = '${command}'
    if (config or {}).root_dir then
      local local_cmd = vim.fs.joinpath(config.root_dir, 'node_modules/.bin', cmd)
      if vim.fn.executable(local_cmd) == 1 then
        cmd = local_cmd
      end
    end
    return vim.lsp.rpc.start({ cmd, ${args.map((arg) => `'${arg}'`).join(", ")} }, dispatchers)
  end,
  filetypes = ${list([languageId])},
  root_markers = ${list(rootMarkers)},
}`;
}

/** Has Neovim give configs their file type: a pattern of Lua for each pattern of names. */
export function fileTypes({ patterns, languageId }: Facts): string {
  const entries = patterns.map((pattern) => `["${luaPattern(pattern)}"] = "${languageId}"`);
  return `vim.filetype.add({ pattern = { ${entries.join(", ")} } })`;
}

export const nvimLspconfig: Entry = {
  id: "nvim-lspconfig",
  name: "nvim-lspconfig",
  goes: "a pull request to neovim/nvim-lspconfig",
  files: (facts) => ({
    "lsp/configc.lua": [
      "---@brief",
      "---",
      `--- ${facts.homepage ?? UNKNOWN_ADDRESS}`,
      "---",
      `--- ${facts.description}. Install it with \`npm install -g configc\`, or in a project, whose own comes first.`,
      "---",
      "--- Neovim doesn't know the file type; add it:",
      "--- ```lua",
      `--- ${fileTypes(facts)}`,
      "--- ```",
      "",
      "---@type vim.lsp.Config",
      `return ${ownFirst(facts)}`,
      "",
    ].join("\n"),
  }),
  problems: (files) => {
    const text = files["lsp/configc.lua"] ?? "";
    const problems: string[] = [];
    if (!text.startsWith("---@brief")) problems.push("its documentation is read from `---@brief`");
    if (!/^return \{$/m.test(text)) problems.push("it has to return a table");
    for (const member of ["cmd", "filetypes", "root_markers"])
      if (!new RegExp(`^ {2}${member} = `, "m").test(text)) problems.push(`\`${member}\` is missing`);
    return problems;
  },
  missing: (facts) => [
    ...missingAddresses(facts),
    "a hundred stars, or another sign that people use it: a criterion for new servers there",
  ],
};

function list(items: readonly string[]): string {
  return `{ ${items.map((item) => `'${item}'`).join(", ")} }`;
}

/** A glob such as `*.app.json` as a pattern of Lua, in which `%` escapes. */
function luaPattern(glob: string): string {
  return glob.replaceAll(".", "%.").replaceAll("*", ".*");
}
