import type { Sample } from "./samples.ts";

/** The content of the file of one sample, as `readSamples` reads it. */
export function sampleContent({ method, url, status, body }: Sample): string {
  return `${JSON.stringify({ request: { method, url }, response: { status, body } }, undefined, 2)}\n`;
}

/** A name for the file of a sample that says what it is: `get-v1-items.json`, and with a number if it is taken. */
export function sampleFileName({ method, url }: Sample, isTaken: (name: string) => boolean): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  const words = `${method}${path}`.toLowerCase().match(/[a-z\d]+/g) ?? [];
  const base = words.join("-").slice(0, 80);
  if (!isTaken(`${base}.json`)) return `${base}.json`;
  for (let number = 2; ; number++) {
    const name = `${base}-${number}.json`;
    if (!isTaken(name)) return name;
  }
}
