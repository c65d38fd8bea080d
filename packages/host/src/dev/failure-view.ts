import { RunError, SetupError } from "@configc/runtime";
import { LoginError } from "../login/error.ts";
import { type Content, html } from "../pages/html.ts";
import { PageError } from "./site.ts";

/** Whether an error is one to be shown; others are mistakes of ours. */
export function isTold(error: unknown): error is RunError | SetupError | LoginError | PageError {
  return (
    error instanceof RunError ||
    error instanceof SetupError ||
    error instanceof LoginError ||
    error instanceof PageError
  );
}

/** What went wrong, and where in the config. */
export function failureView(error: unknown): Content {
  if (error instanceof SetupError) return error.issues.map(({ message }) => html`<p>${message}</p>`);
  if (!(error instanceof RunError))
    return html`<p>${error instanceof Error ? error.message : String(error)}</p>`;
  const { kind, message, source, pointer } = error;
  const place = source === undefined ? "" : `${source.file}:${source.line}:${source.column}`;
  return html`<p><strong>${kind}</strong>: ${message}</p>
${pointer === "" ? "" : html`<p class="soft">at <code>${pointer}</code> ${place}</p>`}`;
}
