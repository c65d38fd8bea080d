import { type QuickPickItem, type TextDocument, window } from "vscode";
import type { LogIn } from "./login.ts";
import type { Auth, Credential } from "./run.ts";
import type { Secrets } from "./secrets.ts";

interface Part {
  readonly name: string;
  readonly prompt: string;
  /** May stay empty, and is none then. */
  readonly optional?: true;
  /** May be empty: an API key often is the user name, and there is no password. */
  readonly maybeEmpty?: true;
  /** Asked only where that part was given. */
  readonly after?: string;
}

const account: readonly Part[] = [
  { name: "username", prompt: "User name" },
  { name: "password", prompt: "Password", maybeEmpty: true },
];
const token: readonly Part[] = [{ name: "token", prompt: "Token" }];

/** What is asked for each type of auth (D27). */
const asked: Readonly<Record<string, readonly Part[]>> = {
  basic: account,
  session: account,
  token,
  oauth2: [
    { name: "access_token", prompt: "Access token" },
    {
      name: "refresh_token",
      prompt: "Refresh token (empty: the access token isn't renewed)",
      optional: true,
    },
    {
      name: "client_id",
      prompt: "Client id (empty: the config's)",
      optional: true,
      after: "refresh_token",
    },
    {
      name: "client_secret",
      prompt: "Client secret (empty: the config's)",
      optional: true,
      after: "refresh_token",
    },
  ],
};

type Way = "log-in" | "type" | "without";

/** Connects configs with accounts: asks people for credentials, or lets them log in. */
export class Connections {
  readonly #secrets: Secrets;
  readonly #logIn: LogIn;
  /** Where a person chose to go on without, until the window is closed. */
  readonly #without = new Set<string>();

  constructor(secrets: Secrets, logIn: LogIn) {
    this.#secrets = secrets;
    this.#logIn = logIn;
  }

  /** The credentials of a run, as they are kept or from a person. @returns undefined to run without */
  async forRun(
    document: TextDocument,
    auth: Auth | undefined,
  ): Promise<Readonly<Record<string, Credential>> | undefined | "cancelled"> {
    if (auth === undefined) return undefined;
    const known = await this.#secrets.read(document.uri, auth.name);
    if (known !== undefined) return { [auth.name]: known };
    const key = JSON.stringify([document.uri.toString(), auth.name]);
    if (this.#without.has(key)) return undefined;
    const way = await chooseWay(auth, true);
    if (way === "without") {
      this.#without.add(key);
      return undefined;
    }
    const credential = way === undefined ? undefined : await this.#by(way, document, auth);
    return credential === undefined ? "cancelled" : { [auth.name]: credential };
  }

  /** Connects anew, whatever is kept already. @returns undefined if the person thought better of it */
  async connect(document: TextDocument, auth: Auth): Promise<Credential | undefined> {
    const way = await chooseWay(auth, false);
    const credential = way === undefined ? undefined : await this.#by(way, document, auth);
    if (credential !== undefined)
      void window.showInformationMessage(`“${auth.name}” is connected; kept in the secret storage only.`);
    return credential;
  }

  async #by(way: Way, document: TextDocument, auth: Auth): Promise<Credential | undefined> {
    const known = await this.#secrets.read(document.uri, auth.name);
    const credential = way === "log-in" ? await this.#logIn(document, auth, known) : await askFor(auth);
    if (credential !== undefined) await this.#secrets.write(document.uri, auth.name, credential);
    return credential;
  }
}

/** Where there is but one way, it isn't asked for. */
async function chooseWay({ name, type }: Auth, mayGoWithout: boolean): Promise<Way | undefined> {
  const items: (QuickPickItem & { readonly way: Way })[] = [];
  if (type === "oauth2")
    items.push(
      {
        way: "log-in",
        label: "$(link-external) Log in with the browser…",
        detail: "as a customer does; its tokens are kept in the editor's secret storage only",
      },
      {
        way: "type",
        label: "$(key) Enter tokens…",
        detail: "that you have already; kept in the editor's secret storage only",
      },
    );
  else
    items.push({
      way: "type",
      label: `$(key) Connect “${name}”…`,
      detail: "kept in the editor's secret storage only",
    });
  if (mayGoWithout)
    items.push({
      way: "without",
      label: "$(circle-slash) Run without credentials",
      detail: "until the window is closed",
    });
  if (items.length === 1) return items[0]?.way;
  const placeHolder = mayGoWithout ? `“${name}” (${type}) isn't connected` : `How is “${name}” connected?`;
  return (await window.showQuickPick(items, { title: "Connection", placeHolder }))?.way;
}

/** Asks a person, each part hidden while it is typed. @returns undefined if they thought better of it */
async function askFor({ name, type, shown, labels }: Auth): Promise<Credential | undefined> {
  const parts: Record<string, string> = {};
  for (const { name: part, prompt, optional, maybeEmpty, after } of asked[type] ?? token) {
    if (after !== undefined && parts[after] === undefined) continue;
    const label = labels[part] ?? prompt;
    const value = await window.showInputBox({
      title: `Connect “${name}” (${type})`,
      prompt: maybeEmpty ? `${label} (may be empty)` : label,
      password: !shown.includes(part),
      ignoreFocusOut: true,
    });
    if (value === undefined) return undefined;
    if (value !== "" || maybeEmpty) parts[part] = value;
    else if (optional === undefined) return undefined;
  }
  // Made of the parts that its type has.
  return parts as unknown as Credential;
}
