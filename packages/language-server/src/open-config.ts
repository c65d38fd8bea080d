import type { Compilation, JqProgram } from "@configc/compiler";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { ProgramView } from "./program/program-view.ts";

/** An open document that is a config, compiled at its present version. */
export interface OpenConfig {
  readonly document: TextDocument;
  readonly compilation: Compilation;
  /** Of a program in a document of its own: what the document is then. */
  readonly view?: ProgramView;
}

/** A program in a document of its own: by its positions, and the offsets of its config with the program's present text in it. */
export interface OpenProgram extends OpenConfig {
  readonly view: ProgramView;
  /** Of the compilation. */
  readonly program: JqProgram;
}
