import type { Graph } from "@configc/compiler/graph";
import type { TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { refusal } from "../run/environment.ts";

const GRAPH = "configc/graph";

/** What `configc/graph` takes. */
export interface GraphParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Default: `json`, the graph as data. */
  readonly format?: "json" | "svg" | "mermaid" | "dot";
  /** The name of the one workflow that is drawn, with what it has to do with; default: all. */
  readonly workflow?: string;
  /** JSON Pointers of intakes and workflows whose cards are drawn without their rows. */
  readonly closed?: readonly string[];
  /** What an `svg` is called by those who hear it. */
  readonly title?: string;
}

/** What `configc/graph` gives: data for a client that draws, or the finished picture. */
export type GraphResult =
  | { readonly graph: Graph }
  /** A document in the format that was asked for. */
  | { readonly text: string };

/** `configc/graph`: the app as a picture, or as the data for one; null for a document that is no config. */
export const graph: Feature = {
  capabilities: {},
  register({ connection, config }) {
    connection.onRequest<GraphResult | null, void>(
      GRAPH,
      async ({
        textDocument,
        format = "json",
        title,
        workflow,
        closed = [],
      }: GraphParams): Promise<GraphResult | null> => {
        const model = config(textDocument.uri)?.compilation.model;
        if (model === undefined) return null;
        // It lays out graphs, which is much code that nothing else needs.
        const { graphOf, partOf, toDot, toMermaid, toSvg, withClosed } = await import(
          "@configc/compiler/graph"
        );
        const whole = graphOf(model);
        const part = workflow === undefined ? whole : partOf(whole, workflow);
        if (part === undefined) throw refusal(`There is no workflow \`${workflow}\`.`);
        const drawn = withClosed(part, closed);
        switch (format) {
          case "svg":
            return { text: toSvg(drawn, title === undefined ? {} : { title }) };
          case "mermaid":
            return { text: toMermaid(drawn) };
          case "dot":
            return { text: toDot(drawn) };
          case "json":
            return { graph: drawn };
          default:
            throw refusal(`\`${String(format)}\` isn't a format. Formats are json, svg, mermaid and dot.`);
        }
      },
    );
  },
};
