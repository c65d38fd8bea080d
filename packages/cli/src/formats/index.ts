import type { Format } from "./format.ts";

/** Every format of `check`; the code of one is loaded when it is used. */
export const formats = {
  pretty: {
    summary: "source lines with carets, for people",
    fixes: true,
    load: () => import("./pretty.ts"),
  },
  compact: { summary: "one line a finding", fixes: false, load: () => import("./compact.ts") },
  json: { summary: "everything, for programs", fixes: true, load: () => import("./json.ts") },
  sarif: {
    summary: "SARIF 2.1.0, for code scanning",
    fixes: true,
    load: () => import("./sarif.ts"),
  },
  github: {
    summary: "annotations of a GitHub workflow",
    fixes: false,
    load: () => import("./github.ts"),
  },
  gitlab: { summary: "GitLab Code Quality", fixes: false, load: () => import("./gitlab.ts") },
  junit: { summary: "JUnit XML, for test reports", fixes: false, load: () => import("./junit.ts") },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];
