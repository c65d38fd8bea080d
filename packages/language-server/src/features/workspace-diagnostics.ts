import {
  type CancellationToken,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import type { Feature, Server, WorkspaceConfig } from "../feature.ts";
import { diagnosticsOf } from "./diagnostics.ts";

/**
 * The findings of all configs of the workspace, open or not, as `configc check` has them. Clients ask again and again: what hasn't
 * changed is named by its id, and where nothing has, the answer waits until something does.
 */
export const workspaceDiagnostics: Feature = {
  capabilities: {},
  register(server) {
    const checked = new CheckedFiles(server);
    const { connection } = server;
    let isAnswered = false;
    connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
      await server.settled;
      const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
      for (;;) {
        const { changes } = checked;
        const items = await checked.reports(known, token);
        // The first answer is given also where there is nothing to say.
        if (!isAnswered || items.some(({ kind }) => kind === DocumentDiagnosticReportKind.Full)) {
          isAnswered = true;
          return { items };
        }
        if (changes === checked.changes) await checked.nextChange(token);
        // Files change in flocks.
        await pause(FLOCK);
        if (token.isCancellationRequested) throw cancelled();
      }
    });
  },
};

/** Milliseconds after a change in which others are waited for. */
const FLOCK = 100;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

interface Checked {
  readonly key: string;
  readonly resultId: string;
  readonly items: Diagnostic[];
}

class CheckedFiles {
  readonly #server: Server;
  readonly #checked = new Map<string, Checked>();
  readonly #waiting = new Set<() => void>();
  #changes = 0;
  #results = 0;

  constructor(server: Server) {
    this.#server = server;
    const changed = (): void => {
      this.#changes++;
      for (const wake of this.#waiting) wake();
    };
    server.onOutsideChange(changed);
    // What a document says comes from the disk again.
    server.onClose(changed);
  }

  /** How often something may have made another thing of a file that is the same. */
  get changes(): number {
    return this.#changes;
  }

  /** When files may have changed, or the client doesn't wait any more. */
  nextChange(token: CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      token.onCancellationRequested(wake);
    });
  }

  /** @param known result ids that the client has, by URI */
  async reports(
    known: ReadonlyMap<string, string>,
    token: CancellationToken,
  ): Promise<WorkspaceDocumentDiagnosticReport[]> {
    const { options, folders } = this.#server;
    const files = options.workspaceConfigs?.(folders) ?? [];
    const reports: WorkspaceDocumentDiagnosticReport[] = [];
    for (const file of files) {
      // Other requests are answered meanwhile.
      await pause(0);
      if (token.isCancellationRequested) throw cancelled();
      const { uri } = file;
      // What is open is asked for by itself.
      if (this.#server.config(uri) !== undefined) continue;
      const { resultId, items } = this.#check(file);
      reports.push(
        known.get(uri) === resultId
          ? { kind: DocumentDiagnosticReportKind.Unchanged, uri, version: null, resultId }
          : { kind: DocumentDiagnosticReportKind.Full, uri, version: null, resultId, items },
      );
    }
    const uris = new Set(files.map(({ uri }) => uri));
    for (const uri of [...this.#checked.keys()]) if (!uris.has(uri)) this.#checked.delete(uri);
    // Of a file that is gone nothing is to be shown any more.
    for (const [uri, value] of known)
      if (!uris.has(uri) && value !== GONE)
        reports.push({
          kind: DocumentDiagnosticReportKind.Full,
          uri,
          version: null,
          resultId: GONE,
          items: [],
        });
    return reports;
  }

  #check(file: WorkspaceConfig): Checked {
    const { uri, stamp } = file;
    const before = this.#checked.get(uri);
    const key = `${stamp} ${this.#changes}`;
    if (before?.key === key) return before;
    const items = this.#itemsOf(file);
    const isSame = before !== undefined && JSON.stringify(before.items) === JSON.stringify(items);
    const checked = { key, resultId: isSame ? before.resultId : `${++this.#results}`, items };
    this.#checked.set(uri, checked);
    return checked;
  }

  #itemsOf(file: WorkspaceConfig): Diagnostic[] {
    let text: string;
    try {
      text = file.read();
    } catch {
      // It is gone, or can't be read: then there is nothing to say of its text.
      return [];
    }
    return diagnosticsOf(this.#server.compileClosed(file.uri, text), this.#server.docsBase);
  }
}

/** The result id of a file that isn't there any more. */
const GONE = "gone";

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, "The client doesn't wait any more.");
}
