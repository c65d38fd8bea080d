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
export type RecordedCase = { readonly name: string; readonly run: string } & Readonly<
  Record<string, unknown>
>;

export const examples: readonly Example[] = bundled;

export function exampleById(id: string | null): Example | undefined {
  return examples.find((example) => example.id === id);
}
