import type { Exchange } from "@configc/language-server";

/**
 * A request as a command for a shell. What authorises stays masked: whoever sends it puts their own in.
 *
 * @param body whole; undefined for none
 */
export function curlOf({ method, url, headers }: Exchange, body: unknown): string {
  const data = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const parts = [
    `curl ${methodOption(method, data)}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${quoted(data)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** What curl does anyway isn't said. */
function methodOption(method: string, data: string | undefined): string {
  if (method === "HEAD") return "--head ";
  return method === (data === undefined ? "GET" : "POST") ? "" : `-X ${method} `;
}

/** For the shells of Unix: nothing means anything between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
