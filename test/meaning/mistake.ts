import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, type RenderedDiagnostic, render } from "@configc/compiler";

/** One mistake of meaning in one of the configs: a member that is replaced or removed, or a part of a text. */
export interface Mistake {
  /** Name of the config, without its ending. */
  readonly config: string;
  readonly class: string;
  readonly mistake: string;
  /** JSON Pointer. */
  readonly at: string;
  readonly replace?: string;
  readonly by?: string;
  readonly value?: unknown;
  readonly remove?: true;
  /** The level that a finding must have at least: a warning, or a hint where the mistake is likely and not certain. */
  readonly level?: "hint";
  /** Pointers of which one must begin the finding's; the part of the document by default. */
  readonly near?: readonly string[];
}

const folder = fileURLToPath(new URL("configs/", import.meta.url));

/** Configs of other kinds than the examples, right in every part. */
export const configs: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((name) => [name.replace(/\.app\.json$/, ""), readFileSync(folder + name, "utf8")]),
);

export const mistakes: readonly Mistake[] = JSON.parse(
  readFileSync(new URL("mistakes.json", import.meta.url), "utf8"),
);

/** The config's text with the mistake in it. */
export function withMistake(mistake: Mistake): string {
  const text = configs.get(mistake.config);
  if (text === undefined) throw new Error(`There is no config ${mistake.config}.`);
  const document = JSON.parse(text);
  const segments = mistake.at
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = segments.pop() as string;
  const owner = segments.reduce((value, segment) => value[segment], document);
  if (mistake.remove) delete owner[last];
  else if (mistake.replace === undefined) owner[last] = mistake.value;
  else owner[last] = replaceOnce(owner[last], mistake.replace, mistake.by as string, mistake);
  const changed = `${JSON.stringify(document, null, 2)}\n`;
  if (changed === text) throw new Error(`“${mistake.mistake}” changes nothing in ${mistake.config}.`);
  return changed;
}

function replaceOnce(text: string, replace: string, by: string, { config, mistake }: Mistake): string {
  const parts = text.split(replace);
  if (parts.length !== 2)
    throw new Error(`${config}, “${mistake}”: “${replace}” stands there ${parts.length - 1} times.`);
  return parts.join(by);
}

/** What is found in a text, as `check` shows it. */
export function findingsOf(text: string, name: string): readonly RenderedDiagnostic[] {
  const { model, diagnostics } = compile(text, { uri: `${name}.app.json` });
  return diagnostics.map((diagnostic) => render(model, diagnostic, { fixes: false }));
}

/** Findings that the mistake brings, where and as loud as they should be. */
export function tellingFindings(mistake: Mistake): readonly RenderedDiagnostic[] {
  const known = new Set(findingsOf(configs.get(mistake.config) as string, mistake.config).map(identity));
  const near = mistake.near ?? [mistake.at.split("/").slice(0, 3).join("/")];
  return findingsOf(withMistake(mistake), mistake.config).filter(
    (finding) =>
      !known.has(identity(finding)) &&
      (mistake.level === "hint" || finding.severity === "error" || finding.severity === "warning") &&
      near.some((pointer) => finding.pointer.startsWith(pointer)),
  );
}

const identity = ({ rule, message }: RenderedDiagnostic): string => `${rule} ${message}`;
