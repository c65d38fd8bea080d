import { HttpFailure } from "../effects.ts";
import type { Hop } from "./redirect.ts";

/** An answer that is a page for people where data was asked for: a login, a notice of maintenance, a proxy's excuse (E74). */
export class WebPage extends HttpFailure {
  /** Of the answer; below 400. */
  readonly status: number;

  constructor(status: number, contentType: string, text: string) {
    const type = contentType.replace(/;.*/s, "").trim() || "without a content type";
    super("web-page", `answered ${status} with a web page (${type}) instead of data${saying(text)}`);
    this.status = status;
  }
}

/** Whether a text is a web page that the request didn't ask for. A bit of HTML is none: services give those as data. */
export function isWebPage(text: string, { headers }: Hop): boolean {
  if (!/^<(?:!doctype html|html[\s>])/i.test(withoutComments(text.slice(0, LONGEST_START)))) return false;
  return !Object.entries(headers).some(([name, value]) => /^accept$/i.test(name) && /html/i.test(value));
}

/** UTF-16 units that are looked at. */
const LONGEST_START = 10_000;
const LONGEST_TITLE = 100;

/** Without the comments and blanks that a text begins with. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return "";
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

/** What the page says of itself: its title, or else its first words. */
function saying(text: string): string {
  const start = text.slice(0, LONGEST_START);
  const [, title] = /<title[^>]*>([^<]*)/i.exec(start) ?? [];
  const words = (title ?? start.replace(/<(script|style)\b.*?<\/\1>/gis, " ").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
  if (words === "") return "";
  return `: “${words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE)}…` : words}”`;
}
