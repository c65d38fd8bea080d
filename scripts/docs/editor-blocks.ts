import { extname } from "node:path";
import { helixLanguages } from "../registries/entries/helix.ts";
import { fileTypes, lspConfig } from "../registries/entries/nvim-lspconfig.ts";
import { zedExtension } from "../registries/entries/zed.ts";
import { readFacts } from "../registries/facts.ts";
import { between } from "./markdown.ts";

/** `docs/editors.md` with the set-ups that registries get too. */
export function withEditorBlocks(page: string, read: (path: string) => string): string {
  const facts = readFacts(read);
  const neovim = [
    `vim.lsp.config("configc", ${lspConfig(facts)})`,
    fileTypes(facts),
    'vim.lsp.enable("configc")',
  ].join("\n");
  const zed = Object.entries(zedExtension(facts)).map(([path, text]) => {
    const [language, comment] = languages[extname(path)] ?? ["text", "#"];
    return block(language, `${comment} ${path}\n${text.trimEnd()}`);
  });
  const blocks = {
    neovim: block("lua", neovim),
    helix: block("toml", helixLanguages(facts)),
    zed: zed.join("\n\n"),
  };
  return Object.entries(blocks).reduce((text, [name, content]) => between(text, name, content), page);
}

/** By the end of a file's name: the word behind a fence, and what begins a comment. */
const languages: Readonly<Record<string, readonly [fence: string, comment: string]>> = {
  ".toml": ["toml", "#"],
  ".rs": ["rust", "//"],
  ".scm": ["scheme", ";"],
};

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
