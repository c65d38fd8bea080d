import { json } from "@codemirror/lang-json";
import {
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  renameKeymap,
  serverCompletion,
  signatureHelp,
  type Transport,
} from "@codemirror/lsp-client";
import { keymap } from "@codemirror/view";
import { sanitize } from "./sanitize.ts";

/** Starts the language server in a worker, and a client that speaks with it by `postMessage`. */
export function startLanguageServer(): LSPClient {
  const jsonLanguage = json().language;
  return new LSPClient({
    timeout: 15_000,
    sanitizeHTML: sanitize,
    highlightLanguage: (name) => (name === "json" || name === "jsonc" ? jsonLanguage : null),
    extensions: [
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
    ],
  }).connect(transportTo(new Worker("language-server.js")));
}

/** The client speaks in texts, the worker in objects. */
function transportTo(worker: Worker): Transport {
  const handlers = new Set<(message: string) => void>();
  worker.onmessage = ({ data }) => {
    const message = JSON.stringify(data);
    for (const handler of handlers) handler(message);
  };
  return {
    send: (message) => worker.postMessage(JSON.parse(message)),
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  };
}
