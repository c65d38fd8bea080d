import { type Completion, type CompletionKind, completionsAt } from "@configc/compiler";
import type { Feature } from "../feature.ts";
import { markup } from "../markup.ts";
import { documentationOf } from "./completion-documentation.ts";
import { completionClient, completionItem } from "./completion-item.ts";
import { templateItems } from "./templates.ts";

/** They open expansions, and objects of jq; but whoever opens an object of JSON may want a new line next, not the first entry of a list. */
const openers: ReadonlySet<string> = new Set(["{", "<"]);
const structural: ReadonlySet<CompletionKind> = new Set(["member", "command", "snippet"]);
/** Lists that are remembered: a client may ask about the one before while it waits for the next. */
const KEPT = 4;

/** A list that was given. */
interface GivenList {
  readonly id: number;
  readonly uri: string;
  readonly items: readonly Completion[];
  /** Of the text that it was made for: more has been typed since then. */
  readonly length: number;
}

/** What can be written next. Clients that ask for documentation when they show it get it then. */
export const completion: Feature = {
  capabilities: {
    completionProvider: {
      triggerCharacters: ['"', "{", "<", ".", "|", "$", "!", ":", "@", " "],
      resolveProvider: true,
      completionItem: { labelDetailsSupport: true },
    },
  },
  register(server) {
    const { connection } = server;
    let last = 0;
    const given: GivenList[] = [];
    connection.onCompletion(({ textDocument, position, context }) => {
      const open = server.part(textDocument.uri);
      if (open === undefined) return null;
      const { compilation, document } = open;
      const client = completionClient(server.client);
      const offset = document.offsetAt(position);
      const opened = openers.has(context?.triggerCharacter ?? "");
      const items = completionsAt(compilation.model, offset).filter(
        ({ kind }) => !opened || !structural.has(kind),
      );
      const list = ++last;
      if (client.resolves) given.splice(0, Math.max(0, given.length + 1 - KEPT));
      if (client.resolves)
        given.push({ id: list, uri: document.uri, items, length: document.getText().length });
      return {
        isIncomplete: false,
        items: [
          ...items.map((item, index) => ({
            ...completionItem(open, item, index, client),
            ...(client.resolves ? { data: [list, index] } : {}),
          })),
          ...(opened ? [] : templateItems(server, open, offset)),
        ],
      };
    });
    connection.onCompletionResolve((item) => {
      const [id, index] = Array.isArray(item.data) ? (item.data as readonly unknown[]) : [];
      const list = given.find((each) => each.id === id);
      const found = typeof index === "number" ? list?.items[index] : undefined;
      if (list === undefined || found === undefined) return item;
      const text = documentationOf(server.part(list.uri), found, list.length);
      if (text === undefined) return item;
      return { ...item, documentation: markup(text, completionClient(server.client).formats) };
    });
  },
};
