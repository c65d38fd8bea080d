/** "a", "a or b", "a, b or c" */
export function either(names: readonly string[]): string {
  return joined(names, "or");
}

/** "a", "a and b", "a, b and c" */
export function all(names: readonly string[]): string {
  return joined(names, "and");
}

function joined(names: readonly string[], last: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}

/** "1 file", "2 files" */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
