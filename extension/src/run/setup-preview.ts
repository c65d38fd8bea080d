import type { RunInfo, SetupParams } from "@configc/language-server";
import { type ExtensionContext, type TextDocument, type Uri, window, workspace } from "vscode";
import { besideConfig, readText } from "../files.ts";
import type { Connections } from "./connections.ts";
import { placeOf } from "./contexts.ts";
import type { Ask, Auth } from "./run.ts";
import { showSetup } from "./setup-panel.ts";
import { isAllowed } from "./trust.ts";

interface Needs {
  readonly ask: Ask;
  readonly connections: Connections;
  readonly info: (node: string) => Promise<RunInfo | null>;
}

/** The guided setup of a workflow as a customer would see it, against the service itself or against recorded answers. */
export async function previewSetup(
  context: ExtensionContext,
  document: TextDocument,
  { ask, connections, info }: Needs,
): Promise<void> {
  if (!(await isAllowed())) return;
  const workflow = await chooseWorkflow((await info(""))?.workflows ?? []);
  if (workflow === undefined) return;
  const recorded = await chooseAnswers(document.uri);
  if (recorded === undefined) return;
  const live = recorded === "live";
  const name = workflow.auth;
  const auth = name === undefined ? undefined : (await info(""))?.auths.find((each) => each.name === name);
  const credentials = live
    ? await connections.forRun(document, auth)
    : { ...madeUp(auth), ...recorded.credentials };
  if (credentials === "cancelled") return;
  const settings = workspace.getConfiguration("configc.run", document.uri);
  const params: SetupParams = {
    textDocument: { uri: document.uri.toString() },
    workflow: workflow.name,
    ...(credentials === undefined ? {} : { credentials }),
    // What is recorded was asked where the config says.
    ...(live ? await placeOf(document.uri, context.workspaceState) : { recorded: recorded.exchanges }),
    allowPrivateNetwork: settings.get<boolean>("allowPrivateNetwork") === true,
  };
  showSetup(context, document, ask, params, live);
}

async function chooseWorkflow(all: RunInfo["workflows"]): Promise<RunInfo["workflows"][number] | undefined> {
  if (all.length <= 1) return all[0];
  const items = all.map((workflow) => ({ label: workflow.label, description: workflow.name, workflow }));
  const picked = await window.showQuickPick(items, {
    title: "Setup preview",
    placeHolder: "Of which workflow?",
  });
  return picked?.workflow;
}

/** What a test file has to answer with. */
interface Recorded {
  readonly exchanges: readonly unknown[];
  /** Invented ones, which the recorded requests were made with. */
  readonly credentials: NonNullable<SetupParams["credentials"]>;
}

async function chooseAnswers(config: Uri): Promise<Recorded | "live" | undefined> {
  if (config.scheme === "untitled") return "live";
  const file = besideConfig(config, "apptest");
  const recorded = await readRecorded(file);
  if (recorded.exchanges.length === 0) return "live";
  const picked = await window.showQuickPick(
    [
      {
        label: "Recorded answers",
        detail: `${recorded.exchanges.length} of ${workspace.asRelativePath(file, false)}; nothing is sent`,
        answers: recorded,
      },
      {
        label: "The service itself",
        detail: "requests are sent with your connection",
        answers: "live" as const,
      },
    ],
    { title: "Setup preview", placeHolder: "Who answers?" },
  );
  return picked?.answers;
}

async function readRecorded(file: Uri): Promise<Recorded> {
  try {
    const { cases = [] } = JSON.parse(await readText(file)) as {
      readonly cases?: readonly { readonly http?: readonly unknown[]; readonly credentials?: object }[];
    };
    const credentials = Object.assign({}, ...cases.map((each) => each.credentials));
    return { exchanges: cases.flatMap(({ http }) => http ?? []), credentials };
  } catch {
    // No tests, or none that can be read.
    return { exchanges: [], credentials: {} };
  }
}

/** Recorded answers need no secret, only credentials of the right kind. */
function madeUp(auth: Auth | undefined): SetupParams["credentials"] {
  if (auth === undefined) return undefined;
  // Not a word of its own: what is secret is masked wherever it stands.
  const value = "invented-for-the-preview";
  if (auth.type === "token") return { [auth.name]: { token: value } };
  if (auth.type === "oauth2") return { [auth.name]: { access_token: value } };
  return { [auth.name]: { username: value, password: value } };
}
