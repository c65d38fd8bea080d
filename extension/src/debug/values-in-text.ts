import {
  debug,
  EvaluatableExpression,
  type ExtensionContext,
  InlineValueText,
  languages,
  Range,
} from "vscode";

const SELECTOR = "appconfig";
const EXPANSION = /\$\{(?:webhook|data|custom_data|polling_state|piped_content|subdomain)\b[^{}]*\}/g;

interface Told {
  readonly text: string;
  readonly range?: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
}

/** Values beside jq stages while a run stands, and in the hover of an expression; the server tells where expansions are. */
export function offerValuesInText(context: ExtensionContext, type: string): void {
  context.subscriptions.push(
    languages.registerInlineValuesProvider(SELECTOR, {
      provideInlineValues: async (_document, _viewPort, { frameId }) => {
        const session = debug.activeDebugSession;
        if (session?.type !== type) return [];
        const { values }: { readonly values: readonly Told[] } = await session.customRequest(
          "configc/inlineValues",
          { frameId },
        );
        return values.flatMap(({ text, range }) =>
          range === undefined ? [] : [new InlineValueText(rangeOf(range), text)],
        );
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

function rangeOf({ start, end }: NonNullable<Told["range"]>): Range {
  return new Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}
