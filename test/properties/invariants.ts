import { compile, type Diagnostic, type RenderedDiagnostic, render, type Samples } from "@configc/compiler";
import { pointerTo } from "@configc/compiler/internal";

/**
 * Far more than any of these documents takes; what exceeds it hangs, or grows faster than its input. CPU time: others on the
 * machine don't count.
 */
const TIME_LIMIT_MS = 10_000;

/** Compiles a document and throws if an invariant of every compilation doesn't hold. Gives the rendered diagnostics. */
export function checkInvariants(
  source: string | Uint8Array,
  uri: string,
  samples: Partial<Samples> = {},
): readonly RenderedDiagnostic[] {
  const start = process.cpuUsage();
  const { model, diagnostics, app } = compile(source, { uri, samples });
  const rendered = diagnostics.map((diagnostic) => render(model, diagnostic, { fixes: true }));
  const { text } = model.document;
  for (const diagnostic of diagnostics) inside(diagnostic, text.length);
  sorted(diagnostics);
  for (const { message, fixes = [], related = [], rule, range } of rendered) {
    must(
      message.length > 0 && message.length < 20_000,
      `${rule} has a message of ${message.length} characters`,
    );
    must(range.start.line >= 1 && range.start.column >= 1, `${rule} has a position below 1`);
    for (const { range } of [...related, ...fixes.flatMap(({ edits }) => edits)]) {
      must(
        0 <= range.start.offset && range.start.offset <= range.end.offset,
        `${rule} has a range upside down`,
      );
      must(range.end.offset <= text.length, `${rule} points behind the document`);
    }
    for (const { edits, title } of fixes)
      apart(
        edits.map(({ range }) => range),
        `${rule}, “${title}”`,
      );
  }
  JSON.stringify(app);
  pointerTo(model.document.root);
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1_000;
  must(time < TIME_LIMIT_MS, `Compiling ${text.length} characters took ${Math.round(time)} ms`);
  return rendered;
}

function inside({ span, finding }: Diagnostic, length: number): void {
  must(
    0 <= span.start && span.start <= span.end && span.end <= length,
    `${finding.rule.id} lies outside the document`,
  );
}

function sorted(diagnostics: readonly Diagnostic[]): void {
  for (const [i, { span }] of diagnostics.entries()) {
    const before = diagnostics[i - 1]?.span;
    must(before === undefined || before.start <= span.start, "Diagnostics aren't in document order");
  }
}

/** Edits of one fix must not overlap, or their order would matter. */
function apart(
  ranges: readonly {
    readonly start: { readonly offset: number };
    readonly end: { readonly offset: number };
  }[],
  what: string,
): void {
  const ordered = [...ranges].sort((a, b) => a.start.offset - b.start.offset);
  for (const [i, { start }] of ordered.entries()) {
    const before = ordered[i - 1];
    must(before === undefined || before.end.offset <= start.offset, `${what} has edits that overlap`);
  }
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
