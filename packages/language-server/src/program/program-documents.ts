import type { JqProgram } from "@configc/compiler";
import { type Compilation, type CompileOptions, compile, recompile } from "@configc/compiler";
import { laidOutProgram, pointerTo, programByPointer } from "@configc/compiler/internal";
import type { TextDocuments } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { OpenConfig, OpenProgram } from "../open-config.ts";
import { programAddress } from "./program-uri.ts";
import { ProgramView } from "./program-view.ts";

/** The open documents that are programs of open configs. */
export class ProgramDocuments {
  private readonly documents: TextDocuments<TextDocument>;
  private readonly config: (uri: string) => OpenConfig | undefined;
  private readonly optionsOf: (uri: string) => CompileOptions;
  private readonly known = new Map<string, Known>();

  constructor(
    documents: TextDocuments<TextDocument>,
    config: (uri: string) => OpenConfig | undefined,
    optionsOf: (uri: string) => CompileOptions,
  ) {
    this.documents = documents;
    this.config = config;
    this.optionsOf = optionsOf;
  }

  get(uri: string): OpenProgram | undefined {
    const document = this.documents.get(uri);
    const place = this.place(uri);
    if (document === undefined || place === undefined) return undefined;
    const { config, program } = place;
    const known = this.known.get(uri)!;
    const text = withProgram(config, program, document.getText());
    const before = known.compilation;
    const options = this.optionsOf(config.document.uri);
    const compilation = before === undefined ? compile(text, options) : recompile(before, text, options);
    known.compilation = compilation;
    const own = programByPointer(compilation.model, known.node);
    if (own === undefined) return undefined;
    const view = new ProgramView(document, config.document, compilation, own.node);
    return { document: view, compilation, view, program: own };
  }

  /** The program of a document as it stands in its config, whether or not the document is open. */
  place(uri: string): { readonly config: OpenConfig; readonly program: JqProgram } | undefined {
    const address = programAddress(uri);
    const config = address === undefined ? undefined : this.config(address.config);
    if (address === undefined || config === undefined) return undefined;
    const known: Known = this.known.get(uri) ?? {
      node: address.node,
      text: undefined,
      compilation: undefined,
    };
    const { model } = config.compilation;
    const there = programByPointer(model, known.node);
    const isIt = this.recognizes(uri, known);
    // Steps may have come before it, or gone: then it is known by its text.
    const same = there !== undefined && isIt(there) ? [there] : model.programs.filter(isIt);
    const program = same.length === 1 ? same[0] : there;
    if (program === undefined) return undefined;
    known.text = program.node.value;
    known.node = pointerTo(program.node);
    this.known.set(uri, known);
    return { config, program };
  }

  /**
   * Tells the program of a document by its text in the config; or, where this server hasn't seen that yet, by what the document shows: a
   * client that starts the server anew opens its documents again, and the address of one may be that of another program by now.
   */
  private recognizes(uri: string, { text }: Known): (program: JqProgram) => boolean {
    if (text !== undefined) return ({ node }) => node.value === text;
    const shown = this.documents.get(uri)?.getText().replaceAll("\r\n", "\n");
    return ({ node }) => shown !== undefined && laidOutProgram(node.value) === shown;
  }

  /** All of a config. */
  of(config: string): readonly string[] {
    return this.documents.keys().filter((uri) => programAddress(uri)?.config === config);
  }

  forget(uri: string): void {
    this.known.delete(uri);
  }
}

interface Known {
  node: string;
  /** As it was in the config when it was last looked for. */
  text: string | undefined;
  compilation: Compilation | undefined;
}

function withProgram({ document }: OpenConfig, { node }: JqProgram, text: string): string {
  const whole = document.getText();
  return `${whole.slice(0, node.start)}${JSON.stringify(text)}${whole.slice(node.end)}`;
}
