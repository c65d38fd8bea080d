import { type Compilation, compile } from "@configc/compiler";
import type { TextDocument } from "vscode-languageserver-textdocument";

/** Compilations of open documents, by version: every feature of one version reads the same model. */
export class Compilations {
  private readonly byUri = new Map<string, { readonly version: number; readonly compilation: Compilation }>();

  of(document: TextDocument): Compilation {
    const known = this.byUri.get(document.uri);
    if (known?.version === document.version) return known.compilation;
    const compilation = compile(document.getText(), { uri: document.uri });
    this.byUri.set(document.uri, { version: document.version, compilation });
    return compilation;
  }

  forget(uri: string): void {
    this.byUri.delete(uri);
  }
}

/** Whether a document is a config: by language id, or by name for clients that don't know the language. */
export function isConfig({ languageId, uri }: Pick<TextDocument, "languageId" | "uri">): boolean {
  return languageId === "appconfig" || /\.app\.jsonc?$/.test(uri);
}
