/** The formats of `check`, as data; `formatters` has their code. */
interface FormatSpec {
  readonly summary: string;
  /** Whether it shows fixes, which are computed only if asked for. */
  readonly showsFixes: boolean;
}

export const formats = {
  pretty: { summary: "source lines with carets, for people", showsFixes: true },
  compact: { summary: "one line a finding", showsFixes: false },
  json: { summary: "everything, for programs", showsFixes: true },
  sarif: { summary: "SARIF 2.1.0, for code scanning", showsFixes: true },
  github: { summary: "annotations of a GitHub workflow", showsFixes: false },
  gitlab: { summary: "GitLab Code Quality", showsFixes: false },
  junit: { summary: "JUnit XML, for test reports", showsFixes: false },
} as const satisfies Record<string, FormatSpec>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];
