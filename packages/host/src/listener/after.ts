/** A time that passes, unless it is ended: it keeps no process alive then. @param milliseconds until it has passed */
export function after(milliseconds: number): { readonly passed: Promise<void>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds));
  });
  return { passed, end: () => clearTimeout(timer) };
}
