/** ` name="value"` for each member. */
export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${xmlText(`${value}`).replace(/[\t\r\n]/g, (blank) => `&#${blank.charCodeAt(0)};`)}"`,
    )
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML has no way to write control characters and lone surrogates. */
export function xmlText(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");
}
