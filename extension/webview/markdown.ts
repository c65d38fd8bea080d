import { element } from "./element.ts";

const signs = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g;

/** The few signs of Markdown that help texts use: bold, emphasis, code and links to the web. All else is text. */
export function markdown(text: string): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(signs)) {
    const [all, strong, emphasis, code, label, href] = match;
    parts.push(text.slice(at, match.index));
    at = match.index + all.length;
    if (label !== undefined && href !== undefined) parts.push(element("a", { href }, [label]));
    else if (strong !== undefined) parts.push(element("strong", {}, [strong]));
    else if (emphasis !== undefined) parts.push(element("em", {}, [emphasis]));
    else parts.push(element("code", {}, [code ?? ""]));
  }
  return [...parts, text.slice(at)];
}
