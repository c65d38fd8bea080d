import { pages } from "@configc/host/internal";
import type { Operator } from "./access.ts";

const { html } = pages;

const LINKS = [
  ["./", "Overview"],
  ["failing", "Failing"],
  ["items", "Failed items"],
  ["runs", "Runs"],
  ["saved-runs", "Saved runs"],
  ["acts", "Acts"],
] as const;

interface FrameOptions {
  readonly operator?: Operator;
  /** Where all pages are, seen from this one: links are relative to it, wherever that is. */
  readonly base: string;
  /** The page's own link. */
  readonly at?: string;
  /** Stands on top: what was done, or why it wasn't. */
  readonly above?: pages.Content;
}

/** A whole page of the operators'. */
export function frame(title: string, body: pages.Content, options: FrameOptions): string {
  return `${frameHead(title, options)}${html`${body}`.text}${FRAME_END}`;
}

/** Ends what `frameHead` begins. */
export const FRAME_END = "</main></body></html>\n";

/** A page up to what it is about, so that it is there before that is known. */
export function frameHead(title: string, { operator, base, at, above = "" }: FrameOptions): string {
  const search = html`<form role="search" action="search"><label class="hidden" for="q">Installation, customer, run or item</label>
<input id="q" name="q" type="search" placeholder="Installation, customer, run or item" required><button>Search</button></form>`;
  const links = LINKS.map(
    ([path, label]) => html`<a href="${path}"${path === at ? html` aria-current="page"` : ""}>${label}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${base}">
<title>${title} · configc</title>
<link rel="stylesheet" href="style.css">
<link rel="icon" href="data:,">
</head>
<body>
<header class="top"><div><strong><a href="./">configc</a></strong>${operator === undefined ? "" : html`<nav aria-label="Pages">${links}</nav>${search}`}</div></header>
<main>
${above}
<h1>${title}</h1>
`.text;
}

/** @param path of a page, from where all pages are */
export function baseOf(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}

/** What the shared style doesn't have. */
export const ownStyle = `
header.top div { max-width: 72rem; align-items: center; } main { max-width: 72rem; }
nav { display: flex; gap: .9rem; flex-wrap: wrap; } nav a { color: var(--text); } nav a[aria-current] { color: var(--accent); font-weight: 600; }
header.top form { display: flex; gap: .4rem; margin-left: auto; } header.top input { width: 17rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: 0; }
.numbers div { display: flex; flex-direction: column-reverse; } .numbers dt { color: var(--soft); font-size: .9rem; } .numbers dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
form.act { display: flex; gap: .4rem; flex-wrap: wrap; align-items: center; } form.act input { max-width: 18rem; }
`;
