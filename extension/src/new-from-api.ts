import type {
  ProposeConfigParams,
  ProposedConfig,
  WriteConfigParams,
  WrittenConfig,
} from "@configc/language-server";
import { type ExtensionContext, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { registerCommands, reported } from "./commands.ts";
import type { FromScaffold, ToScaffold } from "./messages.ts";
import { webviewPage } from "./webview-page.ts";

/** “New Config from an API Description…”: a page that shows what a file tells of an API, asks what it doesn't, and writes the config. */
export function offerConfigsFromApis(context: ExtensionContext, client: BaseLanguageClient): void {
  registerCommands(context, {
    "configc.newConfigFromApi": async (given) => {
      const from = given instanceof Uri ? given : await chosenFile();
      if (from !== undefined) new ApiPage(context, client, from);
    },
  });
}

async function chosenFile(): Promise<Uri | undefined> {
  const chosen = await window.showOpenDialog({
    title: "What describes the API?",
    openLabel: "Read",
    filters: {
      "OpenAPI, HAR, cURL": ["json", "yaml", "yml", "har", "txt", "sh"],
      "All files": ["*"],
    },
  });
  return chosen?.[0];
}

class ApiPage {
  readonly #client: BaseLanguageClient;
  readonly #from: Uri;
  readonly #panel: WebviewPanel;
  #params: ProposeConfigParams;
  #message: ToScaffold | undefined;
  #isClosed = false;

  constructor(context: ExtensionContext, client: BaseLanguageClient, from: Uri) {
    this.#client = client;
    this.#from = from;
    this.#params = { from: client.code2ProtocolConverter.asUri(from) };
    const title = `New config: ${fileName(from)}`;
    this.#panel = window.createWebviewPanel("configc.scaffold", title, ViewColumn.Active);
    this.#panel.iconPath = Uri.joinPath(context.extensionUri, "media/icon.png");
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
    });
    const { webview } = this.#panel;
    webview.html = webviewPage(webview, context.extensionUri, "scaffold", "Reading the description …");
    webview.onDidReceiveMessage((message: FromScaffold) => reported(() => this.#receive(message)));
    void this.#propose();
  }

  async #propose(): Promise<void> {
    const params = this.#params;
    try {
      const proposal = await this.#client.sendRequest<ProposedConfig>("configc/proposeConfig", params);
      // Another choice was made meanwhile.
      if (params !== this.#params) return;
      const { read, write } = params;
      this.#tell({
        kind: "proposal",
        from: fileName(this.#from),
        proposal,
        chosen: { ...(read === undefined ? {} : { read }), ...(write === undefined ? {} : { write }) },
      });
    } catch (error) {
      if (params !== this.#params) return;
      this.#tell({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(message: ToScaffold): void {
    this.#message = message;
    if (!this.#isClosed) void this.#panel.webview.postMessage(message);
  }

  async #receive(message: FromScaffold): Promise<void> {
    switch (message.kind) {
      case "ready":
        if (this.#message !== undefined) await this.#panel.webview.postMessage(this.#message);
        return;
      case "choose": {
        const { kind: _, ...chosen } = message;
        this.#params = { ...this.#params, ...chosen };
        return await this.#propose();
      }
      case "write":
        return await this.#write(message.name);
    }
  }

  async #write(name: string): Promise<void> {
    const folder = workspace.getWorkspaceFolder(this.#from)?.uri ?? workspace.workspaceFolders?.[0]?.uri;
    const place = folder ?? Uri.joinPath(this.#from, "..");
    const config = Uri.joinPath(place, `${name.replace(/\.app\.json$/, "")}.app.json`);
    const params: WriteConfigParams = {
      ...this.#params,
      config: this.#client.code2ProtocolConverter.asUri(config),
    };
    const { notes } = await this.#client.sendRequest<WrittenConfig>("configc/writeConfig", params);
    await window.showTextDocument(config);
    this.#panel.dispose();
    if (notes.length > 0) void window.showInformationMessage(notes.join(" "));
  }
}

function fileName({ path }: Uri): string {
  return path.split("/").pop() ?? "";
}
