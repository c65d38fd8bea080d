import type { App } from "@configc/compiler";

/** Whether a program stopped with an `error(…)` of its own: a decision of the app, as an `!error` is one. */
export function isOwnError(
  { commands }: App,
  { pointer, message }: { readonly pointer: string; readonly message: string },
): boolean {
  const at = [...message.matchAll(/\(at character (\d+) of the program\)/g)].at(-1)?.[1];
  const text = Object.hasOwn(commands, pointer) ? commands[pointer]?.program?.text : undefined;
  return at !== undefined && text !== undefined && /^error\b/.test(text.slice(Number(at) - 1));
}
