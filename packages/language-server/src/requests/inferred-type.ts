import { commandTypes } from "@configc/compiler";
import { findNode, layOutType } from "@configc/compiler/internal";
import type { TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { requiredNode } from "./required-node.ts";

const INFERRED_TYPE = "configc/inferredType";

/** What `configc/inferredType` takes. */
export interface InferredTypeParams {
  readonly textDocument: TextDocumentIdentifier;
  /** A JSON Pointer, or a dotted path of names as for `configc type`. */
  readonly node: string;
}

/** What a command takes and gives, laid out for people. */
export interface InferredType {
  readonly pointer: string;
  /** Its key, such as `!pipe`. */
  readonly command: string;
  readonly input: string;
  readonly output: string;
}

/** `configc/inferredType`: the types of the command that a node is, or of the commands in it; none for an unknown node. */
export const inferredType: Feature = {
  capabilities: {},
  register({ connection, config }) {
    connection.onRequest(INFERRED_TYPE, (params: InferredTypeParams): InferredType[] => {
      const { textDocument } = params;
      const node = requiredNode(params);
      const model = config(textDocument.uri)?.compilation.model;
      const found = model === undefined ? undefined : findNode(model, node);
      if (model === undefined || found === undefined || !("node" in found)) return [];
      return commandTypes(model, found.node).map(({ pointer, key, input, output }) => ({
        pointer,
        command: key,
        input: layOutType(input),
        output: layOutType(output),
      }));
    });
  },
};
