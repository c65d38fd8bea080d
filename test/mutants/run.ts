import {
  type Compilation,
  compile,
  type Diagnostic,
  type Model,
  recompile,
  render,
  type Severity,
  type Span,
} from "@configc/compiler";
import { LineMap } from "@configc/compiler/internal";
import type { Config } from "./config.ts";
import { applyMutant, type Kind, type Mutant } from "./kind.ts";

/** At most so many other new findings may come with one mistake. */
const TOLERATED = 2;

/** How a mutant fared. */
export interface Result {
  readonly kind: Kind;
  readonly config: Config;
  readonly mutant: Mutant;
  /** Some finding that the unharmed document doesn't have. */
  readonly found: boolean;
  /** … on the line of the mistake. */
  readonly rightLine: boolean;
  /** … at the level that is asked for. */
  readonly rightLevel: boolean;
  /** … and touching the characters of the mistake. Shown, not counted: a line is what the issue asks for. */
  readonly exact: boolean;
  /** At most two other findings that the unharmed document doesn't have. */
  readonly quiet: boolean;
  readonly text: string;
  readonly at: readonly Span[];
  /** New findings, in document order. */
  readonly fresh: readonly Found[];
}

export interface Found {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Rule, message and, for hints, of which valid documents have some, the place: the same in another version. */
  readonly identity: string;
}

export const passed = (result: Result): boolean => result.rightLevel && result.quiet;

interface Base {
  readonly compiled: Compilation;
  readonly findings: readonly Found[];
}

const bases = new WeakMap<Config, Base>();

/** The findings of the unharmed document. */
export function baseOf(config: Config): readonly Found[] {
  return unharmed(config).findings;
}

function unharmed(config: Config): Base {
  let base = bases.get(config);
  if (base === undefined) {
    const compiled = compile(config.text, optionsFor(config));
    base = { compiled, findings: findingsOf(compiled) };
    bases.set(config, base);
  }
  return base;
}

const optionsFor = ({ path, samples }: Config) => ({ uri: path, samples });

/**
 * Of the document with a mistake in it, as an editor finds them: what the mistake doesn't touch is taken over from the unharmed
 * one, which is cheaper than to compile it anew and gives the same (`packages/compiler/test/incremental`).
 */
function changedFindings(text: string, config: Config): Found[] {
  return findingsOf(recompile(unharmed(config).compiled, text, optionsFor(config)));
}

function findingsOf({ model, diagnostics }: Compilation): Found[] {
  return diagnostics.map((diagnostic) => found(model, diagnostic));
}

function found(model: Model, diagnostic: Diagnostic): Found {
  const { finding, severity, span } = diagnostic;
  const message = finding.rule.message(finding.args);
  const place = isLoud({ severity }) ? "" : render(model, diagnostic, { fixes: false }).fingerprint;
  return {
    rule: finding.rule.id,
    severity,
    message,
    span,
    identity: `${finding.rule.id} ${message} ${place}`,
  };
}

export function judge(kind: Kind, config: Config, mutant: Mutant): Result {
  const { text, at } = applyMutant(config.text, mutant);
  if (text === config.text) throw new Error(`${kind.name} has a mutant of ${config.path} without a change.`);
  const fresh = subtract(changedFindings(text, config), baseOf(config));
  const counted = kind.expects === "hint" ? fresh : fresh.filter(isLoud);
  const lines = new LineMap(text);
  const expected = new Set(
    at.flatMap(({ start, end }) => [lines.position(start).line, lines.position(end).line]),
  );
  const onLine = counted.filter(({ span }) => expected.has(lines.position(span.start).line));
  const right = onLine.filter(({ severity }) => fits(severity, kind.expects));
  return {
    kind,
    config,
    mutant,
    found: counted.length > 0,
    rightLine: onLine.length > 0,
    rightLevel: right.length > 0,
    exact: right.some(({ span }) => at.some(({ start, end }) => span.start <= end && start <= span.end)),
    quiet: fresh.filter(isLoud).length - (kind.expects === "hint" ? 0 : 1) <= TOLERATED,
    text,
    at,
    fresh,
  };
}

export function isLoud({ severity }: { readonly severity: Severity }): boolean {
  return severity === "error" || severity === "warning";
}

function fits(severity: Severity, expected: Kind["expects"]): boolean {
  return expected === "hint" ? severity === "hint" || severity === "info" : severity === expected;
}

/** What isn't in `base`; equal findings are counted. */
function subtract(findings: readonly Found[], base: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  for (const { identity } of base) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  return findings.filter(({ identity }) => {
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count - 1);
    return count <= 0;
  });
}

/** The mutants of a kind; with a limit, so many of each document, spread over it. */
export function* mutantsOf(kind: Kind, config: Config, limit = Number.POSITIVE_INFINITY): Generator<Mutant> {
  const all = [...kind.mutants(config)];
  if (all.length <= limit) return yield* all;
  for (let i = 0; i < limit; i++) yield all[Math.floor(((i + 0.5) * all.length) / limit)]!;
}
