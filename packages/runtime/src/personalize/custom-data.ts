import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Log } from "../effects.ts";
import type { RunContext, RunPlace } from "../step.ts";
import { personalize } from "./personalize.ts";

/**
 * What `custom_data` gives in a run: where a pipeline has a contact, personalised texts have its fields filled in (D38), when they
 * are read for the first time.
 *
 * @param node JSON Pointer of the command that runs
 * @param log is told ids that the contact doesn't have
 */
export function customDataOf(
  { workflows }: App,
  node: string,
  place: RunPlace,
  { custom_data, contact }: RunContext,
  log: Log,
): () => Json | undefined {
  const isPipeline = place === "source" || place === "target";
  if (!isPipeline || contact === undefined) return () => custom_data;
  let filled: { readonly data: Json | undefined } | undefined;
  const fill = (): { readonly data: Json | undefined } => {
    const workflow = workflows.find(({ pointer }) => node.startsWith(`${pointer}/`));
    const data = personalize(custom_data, workflow?.setup.select?.fields ?? [], contact, (unknown, field) =>
      log.write({
        pointer: field.pointer,
        message: `\`%${unknown}%\` in \`${field.id}\` isn't a field of the contact, so it stays as typed.`,
      }),
    );
    return { data };
  };
  return () => {
    filled ??= fill();
    return filled.data;
  };
}
