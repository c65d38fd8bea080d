import type { Failure, PartReport } from "../report.ts";
import { writeWorld } from "./saved-world.ts";

/** A case of a test file (`configc test`) that runs a workflow in one world: it fails as long as a law breaks there. */
export interface WorldCase {
  readonly name: string;
  /** A path of names. */
  readonly run: string;
  readonly world: { readonly [name: string]: unknown };
}

/** What a simulation found as a case that keeps it from coming back. */
export function testCaseOf({ workflow }: Pick<PartReport, "workflow">, failure: Failure): WorldCase {
  const { law, message, world } = failure;
  return {
    name: `${workflow}, ${law}: ${message}`,
    run: nodeOf(workflow),
    world: writeWorld(world),
  };
}

/** A workflow as `configc run` names it. */
export function nodeOf(workflow: string): string {
  return `workflows.${/^[\w-]+$/.test(workflow) ? workflow : JSON.stringify(workflow)}`;
}
