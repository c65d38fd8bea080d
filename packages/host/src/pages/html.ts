/** Markup. What is put into it is text, and escaped, unless it is markup itself. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | undefined | readonly Content[];

/** Markup from a template: values are escaped. Attribute values have to stand in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? "");
  return new Html(text);
}

function textOf(value: Content): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The few signs of Markdown that help texts use: bold, emphasis, code and links to the web. */
export function markdown(text: string | undefined): Content {
  if (text === undefined) return undefined;
  const pattern = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g;
  const parts: Content[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, strong, emphasis, code, label, href] = match;
    parts.push(text.slice(at, match.index));
    at = match.index + all.length;
    if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`);
    else if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else parts.push(html`<a href="${href}" rel="noreferrer noopener">${label}</a>`);
  }
  return [...parts, text.slice(at)];
}
