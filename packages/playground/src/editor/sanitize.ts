const allowed = new Set(
  "a b blockquote br code del em h1 h2 h3 h4 hr i li ol p pre span strong table tbody td th thead tr ul".split(
    " ",
  ),
);

/**
 * HTML made of Markdown, without anything that acts: a shared document may have any text in its names and comments. The page's
 * policy stops scripts anyway; this also stops forms, frames and pictures from elsewhere.
 */
export function sanitize(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    if (!allowed.has(element.localName)) {
      element.replaceWith(element.textContent ?? "");
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      if (name === "class") continue;
      if (element.localName === "a" && name === "href" && /^https?:/i.test(value)) continue;
      element.removeAttribute(name);
    }
    if (element.localName === "a") {
      element.setAttribute("target", "_blank");
      element.setAttribute("rel", "noreferrer");
    }
  }
  return body.innerHTML;
}
