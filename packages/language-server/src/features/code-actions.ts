import {
  type ClientCapabilities,
  type CodeAction,
  type CodeActionParams,
  LSPErrorCodes,
  type Range,
  ResponseError,
} from "vscode-languageserver";
import { actionKinds, actionsFor } from "../actions/actions.ts";
import type { Feature, Server } from "../feature.ts";
import { versioned } from "../versioned.ts";

/** What can be done at a place. Clients that ask for an edit when they need it get it then. */
export const codeActions: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [...actionKinds], resolveProvider: true } },
  register(server) {
    const { connection } = server;
    connection.onCodeAction((params) => {
      const later = resolvesEdits(server.client);
      const actions = actionsFor(server, params, later);
      if (!later) return actions.map((action) => withVersions(server, action));
      const version = server.part(params.textDocument.uri)?.document.version ?? 0;
      return actions.map(({ edit: _, ...action }) => ({ ...action, data: addressOf(params, version) }));
    });
    connection.onCodeActionResolve((action) => {
      const address = action.data as ActionAddress | undefined;
      if (address === undefined || action.edit !== undefined) return action;
      const { uri, version, range, only } = address;
      const isSame = server.part(uri)?.document.version === version;
      const found = isSame ? withEdit(actionsFor(server, asked(uri, range, only), false), action) : undefined;
      return found === undefined
        ? new ResponseError(LSPErrorCodes.ContentModified, "The document has changed since it was asked.")
        : withVersions(server, found);
    });
  },
};

/** What an action was asked for by: enough to make it once more. */
interface ActionAddress {
  readonly uri: string;
  readonly version: number;
  readonly range: Range;
  readonly only: readonly string[] | undefined;
}

function addressOf({ textDocument, range, context }: CodeActionParams, version: number): ActionAddress {
  return { uri: textDocument.uri, version, range, only: context.only ?? undefined };
}

function asked(uri: string, range: Range, only: readonly string[] | undefined): CodeActionParams {
  const context = { diagnostics: [], ...(only === undefined ? {} : { only: [...only] }) };
  return { textDocument: { uri }, range, context };
}

/** The action as the client has it, with the edit of the same one. */
function withEdit(all: readonly CodeAction[], { title, kind, ...rest }: CodeAction): CodeAction | undefined {
  const edit = all.find((each) => each.title === title && each.kind === kind)?.edit;
  return edit === undefined ? undefined : { ...rest, title, ...(kind === undefined ? {} : { kind }), edit };
}

function withVersions(server: Server, { edit, ...action }: CodeAction): CodeAction {
  return edit === undefined ? action : { ...action, edit: versioned(server, edit) };
}

function resolvesEdits({ textDocument }: ClientCapabilities): boolean {
  const { resolveSupport, dataSupport } = textDocument?.codeAction ?? {};
  return dataSupport === true && resolveSupport?.properties.includes("edit") === true;
}
