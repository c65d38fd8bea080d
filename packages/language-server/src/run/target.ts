import type { App, Model } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { nodeKind } from "@configc/runtime/internal";
import type { RunStepParams } from "./protocol.ts";

/** What is run: the app, maybe changed for this run, and where in it. */
interface Target {
  readonly app: App;
  readonly pointer: string;
}

/** Finds what a person named, or says why it can't be run. */
export function targetOf(
  model: Model,
  app: App,
  { node, extent, baseUrl }: RunStepParams,
): Target | { readonly problem: string } {
  const found = findNode(model, node);
  if (!("node" in found)) return { problem: `There is nothing at \`${node}\`.` };
  const pointer = pointerTo(found.node);
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) return { problem: `\`${baseUrl}\` is no URL.` };
  const placed = baseUrl === undefined ? app : { ...app, api: { ...app.api, baseUrl: [baseUrl] } };
  const target = extent === "pipe" ? pipeUntil(placed, pointer) : { app: placed, pointer };
  return nodeKind(target.app, target.pointer) === undefined
    ? { problem: `\`${node}\` isn't a command, a polling intake or a workflow.` }
    : target;
}

/** The pipe around a step, without what comes after it. A step in no pipe is run alone. */
function pipeUntil(app: App, pointer: string): Target {
  for (const [id, command] of Object.entries(app.commands)) {
    const at = command.key === "!pipe" ? (command.children ?? []).indexOf(pointer) : -1;
    if (at < 0) continue;
    const children = command.children?.slice(0, at + 1) ?? [];
    return { app: { ...app, commands: { ...app.commands, [id]: { ...command, children } } }, pointer: id };
  }
  return { app, pointer };
}
