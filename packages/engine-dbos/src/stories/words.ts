import type { Story, StoryCommand, StoryRequest } from "./story.ts";

/** A story as lines of a terminal: each command with its requests, then the state. */
export function storyLines(story: Story): readonly string[] {
  const { worker, begun, ended, outcome, commands, left, state } = story;
  const lines = [`${outcome} by ${worker} in ${ended - begun} ms`];
  for (const [at, command] of commands.entries()) {
    if (left !== undefined && at === Math.floor(commands.length / 2)) lines.push(`… ${left} more commands`);
    lines.push(...commandLines(command));
  }
  if (state !== undefined) {
    lines.push(`state before: ${state.before}`);
    lines.push(state.after === undefined ? "state after: the same" : `state after:  ${state.after}`);
  }
  return lines;
}

function commandLines({ node, item, milliseconds, requests, left, saved = [], failure }: StoryCommand) {
  const lines = [`${node}${item === undefined ? "" : `, item ${item}`}, ${milliseconds} ms`];
  for (const [at, request] of requests.entries()) {
    if (left !== undefined && at === Math.floor(requests.length / 2)) lines.push(`  … ${left} more requests`);
    lines.push(`  ${requestText(request)}`);
  }
  for (const one of saved) lines.push(`  saved for the ${one}`);
  if (failure !== undefined) lines.push(`  failed: ${failure}`);
  return lines;
}

/** `GET https://… → 200, 12 ms, 431 characters` */
export function requestText({
  method,
  url,
  status,
  failure,
  milliseconds,
  length,
  waited,
}: StoryRequest): string {
  const answer = status ?? failure ?? "no answer";
  const facts = [
    ...(milliseconds === undefined ? [] : [`${milliseconds} ms`]),
    ...(length === undefined ? [] : [`${length} characters`]),
    ...(waited === undefined ? [] : [`after ${waited.milliseconds} ms for ${waited.reason}`]),
    ...(status === undefined || failure === undefined ? [] : [failure]),
  ];
  return [`${method} ${url} → ${answer}`, ...facts].join(", ");
}
