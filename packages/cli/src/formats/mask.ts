import type { RenderedDiagnostic } from "@configc/compiler";

/** Rules whose findings point at a secret. */
const secretRules: ReadonlySet<string> = new Set(["security/plain-secret", "security/secret-in-url"]);

/** Whether a finding points at a secret. */
export function isAboutSecret({ rule }: RenderedDiagnostic): boolean {
  return secretRules.has(rule);
}

/**
 * A document's text with the secrets that findings point at made unreadable, in as many characters: a report may show the lines
 * around a finding, and ends up in logs (D29).
 */
export function withoutSecrets(text: string, diagnostics: readonly RenderedDiagnostic[]): string {
  return diagnostics.filter(isAboutSecret).reduce((masked, { range: { start, end } }) => {
    const secret = masked.slice(start.offset, end.offset).replace(/[^\s"]/g, "•");
    return masked.slice(0, start.offset) + secret + masked.slice(end.offset);
  }, text);
}
