/** An element with attributes and what is in it; texts stay texts. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  inner: readonly (Node | string)[],
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

/** Text with `code` in backquotes. */
export function prose(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, [part]) : part));
}
