import {
  type Range,
  type RenderedDiagnostic,
  type RenderedFix,
  type Rule,
  ruleById,
  type Severity,
} from "@configc/compiler";
import type {
  ArtifactLocation,
  Fix,
  Invocation,
  Location,
  Log,
  Region,
  ReportingDescriptor,
  Result,
} from "sarif";
import type { Note } from "../check/report.ts";
import { packageInfo } from "../package-info.ts";
import { pageOf } from "../rule-pages.ts";
import type { Formatter } from "./format.ts";
import { relativePath } from "./paths.ts";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  info: "note",
  hint: "note",
};

/** SARIF 2.1.0, with the rules that occur. */
export const format: Formatter = ({ files, notes = [] }) => {
  const { version, homepage } = packageInfo();
  const ids = [...new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule)))].sort();
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "configc",
            semanticVersion: version,
            ...(homepage === undefined ? {} : { informationUri: homepage }),
            // A law of a simulation is no rule, and has a name only.
            rules: ids.map((id) => {
              const rule = ruleById(id);
              return rule === undefined ? { id, name: pascalCase(id) } : descriptor(rule, homepage);
            }),
          },
        },
        columnKind: "utf16CodeUnits",
        ...(notes.length === 0 ? {} : { invocations: [invocation(notes)] }),
        artifacts: files.map(({ path }) => ({ location: artifact(path) })),
        results: files.flatMap(({ path, diagnostics }, index) =>
          diagnostics.map((each) => result(artifact(path, index), each, indexes.get(each.rule) ?? -1)),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};

function invocation(notes: readonly Note[]): Invocation {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: notes.map(({ path, title, text }) => ({
      level: "note",
      message: { text: `${title}\n${text}` },
      locations: [{ physicalLocation: { artifactLocation: artifact(path) } }],
    })),
  };
}

function descriptor(rule: Rule, homepage: string | undefined): ReportingDescriptor {
  const { id, severity, tag, concerns = [] } = rule;
  const { summary, why, examples } = pageOf(rule);
  const [example] = examples;
  const bad = example.bad.replace(/[«»]/g, "");
  const fence = "```";
  return {
    id,
    name: pascalCase(id),
    shortDescription: { text: `${summary}.` },
    fullDescription: { text: plain(why), markdown: why },
    help: {
      text: `${plain(why)}\n\nWrong: ${bad}\nRight: ${example.good}\n\nMore: configc explain ${id}`,
      markdown: `${why}\n\nWrong:\n\n${fence}json\n${bad}\n${fence}\n\nRight:\n\n${fence}json\n${example.good}\n${fence}\n\nMore: \`configc explain ${id}\``,
    },
    // Where releases have a home, each rule has its page there.
    ...(homepage === undefined
      ? {}
      : { helpUri: new URL(`docs/rules/${id}.md`, `${homepage.replace(/\/$/, "")}/`).href }),
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: [id.split("/")[0] ?? id, ...(tag === undefined ? [] : [tag]), ...concerns] },
  };
}

function result(
  artifactLocation: ArtifactLocation,
  {
    rule,
    severity,
    message,
    range,
    pointer,
    fingerprint,
    help,
    related = [],
    fixes = [],
  }: RenderedDiagnostic,
  ruleIndex: number,
): Result {
  const place: Location = {
    physicalLocation: { artifactLocation, region: region(range) },
    logicalLocations: [{ fullyQualifiedName: pointer, kind: "member" }],
  };
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: help === undefined ? message : `${message}\n${help}` },
    locations: [place],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each, id) => ({
            id,
            message: { text: each.message },
            physicalLocation: { artifactLocation, region: region(each.range) },
          })),
        }),
    partialFingerprints: { "configc/v1": fingerprint },
    ...(fixes.length === 0 ? {} : { fixes: fixes.map((fix) => sarifFix(artifactLocation, fix)) }),
  };
}

function sarifFix(artifactLocation: ArtifactLocation, { title, edits }: RenderedFix): Fix {
  return {
    description: { text: title },
    artifactChanges: [
      {
        artifactLocation,
        replacements: edits.map(({ range, newText }) => ({
          deletedRegion: region(range),
          ...(newText === "" ? {} : { insertedContent: { text: newText } }),
        })),
      },
    ],
  };
}

/** Lines and columns count from 1 on both sides, and both ends are exclusive in columns. */
function region({ start, end }: Range): Region {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** A relative address is meant from the root of the sources, which the reader of the log knows. */
function artifact(path: string, index?: number): ArtifactLocation {
  const uri = relativePath(path).split("/").map(encodeURIComponent).join("/");
  return { uri, uriBaseId: "%SRCROOT%", ...(index === undefined ? {} : { index }) };
}

function pascalCase(id: string): string {
  return id.replace(/(?:^|[/-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
