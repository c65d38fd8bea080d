import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type LSPClient, LSPPlugin } from "@codemirror/lsp-client";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { tellFailure } from "../toast.ts";

/** JSON's own colours; classes, so that the style sheet knows light and dark. */
export const jsonColours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, class: "token-name" },
    { tag: tags.string, class: "token-string" },
    { tag: tags.number, class: "token-number" },
    { tag: [tags.bool, tags.null], class: "token-constant" },
    { tag: [tags.bracket, tags.separator], class: "token-mark" },
  ]),
);

/** Marks what a pattern finds, in the part that is seen. */
function matched(regexp: RegExp, className: string): Extension {
  const decorator = new MatchDecorator({ regexp, decoration: Decoration.mark({ class: className }) });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorator.createDeco(view);
      }
      update(update: ViewUpdate): void {
        this.decorations = decorator.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Commands stand out among the names. */
const commandColours = matched(/"(!\w+)"(?=\s*:)/g, "token-command");

/** Comments of a `.jsonc`, which the JSON parser doesn't know; those after a value aren't told from strings here. */
const commentColours = matched(/^\s*\/\/.*/g, "token-comment");

const setMeanings = StateEffect.define<DecorationSet>();
const meanings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, effects }) {
    for (const effect of effects) if (effect.is(setMeanings)) return effect.value;
    return set.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const WAIT = 80;

/** Colours of expansions and of jq inside strings: the server's semantic tokens. */
function meaningColours(client: LSPClient): Extension {
  const asking = ViewPlugin.fromClass(
    class {
      private timer: ReturnType<typeof setTimeout> | undefined;
      private readonly view: EditorView;
      constructor(view: EditorView) {
        this.view = view;
        this.timer = setTimeout(() => this.ask().catch(tellFailure), 0);
      }
      update({ docChanged }: ViewUpdate): void {
        if (!docChanged) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask().catch(tellFailure), WAIT);
      }
      destroy(): void {
        clearTimeout(this.timer);
      }
      private async ask(): Promise<void> {
        const plugin = LSPPlugin.get(this.view);
        if (plugin === null) return;
        client.sync();
        const { doc } = this.view.state;
        const answer = await client.request<unknown, { data: readonly number[] } | null>(
          "textDocument/semanticTokens/full",
          { textDocument: { uri: plugin.uri } },
        );
        if (this.view.state.doc !== doc || LSPPlugin.get(this.view) !== plugin) return;
        const types = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
        const marks = tokensOf(answer?.data ?? []).map(({ line, character, length, type }) => {
          const from = plugin.fromPosition({ line, character });
          return Decoration.mark({ class: `token-${types[type]}` }).range(from, from + length);
        });
        this.view.dispatch({ effects: setMeanings.of(Decoration.set(marks)) });
      }
    },
  );
  return [meanings, asking];
}

/** Tokens as the protocol packs them: five numbers each, places relative to the token before. */
function tokensOf(data: readonly number[]) {
  const found: { line: number; character: number; length: number; type: number }[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.slice(at, at + 4);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    found.push({ line, character, length, type });
  }
  return found;
}

/** All colours of a config. */
export function colours(client: LSPClient): Extension {
  return [jsonColours, commandColours, commentColours, meaningColours(client)];
}
