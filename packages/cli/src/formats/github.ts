import type { Severity } from "@configc/compiler";
import type { Formatter } from "./format.ts";
import { relativePath } from "./paths.ts";

const commands: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
  hint: "notice",
};

/** Commands that a GitHub workflow turns into annotations. */
export const format: Formatter = ({ files, notes = [] }) => {
  const findings = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ rule, severity, message, help, range: { start, end } }) => {
      const oneLine = start.line === end.line;
      const properties = {
        // Annotations show only at paths as the repository has them.
        file: relativePath(path),
        line: start.line,
        // GitHub refuses columns of a range over several lines.
        ...(oneLine ? { col: start.column } : {}),
        endLine: end.line,
        ...(oneLine ? { endColumn: end.column } : {}),
        title: rule,
      };
      const listed = Object.entries(properties).map(([name, value]) => `${name}=${property(`${value}`)}`);
      return `::${commands[severity]} ${listed.join(",")}::${data(help === undefined ? message : `${message}\n${help}`)}\n`;
    }),
  );
  const told = notes.map(
    ({ path, title, text }) =>
      `::notice file=${property(relativePath(path))},title=${property(title)}::${data(text)}\n`,
  );
  return [...findings, ...told].join("");
};

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
