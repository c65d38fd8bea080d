import { compile, render, type Samples, type Settings } from "@configc/compiler";
import { becauseOf } from "@configc/compiler/internal";
import type { CheckedFile } from "./report.ts";

/**
 * Checks one document.
 *
 * @param source its text or bytes
 * @param options.fixes whether the findings carry their fixes
 * @param options.because whether they say where the types come from
 */
export function checkText(
  path: string,
  source: string | Uint8Array,
  settings: Partial<Settings>,
  samples: Samples,
  options: { readonly fixes: boolean; readonly because?: boolean },
): CheckedFile {
  const { model, diagnostics } = compile(source, { uri: path, settings, samples });
  return {
    path,
    text: model.document.text,
    diagnostics: diagnostics.map((diagnostic) => {
      const rendered = render(model, diagnostic, options);
      const because = options.because === true ? becauseOf(model, diagnostic) : [];
      return because.length === 0 ? rendered : { ...rendered, because };
    }),
    fixed: 0,
  };
}
