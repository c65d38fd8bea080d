import bundled from "playground:examples";

/** An app of the repository's `examples`, with the cases that are recorded for it. */
export interface Example {
  /** Name of its folder. */
  readonly id: string;
  readonly title: string;
  /** File name. */
  readonly file: string;
  readonly text: string;
  readonly cases: readonly RecordedCase[];
}

/** A case of a test file, as it is written there. */
export interface RecordedCase extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly run: string;
  readonly http?: readonly unknown[];
}

export const examples: readonly Example[] = bundled;

/** What is recorded for an example, of all its cases. */
export function exchangesOf(example: Example | undefined): readonly unknown[] {
  return (example?.cases ?? []).flatMap(({ http = [] }) => http);
}

export function exampleById(id: string | null): Example | undefined {
  return examples.find((example) => example.id === id);
}
