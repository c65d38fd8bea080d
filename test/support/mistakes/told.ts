import { readFileSync, writeFileSync } from "node:fs";
import { type Compilation, compile, type RenderedDiagnostic, recompile, render } from "@configc/compiler";
import { expect, test } from "vitest";
import { isTried, share } from "../cases.ts";
import type { RightConfig } from "./configs.ts";
import { type Mistake, withMistake } from "./mistake.ts";

const update = process.env["MEANING_UPDATE"] !== undefined;

/**
 * Tests that nothing is found in right configs, and that what each mistake in them is told by is as `told.txt` has it.
 * `MEANING_UPDATE=1` writes that file anew; a mistake that isn't told any more is a step back.
 *
 * @param folder Where `mistakes.json` and `told.txt` are, with a slash at its end.
 * @param configs The right configs, by name.
 * @param isTriedNow Which of the mistakes are tried, by their places in the list: a part of a long list.
 */
export function testMistakes(
  folder: URL,
  configs: ReadonlyMap<string, RightConfig>,
  isTriedNow: (index: number) => boolean = (index) => isTried(index),
): void {
  const kept = new URL("told.txt", folder);
  const mistakes: readonly Mistake[] = JSON.parse(readFileSync(new URL("mistakes.json", folder), "utf8"));

  test.each([...configs])("%s has nothing wrong with it", (name, config) => {
    expect(findingsOfRight(config, name).filter(isLoud).map(saying)).toEqual([]);
  });

  test("mistakes of meaning are told as before", () => {
    const lines = mistakes.map((mistake, index) => {
      if (!update && !isTriedNow(index)) return undefined;
      const config = configs.get(mistake.config);
      if (config === undefined) throw new Error(`There is no config ${mistake.config}.`);
      const rules = new Set(tellingFindings(config, mistake).map(({ rule }) => rule));
      const told = rules.size === 0 ? "-" : [...rules].sort().join(", ");
      return `${mistake.class} | ${mistake.config} | ${mistake.mistake} | ${told}`;
    });
    if (update) writeFileSync(kept, reportOf(lines));
    const before = readFileSync(kept, "utf8");
    const known = before.split("\n");
    // What isn't tried counts as it did.
    expect(reportOf(lines.map((line, index) => line ?? known[index] ?? ""))).toBe(before);
  });
}

function reportOf(lines: readonly (string | undefined)[]): string {
  const told = lines.filter((line) => line?.endsWith("| -") === false).length;
  return `${lines.join("\n")}\n\n${told} of ${lines.length}\n`;
}

/** Tests that edits which make a mistake in a right config, and take it back, give what a new compilation gives. Parameters as above. */
export function testEdits(folder: URL, configs: ReadonlyMap<string, RightConfig>): void {
  const mistakes: readonly Mistake[] = JSON.parse(readFileSync(new URL("mistakes.json", folder), "utf8"));

  test("edits into a mistake and back give what a new compilation gives", () => {
    const compiled = new Map<string, Compilation>();
    for (const mistake of share(mistakes)) {
      const { text, samples } = configs.get(mistake.config)!;
      const options = { uri: `${mistake.config}.app.json`, samples };
      // Only the mistake is another text then.
      const right = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
      const wrong = withMistake(text, mistake);
      const before = compiled.get(mistake.config) ?? compile(right, options);
      compiled.set(mistake.config, before);
      const known = said(before);
      const there = recompile(before, wrong, options);
      expect(said(there), mistake.mistake).toEqual(said(compile(wrong, options)));
      const back = recompile(there, right, options);
      expect(said(back), mistake.mistake).toEqual(known);
    }
  });
}

const said = ({ diagnostics }: Compilation): string[] =>
  diagnostics.map(
    ({ span, finding: { rule, args } }) => `${rule.id} ${span.start}-${span.end} ${rule.message(args)}`,
  );

const known = new WeakMap<RightConfig, readonly RenderedDiagnostic[]>();

/** What is found in a right config: it has many mistakes made in it. */
function findingsOfRight(config: RightConfig, name: string): readonly RenderedDiagnostic[] {
  const findings = known.get(config) ?? findingsOf(config, name);
  known.set(config, findings);
  return findings;
}

/** What is found in a config, as `check` shows it. */
function findingsOf({ text, samples }: RightConfig, name: string): readonly RenderedDiagnostic[] {
  const { model, diagnostics } = compile(text, { uri: `${name}.app.json`, samples });
  return diagnostics.map((diagnostic) => render(model, diagnostic, { fixes: false }));
}

/** Findings that the mistake brings, where and as loud as they should be. */
function tellingFindings(config: RightConfig, mistake: Mistake): readonly RenderedDiagnostic[] {
  const known = new Set(findingsOfRight(config, mistake.config).map(identity));
  const near = [mistake.at, ...(mistake.near ?? [mistake.at.split("/").slice(0, 3).join("/")])];
  return findingsOf({ ...config, text: withMistake(config.text, mistake) }, mistake.config).filter(
    (finding) =>
      !known.has(identity(finding)) &&
      (mistake.level === "hint" || isLoud(finding)) &&
      near.some((pointer) => finding.pointer.startsWith(pointer)),
  );
}

const isLoud = ({ severity }: RenderedDiagnostic): boolean => severity === "error" || severity === "warning";

const saying = ({ rule, message }: RenderedDiagnostic): string => `${rule}: ${message}`;

const identity = ({ rule, message }: RenderedDiagnostic): string => `${rule} ${message}`;
