import type { Attributes, Meter, MetricOptions } from "@opentelemetry/api";

/** Seconds: an SDK's own buckets are for milliseconds. From a short wait to a day late. */
const SECONDS: MetricOptions = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400,
    ],
  },
};

/** Takes one value after the other. */
type Recorder = (value: number, attributes: Attributes) => void;

/** A value with what it is of, as it is when somebody asks. */
export interface Level {
  readonly value: number;
  readonly attributes: Attributes;
}

/** The instruments of several meters as one: what is measured goes to the SDK of the process and to `/metrics`. */
export class Instruments {
  readonly #meters: readonly Meter[];

  constructor(meters: readonly Meter[]) {
    this.#meters = meters;
  }

  counter(name: string, description: string): Recorder {
    const all = this.#meters.map((meter) => meter.createCounter(name, { description }));
    return (value, attributes) => {
      for (const each of all) each.add(value, attributes);
    };
  }

  /** Of seconds. */
  histogram(name: string, description: string): Recorder {
    const all = this.#meters.map((meter) => meter.createHistogram(name, { ...SECONDS, description }));
    return (value, attributes) => {
      for (const each of all) each.record(value, attributes);
    };
  }

  /** @param read asked whenever the levels are collected; what it throws is the SDK's to tell */
  level(name: string, description: string, read: () => Promise<readonly Level[]>, unit = ""): void {
    for (const meter of this.#meters)
      meter.createObservableGauge(name, { description, unit }).addCallback(async (result) => {
        for (const { value, attributes } of await read()) result.observe(value, attributes);
      });
  }
}
