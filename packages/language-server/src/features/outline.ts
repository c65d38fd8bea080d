import type { AuthSymbol, Command, IntakeSymbol, Model, Span, WorkflowSymbol } from "@configc/compiler";
import { stepTitle } from "@configc/compiler/internal";
import {
  type ClientCapabilities,
  type DocumentSymbol,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Feature, OpenConfig } from "../feature.ts";
import { toRange } from "../range.ts";

/** The outline of a document, and the same names over all open documents. */
export const outline: Feature = {
  capabilities: { documentSymbolProvider: true, workspaceSymbolProvider: true },
  register(server) {
    const { connection, config, configs } = server;
    connection.onDocumentSymbol(({ textDocument }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      return isFlat(server.client) ? [...listed(open)] : symbolsOf(open);
    });
    connection.onWorkspaceSymbol(({ query }) => configs().flatMap((open) => [...matching(open, query)]));
  },
};

/** Whether a client tells of what it does with an outline, and nothing of trees: it has a list from before there were any. */
function isFlat({ textDocument }: ClientCapabilities): boolean {
  const outline = textDocument?.documentSymbol;
  return outline !== undefined && outline.hierarchicalDocumentSymbolSupport !== true;
}

/** The outline as a tree. */
export function symbolsOf({ document, compilation }: OpenConfig): DocumentSymbol[] {
  const { model } = compilation;
  const outliner = new Outliner(document, model);
  return [
    ...model.auths.map((auth) => outliner.auth(auth)),
    ...(model.api === undefined
      ? []
      : [outliner.symbol("api", SymbolKind.Namespace, model.api.node, undefined)]),
    ...model.intakes.map((intake) => outliner.intake(intake)),
    ...model.workflows.map((workflow) => outliner.workflow(workflow)),
  ];
}

class Outliner {
  private readonly document: TextDocument;
  private readonly model: Model;
  /** The outermost commands of each field, and of each intake and workflow without those. */
  private readonly commands = new Map<object, Command[]>();

  constructor(document: TextDocument, model: Model) {
    this.document = document;
    this.model = model;
    for (const command of model.commands) {
      const owner = command.parent === undefined ? (command.field ?? command.unit) : undefined;
      if (owner === undefined) continue;
      const known = this.commands.get(owner);
      if (known === undefined) this.commands.set(owner, [command]);
      else known.push(command);
    }
  }

  private commandsOf(owner: object): DocumentSymbol[] {
    return (this.commands.get(owner) ?? []).map((command) => this.command(command));
  }

  auth({ name, member, type }: AuthSymbol): DocumentSymbol {
    return this.symbol(name, SymbolKind.Key, member, member.key, detail("auth", type));
  }

  intake(intake: IntakeSymbol): DocumentSymbol {
    const { name, nameNode, node, type } = intake;
    const commands = this.commandsOf(intake);
    return this.symbol(
      name ?? "(no name)",
      SymbolKind.Event,
      node,
      nameNode,
      detail("intake", type),
      commands,
    );
  }

  workflow(workflow: WorkflowSymbol): DocumentSymbol {
    const { name, nameNode, node, direction, fields } = workflow;
    const commands = this.commandsOf(workflow);
    const children = [
      ...fields.map((field) =>
        this.symbol(
          field.id ?? "(no id)",
          SymbolKind.Field,
          field.node,
          field.idNode,
          detail("field", field.type),
          this.commandsOf(field),
        ),
      ),
      ...commands,
    ];
    children.sort((a, b) => a.range.start.line - b.range.start.line);
    return this.symbol(
      name ?? "(no name)",
      SymbolKind.Class,
      node,
      nameNode,
      detail("workflow", direction),
      children,
    );
  }

  /** One with a name of its own says beside it what it does; a step of a list has nothing else to be known by. */
  command(command: Command): DocumentSymbol {
    const { key, node, member, children } = command;
    const owner = node.parent?.kind === "member" ? node.parent : undefined;
    const title = stepTitle(this.model, command);
    return this.symbol(
      owner?.name ?? title,
      SymbolKind.Function,
      owner ?? node,
      owner?.key ?? member.key,
      owner === undefined ? key : title,
      children.flatMap((child) => (child === undefined ? [] : [this.command(child)])),
    );
  }

  symbol(
    name: string,
    kind: SymbolKind,
    whole: Span,
    selection: Span | undefined,
    text = "",
    children: DocumentSymbol[] = [],
  ): DocumentSymbol {
    return {
      // The protocol forbids empty names.
      name: name.trim() === "" ? "(empty)" : name,
      detail: text,
      kind,
      range: toRange(this.document, whole),
      selectionRange: toRange(this.document, selection ?? { start: whole.start, end: whole.start + 1 }),
      children,
    };
  }
}

function detail(kind: string, more: string | undefined): string {
  return more === undefined ? kind : `${kind}, ${more}`;
}

function* matching(open: OpenConfig, query: string): Generator<SymbolInformation> {
  for (const symbol of lookedFor(open))
    if (isSubsequence(query.toLowerCase(), symbol.name.toLowerCase())) yield symbol;
}

/** Of commands, only what they ask of a service: members such as `source` are in every document, and programs match anything. */
function* lookedFor(open: OpenConfig): Generator<SymbolInformation> {
  for (const { symbol, information } of walk(open)) {
    const { kind, name, detail = "" } = symbol;
    if (kind !== SymbolKind.Function || isRequest(name)) yield information;
    else if (isRequest(detail) && symbol.children?.length === 0)
      yield { ...information, name: detail, containerName: name };
  }
}

function isRequest(title: string): boolean {
  return /^[A-Z]+ \S/.test(title);
}

/** The outline as a list, in document order. */
function* listed(open: OpenConfig): Generator<SymbolInformation> {
  for (const { information } of walk(open)) yield information;
}

function* walk(open: OpenConfig): Generator<{ symbol: DocumentSymbol; information: SymbolInformation }> {
  const { uri } = open.document;
  const pending = symbolsOf(open).map((symbol) => ({ symbol, containerName: "" }));
  pending.reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { symbol, containerName } = next;
    const { name, kind, selectionRange, children = [] } = symbol;
    yield { symbol, information: { name, kind, containerName, location: { uri, range: selectionRange } } };
    for (const child of children.toReversed()) pending.push({ symbol: child, containerName: name });
  }
}

/** As editors match: the characters of the query in order, not necessarily together. */
function isSubsequence(query: string, name: string): boolean {
  let at = 0;
  for (const character of name) if (at < query.length && character === query[at]) at++;
  return at === query.length;
}
