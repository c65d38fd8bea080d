/** The generated modules, and what they have to be. */
export function validators(): readonly { readonly path: string; readonly text: string }[];
