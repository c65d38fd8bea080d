import { compile, render, type Samples, type Settings } from "@configc/compiler";
import type { CheckedFile } from "./report.ts";

/**
 * Checks one document.
 *
 * @param source its text or bytes
 * @param options.fixes whether the findings carry their fixes
 */
export function checkText(
  path: string,
  source: string | Uint8Array,
  settings: Partial<Settings>,
  samples: Samples,
  options: { readonly fixes: boolean },
): CheckedFile {
  const { model, diagnostics } = compile(source, { uri: path, settings, samples });
  return {
    path,
    text: model.document.text,
    diagnostics: diagnostics.map((diagnostic) => render(model, diagnostic, options)),
    fixed: 0,
  };
}
