import {
  debug,
  EvaluatableExpression,
  type ExtensionContext,
  type InlineValue,
  InlineValueEvaluatableExpression,
  InlineValueText,
  languages,
  Range,
  type TextDocument,
} from "vscode";

const SELECTOR = "appconfig";
const EXPANSION = /\$\{(?:webhook|data|custom_data|polling_state|piped_content|subdomain)\b[^{}]*\}/g;
/** Lines of a command whose expansions are shown. */
const LINES = 12;

interface Told {
  readonly text: string;
  readonly range?: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
}

/** Values beside jq stages and expansions while a run stands, and in the hover of an expression. */
export function offerValuesInText(context: ExtensionContext, type: string): void {
  context.subscriptions.push(
    languages.registerInlineValuesProvider(SELECTOR, {
      provideInlineValues: async (document, _viewPort, { frameId, stoppedLocation }) => {
        const values: InlineValue[] = expansionsIn(document, stoppedLocation).map(
          ({ range, text }) => new InlineValueEvaluatableExpression(range, text),
        );
        const session = debug.activeDebugSession;
        if (session?.type !== type) return values;
        const told: { readonly values: readonly Told[] } = await session.customRequest(
          "configc/inlineValues",
          {
            frameId,
          },
        );
        for (const { text, range } of told.values)
          if (range !== undefined) values.push(new InlineValueText(rangeOf(range), text));
        return values;
      },
    }),
    languages.registerEvaluatableExpressionProvider(SELECTOR, {
      provideEvaluatableExpression: (document, position) => {
        const line = document.lineAt(position.line).text;
        for (const pattern of [EXPANSION, /\$?[A-Za-z_]*(?:\.[A-Za-z_]\w*|\.?\[\d+\])+|\$[A-Za-z_]\w*/g])
          for (const { index, 0: text } of line.matchAll(pattern))
            if (index <= position.character && position.character <= index + text.length)
              return new EvaluatableExpression(
                new Range(position.line, index, position.line, index + text.length),
                text,
              );
        return undefined;
      },
    }),
  );
}

function expansionsIn(
  document: TextDocument,
  { start }: Range,
): { readonly range: Range; readonly text: string }[] {
  const found: { readonly range: Range; readonly text: string }[] = [];
  for (let at = start.line; at < Math.min(start.line + LINES, document.lineCount); at++)
    for (const { index, 0: text } of document.lineAt(at).text.matchAll(EXPANSION))
      found.push({ range: new Range(at, index, at, index + text.length), text });
  return found;
}

function rangeOf({ start, end }: NonNullable<Told["range"]>): Range {
  return new Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}
