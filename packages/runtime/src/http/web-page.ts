import { HttpFailure } from "../http-failure.ts";
import type { Hop } from "./redirect.ts";

/** An answer that is a page for people where data was asked for: a login, a notice of maintenance, a proxy's excuse (E74). */
export class WebPage extends HttpFailure {
  /** Of the answer; below 400. */
  readonly status: number;

  constructor(status: number, contentType: string, text: string) {
    const title = /<title[^>]*>\s*([^<]{1,100})/i.exec(text.slice(0, LONGEST_HEAD))?.[1];
    const said = title === undefined ? "" : `: “${title.trim()}”`;
    super(
      "web-page",
      `answered ${status} with a web page (${contentType.replace(/;.*/s, "")}) instead of data${said}`,
    );
    this.status = status;
  }
}

/** UTF-16 units in which a title is looked for. */
const LONGEST_HEAD = 10_000;

/** Whether a text is a web page that the request didn't ask for. A bit of HTML is none: services give those as data. */
export function isWebPage(text: string, { headers }: Hop): boolean {
  if (!/^\s*<(?:!doctype html|html[\s>])/i.test(text)) return false;
  return !Object.entries(headers).some(([name, value]) => /^accept$/i.test(name) && /html/i.test(value));
}
