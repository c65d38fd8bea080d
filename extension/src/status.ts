import { type ExtensionContext, LanguageStatusSeverity, languages } from "vscode";
import { type BaseLanguageClient, State } from "vscode-languageclient";

const states = {
  [State.Starting]: { text: "configc is starting", severity: LanguageStatusSeverity.Information },
  [State.StartFailed]: { text: "configc couldn't start", severity: LanguageStatusSeverity.Error },
  [State.Running]: { text: "configc", severity: LanguageStatusSeverity.Information },
  [State.Stopped]: { text: "configc has stopped", severity: LanguageStatusSeverity.Error },
} as const;

/** The language's entry in the status bar: how the server is, and how to start it again. */
export function showStatus(context: ExtensionContext, client: BaseLanguageClient): void {
  const item = languages.createLanguageStatusItem("configc.server", { language: "appconfig" });
  item.name = "configc";
  const show = (state: State): void => {
    const { text, severity } = states[state];
    item.text = text;
    item.severity = severity;
    item.busy = state === State.Starting;
    const failed = severity === LanguageStatusSeverity.Error;
    const version = client.initializeResult?.serverInfo?.version;
    item.detail = failed
      ? "Configs aren't checked"
      : `Language server${version === undefined ? "" : ` ${version}`}`;
    item.command = failed
      ? { command: "configc.restartServer", title: "Start it again" }
      : { command: "configc.showOutput", title: "Show the log" };
  };
  show(client.state);
  context.subscriptions.push(
    item,
    client.onDidChangeState(({ newState }) => show(newState)),
  );
}
