/**
 * Tests written as prose: the pages of this folder. A block of code with a place is a part of a config; those of one section
 * make one config, set into a template of `configc init`. At the end of its lines a block says what the compiler says:
 *
 * - `# revealed: TYPE`: what the command on that line gives (the first on it whose key is written there)
 * - `# error: [rule]`, `# warning: [rule]`, `# hint: [rule]`: the rule has a finding that begins on that line
 *
 * No rule about types says anything else of the config, at warning level or above.
 *
 *     ```json outbound /workflows/0/data_pipeline/target    a place in a template
 *     ```json sample                                        a response or payload that is known (or `openapi`, a document)
 */
export interface Section {
  /** With the sections around it: "Commands > `!jq`". */
  readonly title: string;
  readonly line: number;
  readonly blocks: readonly Block[];
}

export interface Block {
  readonly kind: "config" | "sample" | "openapi";
  readonly template: string;
  readonly pointer: string;
  /** Without the comments. */
  readonly text: string;
  readonly comments: readonly Comment[];
  /** Of its first line in the page, from 1. */
  readonly line: number;
}

export interface Comment {
  readonly kind: "revealed" | "error" | "warning" | "hint" | "info";
  readonly text: string;
  /** In the block, from 0. */
  readonly line: number;
}

const COMMENT = /\s*#\s*(revealed|error|warning|hint|info):\s*([^#]*?)\s*$/;

/** The sections of a page that have blocks. */
export function sectionsOf(markdown: string): Section[] {
  const sections: { title: string; line: number; blocks: Block[] }[] = [];
  const titles: string[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (open !== undefined) {
      if (line !== "```") open.lines.push(line);
      else {
        sections.at(-1)?.blocks.push(...blockOf(open));
        open = undefined;
      }
      continue;
    }
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading !== null) {
      titles.splice(heading[1]!.length - 1, titles.length, heading[2]!);
      sections.push({ title: titles.filter(Boolean).join(" > "), line: index + 1, blocks: [] });
    }
    if (line.startsWith("```")) open = { info: line.slice(3), line: index + 2, lines: [] };
  }
  return sections.filter(({ blocks }) => blocks.length > 0);
}

function blockOf({ info, line, lines }: { info: string; line: number; lines: string[] }): Block[] {
  const [language, kind = "", pointer = ""] = info.trim().split(/\s+/);
  if (language !== "json" || kind === "") return [];
  const comments: Comment[] = [];
  const text = lines.map((each, at) => {
    let rest = each;
    for (let found = COMMENT.exec(rest); found !== null; found = COMMENT.exec(rest)) {
      comments.unshift({ kind: found[1] as Comment["kind"], text: found[2]!, line: at });
      rest = rest.slice(0, found.index);
    }
    return rest;
  });
  const isConfig = kind !== "sample" && kind !== "openapi";
  return [
    {
      kind: isConfig ? "config" : kind,
      template: isConfig ? kind : "",
      pointer,
      text: text.join("\n"),
      comments,
      line,
    },
  ];
}
