import type { PayloadSample, Sample } from "../options/samples.ts";

/** The content of the file of one sample, as `readSamples` reads it. */
export function sampleContent(sample: Sample | PayloadSample): string {
  return `${JSON.stringify(contentOf(sample), undefined, 2)}\n`;
}

function contentOf(sample: Sample | PayloadSample): object {
  if ("webhook" in sample) {
    const { webhook, numbered, payload } = sample;
    return { webhook, ...(numbered === undefined ? {} : { numbered }), payload };
  }
  const { method, url, status, body } = sample;
  return { request: { method, url }, response: { status, body } };
}

/**
 * A name for the file of a sample that says what it is: `get-v1-items.json`, `webhook-order-created.json`; with a number if it
 * is taken.
 */
export function sampleFileName(sample: Sample | PayloadSample, isTaken: (name: string) => boolean): string {
  const words =
    titleOf(sample)
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? [];
  const base = words.join("-").slice(0, 80);
  if (!isTaken(`${base}.json`)) return `${base}.json`;
  for (let number = 2; ; number++) {
    const name = `${base}-${number}.json`;
    if (!isTaken(name)) return name;
  }
}

function titleOf(sample: Sample | PayloadSample): string {
  if ("webhook" in sample) return `webhook ${sample.webhook}`;
  const path = sample.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  return `${sample.method}${path}`;
}
