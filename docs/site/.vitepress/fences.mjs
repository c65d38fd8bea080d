// Blocks say in their mark what a reader has to know: the file that they are, or that they are output (CONTRIBUTING.md).

/** @param {import("markdown-it").default} md */
export function fences(md) {
  const plain = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    const [, language = "", meta = ""] = /^(\S*)\s*(.*)$/.exec(token.info) ?? [];
    const pointer = /(?:^|\s)(\/\S*)$/.exec(meta)?.[1];
    const name = /^([\w.-]+\.\w+)(?:\s|$)/.exec(meta)?.[1] ?? (pointer && `at ${pointer}`);
    token.info = highlighting(language);
    const html = plain(tokens, index, ...rest).replace(
      '<span class="lang">appconfig</span>',
      '<span class="lang">json</span>',
    );
    if (meta === "output") return `<div class="output">${inColour(html)}</div>`;
    if (name === undefined) return html;
    return `<div class="named"><div class="file-name">${md.utils.escapeHtml(name)}</div>${html}</div>`;
  };
}

/** Lines of output in the colours that a terminal shows them in: levels, marks and carets. */
function inColour(html) {
  return html.replace(/(<span class="line"><span[^>]*>)(.*?)(?=<\/span>)/g, (_, open, text) => {
    const [, level, rest] = /^(error|warning|info|hint)(:.*)$/.exec(text) ?? [];
    if (level !== undefined) return `${open}<b class="${level}">${level}</b><b>${rest}</b>`;
    return (
      open +
      text
        .replace(
          /^(\s*)([✓✗])/,
          (_all, blank, mark) => `${blank}<b class="${mark === "✓" ? "good" : "error"}">${mark}</b>`,
        )
        .replace(/\^+$/, (carets) => `<b class="error">${carets}</b>`)
        .replace(/(?<=[├╰]─ )(fix|help|because)(?=:)/, "<b>$1</b>")
    );
  });
}

/** JSON is coloured as in the editor: with the expansions and the jq in its strings. */
function highlighting(language) {
  return { json: "appconfig", jsonc: "appconfig" }[language] ?? language;
}
