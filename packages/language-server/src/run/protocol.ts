import type { App, Settings } from "@configc/compiler";
import type {
  Credential,
  Credentials,
  Cut,
  Effects,
  FieldOption,
  Json,
  MapFields,
  Mapping,
  OAuthCredential,
  RunContext,
  RunErrorKind,
  SetupIssue,
  SetupView,
} from "@configc/runtime";
import type { ProgressToken, Range, TextDocumentIdentifier } from "vscode-languageserver";

/** Runs a command, a polling intake or a workflow of an open document. Cancelled like any request. */
export const RUN_STEP = "configc/runStep";

/** Sent to the client before a renewed token is used, so that it can be kept (D30). Clients that don't know it lose it. */
export const CREDENTIAL_RENEWED = "configc/credentialRenewed";

/** What the client lets a run do. */
export interface WorldParams {
  /** By name in `auth`. Held for this run only. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  /** Instead of `api.base_url`. */
  readonly baseUrl?: string;
  /** Lets requests reach this machine and private networks. */
  readonly allowPrivateNetwork?: boolean;
  /** Given: requests are answered from these exchanges, as a test file has them, and nothing is sent. */
  readonly recorded?: readonly unknown[];
}

/** What `configc/runStep` takes. */
export interface RunStepParams extends WorldParams {
  readonly textDocument: TextDocumentIdentifier;
  /** A JSON Pointer, or a dotted path of names as for `configc run`. */
  readonly node: string;
  /** `pipe`: the pipe around the node from its beginning, and up to it. Default: `step`, the node alone. */
  readonly extent?: "step" | "pipe";
  /** What the command takes; by default the object of the roots (D16). */
  readonly input?: Json;
  /** Values of the roots. */
  readonly context?: RunContext;
  /** Given: steps are told as they happen, by `$/progress` with this token; the result has them all once more. */
  readonly partialResultToken?: ProgressToken;
  /** Given: nothing is sent; each request is answered by an empty object, and its exchange says so. */
  readonly dryRun?: boolean;
  /**
   * Given: the server keeps the values of the run until the next such run of the document, or until that is closed, and gives them by
   * `configc/runValue` and the like. The result has no `http` then, and its output is cut as those of steps are.
   */
  readonly keep?: boolean;
}

/** Steps that began or went on since the last notification. */
export interface RunStepProgress {
  /** Of a run that is kept: what its values are asked for by. */
  readonly run?: number;
  /** `index` in `steps` of the result. */
  readonly steps: readonly { readonly index: number; readonly step: RanStep }[];
}

/** What a run gave. Nothing in it is secret: values are masked where they were captured. */
export interface RunStepResult {
  /** JSON Pointer of what was run. */
  readonly node: string;
  /** Of a run that is kept: what its values are asked for by. */
  readonly run?: number;
  /** Absent if it failed. */
  readonly output?: Json;
  /** Where the output of a run that is kept has less than there was; pointers begin with `/output`. */
  readonly cuts?: readonly Cut[];
  readonly failure?: RunFailure;
  /** Commands in the order in which they began. */
  readonly steps: readonly RanStep[];
  readonly milliseconds: number;
  /** Requests and answers, as a test file has them; absent for a run that is kept. */
  readonly http?: readonly unknown[];
}

/** Why a run failed, and where: at a command by its pointer, and at its characters in the document. */
export interface RunFailure {
  readonly kind: RunErrorKind | "InternalError";
  readonly message: string;
  readonly pointer: string;
  /** Where in the document; absent where no command is at fault. */
  readonly range?: Range;
  readonly status?: number;
  readonly cause?: string;
  /** The request went to this machine or a private network, and `allowPrivateNetwork` wasn't given. */
  readonly refused?: true;
}

/** One command of a run; without an output and an error it goes on, or was cancelled. Values are cut at a size, and `cuts` says where. */
export interface RanStep {
  /** Pointers begin with `/input`, `/output` or `/error`. */
  readonly cuts?: readonly Cut[];
  /** JSON Pointer. */
  readonly node: string;
  /** Its key, such as `!http`. */
  readonly key: string;
  /** Commands around it in the run. */
  readonly depth: number;
  /** Of its key in the document. */
  readonly range?: Range;
  readonly input: unknown;
  readonly output?: unknown;
  /** `{kind, message}` */
  readonly error?: unknown;
  /** From the beginning of the run. */
  readonly start: number;
  readonly milliseconds: number;
  readonly exchanges: readonly Exchange[];
  /** Waits, log entries and the like. */
  readonly notes: readonly string[];
}

/** A request and what came of it; headers that authorise are masked. */
export interface Exchange {
  /** Pointers begin with the name of a member, such as `/body` or `/response/body`. */
  readonly cuts?: readonly Cut[];
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** `{status, headers, body}` */
  readonly response?: { readonly status: number; readonly headers: unknown; readonly body?: unknown };
  /** Why there was no answer, or none that is data. */
  readonly failure?: string;
  readonly milliseconds: number;
}

/** A part of what is at a place of a kept run: items of a list, members of an object, UTF-16 units of a text. */
export const RUN_VALUE = "configc/runValue";

/** What is at a place of a kept run as JSON text, laid out and whole. */
export const RUN_TEXT = "configc/runText";

/** Where a text stands in a value of a kept run: in names, texts and numbers, whatever its case. Cancelled like any request. */
export const RUN_FIND = "configc/runFind";

/** Output, requests and answers of a kept run, whole, as `configc/runStep` gives them for one that isn't kept. */
export const RUN_RECORDING = "configc/runRecording";

/** A value of a run. */
export interface RunPart {
  /** Index in its steps; absent: the run as a whole. */
  readonly step?: number;
  /** Index in the exchanges of the step. */
  readonly exchange?: number;
  /** `request` and `response` are the bodies of an exchange, as JSON if they are JSON. */
  readonly part: "input" | "output" | "request" | "response";
}

/** What `configc/runText` takes. */
export interface RunTextParams extends RunPart {
  readonly textDocument: TextDocumentIdentifier;
  readonly run: number;
  /** JSON Pointer in the value, with names as they are shown; default: the value as a whole. */
  readonly pointer?: string;
  /** Characters that the client has room for: a longer text is refused. */
  readonly most?: number;
}

/** What `configc/runValue` takes. */
export interface RunValueParams extends RunTextParams {
  readonly from?: number;
  /** Fewer come where they are large. Default: 100. */
  readonly count?: number;
}

/** What `configc/runValue` gives: the part, without secrets. */
export interface RunValueResult {
  readonly value: unknown;
  /** Pointers into `value`. */
  readonly cuts: readonly Cut[];
  /** Of the whole: items, members or UTF-16 units; 0 for what has none. */
  readonly length: number;
}

/** What `configc/runFind` takes. */
export interface RunFindParams extends RunTextParams {
  readonly text: string;
}

/** What `configc/runFind` gives. */
export interface RunFindResult {
  /** At most 1,000. */
  readonly matches: readonly Match[];
  /** All of them, also those that are not listed. */
  readonly count: number;
}

/** A text or number that has what is looked for in it, or a member whose name has. */
export interface Match {
  /** JSON Pointer in the whole value. */
  readonly pointer: string;
  readonly value: unknown;
  /** Pointers into `value`. */
  readonly cuts?: readonly Cut[];
}

/** What `configc/runRecording` takes. */
export interface RunRecordingParams {
  readonly textDocument: TextDocumentIdentifier;
  readonly run: number;
}

/** What `configc/runRecording` gives. */
export interface RunRecordingResult {
  /** Absent if it failed. */
  readonly output?: Json;
  readonly http: readonly unknown[];
}

/**
 * Makes what one run may do to the world. The server itself reaches nothing: whoever starts it decides, and brings the guard that
 * refuses addresses which aren't public.
 */
export type RunWorld = (options: RunWorldOptions) => Promise<{
  readonly effects: Effects;
  /** What was sent and answered, as a test file has it. */
  readonly exchanges: (redact: (text: string) => string) => readonly unknown[];
}>;

/** What a run world is made for: one app, and what the client lets this run do. */
export interface RunWorldOptions {
  /** As it stands in the document. */
  readonly app: App;
  readonly settings: Settings;
  /** The client's: it alone keeps them. */
  readonly credentials: Credentials;
  readonly allowPrivateNetwork: boolean;
  readonly baseUrl: string | undefined;
  readonly subdomain: string | undefined;
  readonly recorded: readonly unknown[] | undefined;
  /** Nothing is sent: each request is answered by an empty object. */
  readonly dryRun: boolean;
}

/** One move in the guided setup of a workflow (D43). */
export const SETUP = "configc/setup";

/** What `configc/setup` takes. */
export interface SetupParams extends WorldParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Its name. */
  readonly workflow: string;
  /** What the setup has come to, from the last result; absent to begin. */
  readonly draft?: unknown;
  /** What the customer does; absent to look only. */
  readonly action?: SetupAction;
  /** What is typed into fields with a `search_term`, by their id: their choices are looked up by it. */
  readonly searches?: Readonly<Record<string, string>>;
  readonly subdomain?: string;
}

/** What a customer does in the step on show, or going to another one. */
export type SetupAction =
  | { readonly kind: "connect" | "select" | "review" }
  | { readonly kind: "answer"; readonly field: string; readonly value: Json; readonly search?: string }
  | { readonly kind: "map"; readonly mapping: Mapping }
  | { readonly kind: "schedule"; readonly option: "recurring" | "single" }
  | { readonly kind: "go"; readonly step: SetupView["current"]["step"] };

/** What `configc/setup` gives: the draft to keep, and all that is to be shown of it. */
export interface SetupResult {
  readonly draft: unknown;
  readonly view: SetupView;
  /** Choices of the fields on show, by id, but of those that wait for another; a text says why there are none. */
  readonly choices: Readonly<Record<string, readonly FieldOption[] | string>>;
  /** Of the commands that should have given choices, by field; `map` of those of the mapping. */
  readonly choiceFailures: Readonly<Record<string, RunFailure>>;
  /** Both sides of the mapping, where it is on show. */
  readonly mapFields?: MapFields;
  /** What the customer has to mend. */
  readonly issues: readonly SetupIssue[];
  /** Of a command of the app. */
  readonly failure?: RunFailure;
  readonly steps: readonly RanStep[];
}

/** Logs in to the service of an `oauth2` entry, in the person's browser. Cancelled like any request. */
export const LOGIN = "configc/login";

/** What `configc/login` takes. */
export interface LoginParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Its name in `auth`. */
  readonly auth: string;
  /** What the config leaves open. */
  readonly client?: LoginClient;
  /** Of the redirect address, where the service wants it registered; default: any that is free. */
  readonly port?: number;
  /** Lets the token request reach this machine and private networks. */
  readonly allowPrivateNetwork?: boolean;
}

/** The client of the OAuth service, as far as the config has placeholders for it: the answers to what was in `needs`. */
export interface LoginClient {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly subdomain?: string;
}

/**
 * The tokens, which the client alone keeps; or what a person has to be asked for before; or why the request for the tokens would be
 * refused without `allowPrivateNetwork`: nobody was sent to the service yet.
 */
export type LoginResult =
  | { readonly credential: OAuthCredential }
  | { readonly refused: string }
  | { readonly needs: readonly ("client_id" | "client_secret" | "subdomain")[] };

/** Does the login. The server itself opens no port and sends no request: whoever starts it decides. */
export type Login = (options: {
  readonly app: App;
  readonly auth: string;
  readonly client: LoginClient;
  readonly port: number | undefined;
  readonly allowPrivateNetwork: boolean;
  /** Opens the person's browser. */
  readonly open: (url: string) => Promise<void>;
  readonly signal: AbortSignal;
}) => Promise<LoginResult>;
