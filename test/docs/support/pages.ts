import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Folders in which no page of ours stands. */
const foreign = new Set([
  "node_modules",
  "dist",
  ".git",
  ".cache",
  ".pages",
  ".vscode-test",
  "fixtures",
  "corpus",
]);

/** A fenced block of a page. */
export interface Block {
  /** From the repository's root. */
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: the name of a file, where a fragment belongs, what a command gives (CONTRIBUTING.md). */
  readonly meta: string;
  readonly text: string;
}

/** Every Markdown page of the repository, from its root, sorted. */
export function allPages(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return foreign.has(entry.name) ? [] : allPages(path);
      return entry.name.endsWith(".md") ? [relative(root, path).replaceAll("\\", "/")] : [];
    })
    .sort();
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The fenced blocks of a page in their order. A fence is closed by one of the same length at least. */
export function blocksOf(page: string, text = readPage(page)): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly line: number; readonly info: string } | undefined;
  let lines: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, fence = "", info = ""] = /^(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== "") open = { fence, line: index + 1, info: info.trim() };
    } else if (fence.length >= open.fence.length && info.trim() === "") {
      const [, language = "", meta = ""] = /^(\S*)\s*(.*)$/.exec(open.info) ?? [];
      blocks.push({ page, line: open.line, language, meta, text: lines.map((each) => `${each}\n`).join("") });
      open = undefined;
      lines = [];
    } else lines.push(line);
  }
  return blocks;
}

/** A page without its blocks and inline code: what a reader reads as text. */
export function proseOf(text: string): string {
  return text.replace(/^(`{3,})[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "code");
}
