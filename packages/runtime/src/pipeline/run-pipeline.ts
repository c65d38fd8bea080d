import type { AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { transform } from "../mapping/transform.ts";
import type { RunCommand, RunOptions } from "../run-options.ts";

/** What the parts of a data pipeline gave for one item. */
export interface PipelineResult {
  readonly source: Json;
  /** Null where the item was skipped. */
  readonly transformed: Json;
  readonly target: Json;
}

/**
 * Runs the data pipeline of a workflow for one item: `source`, the transform by the saved mapping (D37), `target`. A source that
 * gives `null` skips the item (D35).
 *
 * @param options `input` is the item; `context.mapping` the saved mapping (D36), `context.contact` the contact of an outbound one
 * @throws RunError of the part that fails
 */
export async function runPipeline(
  runtime: { readonly run: RunCommand },
  { source, target, setup }: AppWorkflow,
  options: RunOptions = {},
): Promise<PipelineResult> {
  const item = options.input ?? null;
  const made = source === undefined ? item : await runtime.run(source, { ...options, input: item });
  if (made === null) return { source: null, transformed: null, target: null };
  const transformed = transform(made, setup.map, options.context?.mapping);
  const given = target === undefined ? null : await runtime.run(target, { ...options, input: transformed });
  return { source: made, transformed, target: given };
}
