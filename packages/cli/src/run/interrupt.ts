/** A signal that Ctrl-C aborts, so that a run ends in good order; a second Ctrl-C ends the process as ever. */
export function interruptible(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onInterrupt = (): void => controller.abort(new Error("Ctrl-C"));
  process.once("SIGINT", onInterrupt);
  return { signal: controller.signal, end: () => void process.off("SIGINT", onInterrupt) };
}
