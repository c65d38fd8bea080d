import { dirname } from "node:path";
import {
  type CancellationToken,
  DebugAdapterExecutable,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  debug,
  type ExtensionContext,
  type TextDocument,
  Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { registerCommands } from "../commands.ts";
import type { Credential } from "../run/run.ts";
import { isLensTarget } from "../run/target.ts";
import { isAllowed } from "../run/trust.ts";
import { offerDebugLenses } from "./lenses.ts";
import { debuggableAt, debuggablesIn } from "./target.ts";
import { offerValuesInText } from "./values-in-text.ts";

const TYPE = "configc";

/** What a run of a node takes, as the person has chosen it; the same as for running it without a debugger. */
interface Given {
  readonly input?: unknown;
  readonly context?: unknown;
  readonly baseUrl?: string;
  readonly credentials?: Readonly<Record<string, Credential>>;
  readonly allowPrivateNetwork: boolean;
}

interface DebugOptions {
  /** The server's program, which knows the verb `debug` too. */
  readonly module: string;
  readonly given: (document: TextDocument, node: string) => Promise<Given | "cancelled">;
  readonly renewed: (config: Uri, auth: string, credential: Credential) => Promise<void>;
}

/** Debugging: F5, launch configurations, lenses, values in the text. @returns debugs a case of a test, until that is over */
export function offerDebugging(
  context: ExtensionContext,
  client: BaseLanguageClient,
  { module, given, renewed }: DebugOptions,
): void {
  // Credentials aren't for launch configurations, which all extensions can read: only the process that needs them gets them.
  const credentials = new Map<string, Readonly<Record<string, Credential>>>();
  const provider = new Configurations(client, given, credentials);
  offerDebugLenses(context, client);
  offerValuesInText(context, TYPE);
  context.subscriptions.push(
    debug.registerDebugConfigurationProvider(TYPE, provider),
    debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: ({ configuration }) => {
        const known = credentials.get(String(configuration["connection"]));
        return new DebugAdapterExecutable(process.execPath, [module, "debug", "--stdio"], {
          // In a desktop's extension host the executable is the editor, not Node.
          env: {
            ELECTRON_RUN_AS_NODE: "1",
            ...(known === undefined ? {} : { CONFIGC_DEBUG_CREDENTIALS: JSON.stringify(known) }),
          },
          cwd: dirname(String(configuration["program"] ?? configuration["test"] ?? module)),
        });
      },
    }),
    debug.onDidReceiveDebugSessionCustomEvent(async ({ event, body, session }) => {
      if (event !== "configc/credentialRenewed") return;
      const { auth, credential } = body as { readonly auth: string; readonly credential: Credential };
      await renewed(Uri.file(String(session.configuration["program"])), auth, credential);
    }),
  );
  registerCommands(context, {
    "configc.debug": async (target) => {
      const document = isLensTarget(target)
        ? await workspace.openTextDocument(Uri.parse(target.uri))
        : window.activeTextEditor?.document;
      if (document === undefined) throw new Error("Open a config first.");
      await debug.startDebugging(workspace.getWorkspaceFolder(document.uri), {
        type: TYPE,
        request: "launch",
        name: "Debug",
        program: document.uri.fsPath,
        ...(isLensTarget(target)
          ? { node: target.pointer }
          : { line: (window.activeTextEditor?.selection.active.line ?? 0) + 1 }),
      });
    },
    "configc.debugCase": async (target) => {
      const { test, case: name } = (target ?? {}) as { readonly test?: unknown; readonly case?: unknown };
      if (typeof test !== "string" || typeof name !== "string")
        throw new Error("Choose “Debug test case” above a case.");
      await debugCase(test, name);
    },
  });
}

/** Debugs a case of a test. @returns when that is over */
export async function debugCase(test: string, name: string): Promise<void> {
  const over = new Promise<void>((resolve) => {
    const ended = debug.onDidTerminateDebugSession(({ configuration }) => {
      if (configuration["test"] !== test || configuration["case"] !== name) return;
      ended.dispose();
      resolve();
    });
  });
  const folder = workspace.getWorkspaceFolder(Uri.file(test));
  const began = await debug.startDebugging(folder, {
    type: TYPE,
    request: "launch",
    name,
    test,
    case: name,
    stopAtEnd: true,
  });
  if (began) await over;
}

/** Completes what a launch configuration leaves out, down to an empty one: F5 with nothing set up. */
class Configurations implements DebugConfigurationProvider {
  readonly #client: BaseLanguageClient;
  readonly #given: DebugOptions["given"];
  readonly #credentials: Map<string, Readonly<Record<string, Credential>>>;
  #last = 0;

  constructor(
    client: BaseLanguageClient,
    given: DebugOptions["given"],
    credentials: Map<string, Readonly<Record<string, Credential>>>,
  ) {
    this.#client = client;
    this.#given = given;
    this.#credentials = credentials;
  }

  resolveDebugConfiguration(_folder: WorkspaceFolder | undefined, configuration: DebugConfiguration) {
    if (configuration.type !== undefined && configuration.type !== "") return configuration;
    const editor = window.activeTextEditor;
    if (editor?.document.languageId !== "appconfig") return configuration;
    const line = editor.selection.active.line + 1;
    return { type: TYPE, request: "launch", name: "Debug", program: editor.document.uri.fsPath, line };
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    _folder: WorkspaceFolder | undefined,
    configuration: DebugConfiguration,
    token?: CancellationToken,
  ): Promise<DebugConfiguration | undefined> {
    if (!(await isAllowed())) return undefined;
    const { program, test, replay } = configuration;
    // All else says itself what it is run on.
    if (typeof test === "string" || typeof replay === "string" || typeof program !== "string")
      return configuration;
    const document = await workspace.openTextDocument(Uri.file(program));
    if (document.isUntitled) throw new Error("Save the config first.");
    if (document.isDirty) await document.save();
    const node = await this.#nodeOf(configuration, document);
    if (node === undefined || token?.isCancellationRequested === true) return undefined;
    const given = await this.#given(document, node);
    if (given === "cancelled") return undefined;
    const { credentials, ...rest } = given;
    const connection = String(++this.#last);
    if (credentials !== undefined) this.#credentials.set(connection, credentials);
    const { line: _, ...named } = configuration;
    return {
      ...rest,
      ...named,
      node,
      connection,
      name: configuration.name,
      type: TYPE,
      request: configuration.request,
    };
  }

  async #nodeOf({ node, line }: DebugConfiguration, document: TextDocument): Promise<string | undefined> {
    if (typeof node === "string") return node;
    const all = await debuggablesIn(this.#client, document);
    const found = debuggableAt(all, typeof line === "number" ? line - 1 : 0);
    if (found === undefined)
      void window.showErrorMessage("configc: There is nothing in this config that can be run.");
    return found?.node;
  }
}
