import type { Labels } from "./parse.ts";

export interface Sample {
  /** Seconds. */
  readonly at: number;
  readonly value: number;
}

export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly samples: Sample[];
}

/** What was scraped, as Prometheus keeps it. */
export class Samples {
  readonly #series = new Map<string, Series>();

  /** @param text what a worker answers at `/metrics` @param instance which worker */
  scrape(text: string, instance: string, at: number): void {
    for (const line of text.split("\n")) {
      const [, name, given = "", value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) continue;
      const labels = [...given.matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, label = "", text = ""]) => [label, text] as const,
      );
      this.add(name, { ...Object.fromEntries(labels), instance }, { at, value: Number(value) });
    }
  }

  add(name: string, labels: Labels, sample: Sample): void {
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    const known = this.#series.get(key);
    if (known === undefined) this.#series.set(key, { name, labels, samples: [sample] });
    else known.samples.push(sample);
  }

  /** Of a name, with all of the labels. */
  of(name: string, labels: Labels): readonly Series[] {
    return [...this.#series.values()].filter(
      (series) =>
        series.name === name &&
        Object.entries(labels).every(([label, value]) => series.labels[label] === value),
    );
  }
}
