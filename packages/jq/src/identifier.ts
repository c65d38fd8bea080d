/** Whether a program can say a name without quotes: `.name`, `{name: …}`. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** A name as the key of an object in a program. */
export function keyText(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}
