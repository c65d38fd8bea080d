import { type Content, type Html, html } from "./html.ts";

/** What a page shows between what all have around them. */
export interface Shown {
  readonly title: string;
  readonly body: Content;
}

/** What all pages have around them. */
interface Frame {
  readonly app: string;
  readonly file: string;
  /** Why the config as it is now isn't the one that runs. */
  readonly problem: string | undefined;
}

/** A whole page. `above` stands on top: what was done, or why it wasn't. */
export function page({ app, file, problem }: Frame, title: string, body: Content, above?: Content): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${app}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<header class="top"><div><strong><a href="/">${app}</a></strong><span>${file} on this machine</span></div></header>
<main>
${problem === undefined ? "" : staleNotice(problem)}
${above}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** A message on top of a page. */
export function notice(text: Content, kind: "good" | "bad" = "bad"): Html {
  return html`<div class="card notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${text}</div>`;
}

function staleNotice(problem: string): Html {
  return notice(
    html`The config has changed, and can't be used as it is: the last version that could goes on running.<pre>${problem}</pre>`,
  );
}

/** A button that does something: a form of its own, because pages have no script. */
export function button(action: string, label: string, options: { main?: boolean } = {}): Html {
  return html`<form method="post" action="${action}"><button class="${options.main === true ? "main" : ""}">${label}</button></form>`;
}

/** Beside the label of what has to be filled in; its control says so itself. */
export const required: Html = html` <span class="required" aria-hidden="true" title="required">*</span>`;

/** A time as people on this machine read it. */
export function time(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** JSON for people, cut where nobody would read on. */
export function pretty(value: unknown): Html {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return html`<pre>${text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text}</pre>`;
}

const statusColours: Readonly<Record<string, string>> = {
  active: "good",
  done: "good",
  delivered: "good",
  failed: "bad",
  unroutable: "bad",
  skipped: "soft",
  removed: "soft",
  cancelled: "soft",
};

/** A status with its colour; the word says it too. */
export function state(status: string): Html {
  return html`<span class="state ${statusColours[status] ?? "wait"}">${status}</span>`;
}
