import type { Severity } from "@configc/compiler";
import type { Formatter } from "./format.ts";
import { relativePath } from "./paths.ts";

/** A report of GitLab Code Quality. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  /** Unique in the report. */
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "major" | "critical" | "blocker";
  readonly location: {
    readonly path: string;
    readonly lines: { readonly begin: number; readonly end: number };
  };
}

const severities: Readonly<Record<Severity, Issue["severity"]>> = {
  error: "major",
  warning: "minor",
  info: "info",
  hint: "info",
};

export const format: Formatter = ({ files }) => {
  const seen = new Map<string, number>();
  const issues = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ rule, severity, message, fingerprint, range }): Issue => {
      const own = `${relativePath(path)}:${fingerprint}`;
      const count = seen.get(own) ?? 0;
      seen.set(own, count + 1);
      return {
        description: message,
        check_name: rule,
        fingerprint: count === 0 ? own : `${own}:${count}`,
        severity: severities[severity],
        location: { path: relativePath(path), lines: { begin: range.start.line, end: range.end.line } },
      };
    }),
  );
  return `${JSON.stringify(issues, null, 2)}\n`;
};
