/** Shows `{{` as it is written: pages are templates of Vue, which would take what follows for a program. */
export function braces(md) {
  for (const rule of ["text", "code_inline"]) {
    const render = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
  }
}
