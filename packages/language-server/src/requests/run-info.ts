import type { App, AppAuth, AppField, JsonNode, Model } from "@configc/compiler";
import { findNode, mayWrite, nodeTitle, pointerTo } from "@configc/compiler/internal";
import { authAt, isSecretMember } from "@configc/runtime/internal";
import type { TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { requiredNode } from "./required-node.ts";

const RUN_INFO = "configc/runInfo";

/** What `configc/runInfo` takes: a JSON Pointer, or a dotted path of names, as `node`. */
export interface RunInfoParams {
  readonly textDocument: TextDocumentIdentifier;
  readonly node: string;
}

/** What a client has to ask a person for before a run. */
export interface RunInfo {
  /** What a person calls the node: by the names that are declared around it, `import-people › person › options`. */
  readonly title: string;
  /** The auth entry whose credentials are sent. */
  readonly auth?: RunInfoAuth;
  /** Form fields whose values it may read; none where it reads none. */
  readonly fields: readonly RunInfoField[];
  /** Requests that may change something at the service: of the outermost command around the node. */
  readonly writes: readonly RunInfoWrite[];
  /** All entries of the document. */
  readonly auths: readonly RunInfoAuth[];
  readonly workflows: readonly { readonly name: string; readonly label: string; readonly auth?: string }[];
}

/** A request that may change something: no search, and no query of GraphQL. */
export interface RunInfoWrite {
  /** JSON Pointer of its command. */
  readonly pointer: string;
  /** Or what stands there, where that is known in a run only. */
  readonly method: string;
  /** As it stands in the document. */
  readonly address: string;
}

/** An auth entry as a client asks a person for its credentials. */
export interface RunInfoAuth {
  readonly name: string;
  readonly type: string;
  /** What of its credentials anyone may read: the rest has to be hidden while it is typed (E32). */
  readonly shown: readonly string[];
  /** What the config calls them, by the names of `defined_fields`: a user name often is an “API key” there. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A form field as a client asks a person for its value. */
export interface RunInfoField {
  readonly id: string;
  readonly label: string;
  readonly type: AppField["type"];
  readonly required: boolean;
}

/** `configc/runInfo`: which connection and which form fields a command depends on; null for an unknown node. */
export const runInfo: Feature = {
  capabilities: {},
  register({ connection, config }) {
    connection.onRequest(RUN_INFO, (params: RunInfoParams): RunInfo | null => {
      const { textDocument } = params;
      const node = requiredNode(params);
      const compilation = config(textDocument.uri)?.compilation;
      if (compilation === undefined) return null;
      const { model, app } = compilation;
      const found = findNode(model, node);
      if (!("node" in found)) return null;
      const pointer = pointerTo(found.node);
      const run = whatRuns(model, found.node);
      const name = sendsCredentials(model, run) ? authAt(app, pointer) : undefined;
      const auth = name === undefined || !Object.hasOwn(app.auth, name) ? undefined : app.auth[name];
      return {
        title: nodeTitle(model, pointer),
        ...(auth === undefined ? {} : { auth: authOf(auth) }),
        fields: (readsForm(model, run) ? fieldsAt(app, pointer) : []).map(
          ({ id, label, type, required }) => ({
            id,
            label,
            type,
            required,
          }),
        ),
        writes: writesIn(model, run),
        auths: Object.values(app.auth).map(authOf),
        workflows: app.workflows.map(({ name, label, auth }) => ({
          name,
          label: label === "" ? name : label,
          ...(auth === undefined ? {} : { auth }),
        })),
      };
    });
  },
};

/** What credentials consist of that may be public (D27). */
const mayBeShown = ["username", "client_id", "subdomain"];

function authOf(auth: AppAuth): RunInfoAuth {
  const { name, type, definedFields } = auth;
  const labels = definedFields.flatMap(({ id, label }) => (label ? [[id, label] as const] : []));
  return {
    name,
    type,
    shown: mayBeShown.filter((member) => !isSecretMember(auth, member)),
    labels: Object.fromEntries(labels),
  };
}

/** The outermost command around a node, since a step may be run with those before it; of a workflow its pipeline. */
function whatRuns({ commands, workflows }: Model, node: JsonNode): JsonNode {
  const workflow = workflows.find((each) => each.node === node)?.node;
  if (workflow !== undefined) return workflow.get("data_pipeline") ?? workflow;
  const around = commands.find(
    (each) => each.parent === undefined && each.node.start <= node.start && node.end <= each.node.end,
  );
  return around?.node ?? node;
}

/** Whether a request in it goes to the connection, as requests do that don't say where (D17). */
function sendsCredentials({ commands }: Model, { start, end }: JsonNode): boolean {
  return commands.some(({ key, node, argument }) => {
    if (key !== "!http" || node.start < start || end < node.end) return false;
    const target = argument?.kind === "object" ? argument.get("target") : undefined;
    return target?.kind !== "string" || target.value === "connection";
  });
}

function writesIn({ commands }: Model, { start, end }: JsonNode): RunInfoWrite[] {
  return commands.flatMap(({ key, node, argument }) => {
    if (key !== "!http" || node.start < start || end < node.end || argument?.kind !== "object") return [];
    const text = (name: string): string | undefined => {
      const value = argument.get(name);
      return value?.kind === "string" ? value.value : undefined;
    };
    const method = (text("method") ?? "GET").toUpperCase();
    const address = text("path") ?? text("url") ?? "";
    const body = argument.get("body");
    const query = body?.kind === "object" ? body.get("query") : undefined;
    const isWrite = mayWrite({
      method,
      address,
      query: query?.kind === "string" ? query.value : undefined,
    });
    return isWrite ? [{ pointer: pointerTo(node), method, address }] : [];
  });
}

function readsForm({ document }: Model, { start, end }: JsonNode): boolean {
  return document.text.slice(start, end).includes("custom_data");
}

/** Of the workflow that a node is in, or of the first that uses its intake. */
function fieldsAt({ workflows, intakes }: App, pointer: string): readonly AppField[] {
  const isIn = (outer: string): boolean => pointer === outer || pointer.startsWith(`${outer}/`);
  const intake = intakes.find((each) => isIn(each.pointer))?.index;
  const workflow =
    workflows.find((each) => isIn(each.pointer)) ??
    workflows.find(
      (each) => intake !== undefined && (each.intake === intake || each.historicalIntake === intake),
    );
  return workflow?.setup.select?.fields ?? [];
}
