/** Members that messages are nothing without, as paths, by method; all about a document name it besides. */
const needed: Readonly<Record<string, readonly string[]>> = {
  "textDocument/completion": ["position"],
  "textDocument/hover": ["position"],
  "textDocument/signatureHelp": ["position"],
  "textDocument/definition": ["position"],
  "textDocument/typeDefinition": ["position"],
  "textDocument/linkedEditingRange": ["position"],
  "textDocument/inlineValue": ["range", "context.stoppedLocation"],
  "textDocument/references": ["position", "context"],
  "textDocument/documentHighlight": ["position"],
  "textDocument/prepareRename": ["position"],
  "textDocument/rename": ["position", "newName"],
  "textDocument/prepareCallHierarchy": ["position"],
  "textDocument/onTypeFormatting": ["position", "ch", "options"],
  "textDocument/codeAction": ["range", "context.diagnostics"],
  "textDocument/inlayHint": ["range"],
  "textDocument/semanticTokens/range": ["range"],
  "textDocument/rangeFormatting": ["range", "options"],
  "textDocument/rangesFormatting": ["ranges", "options"],
  "textDocument/formatting": ["options"],
  "textDocument/selectionRange": ["positions"],
  "callHierarchy/incomingCalls": ["item"],
  "callHierarchy/outgoingCalls": ["item"],
  "workspace/symbol": ["query"],
  "workspace/willRenameFiles": ["files"],
  initialize: ["capabilities"],
  "textDocument/didOpen": ["textDocument.text"],
  "textDocument/didChange": ["contentChanges"],
  "workspace/didChangeWorkspaceFolders": ["event.added", "event.removed"],
  "configc/lenses": ["range"],
  "configc/setup": ["workflow"],
  "configc/login": ["auth"],
  "configc/proposeConfig": ["from"],
  "configc/writeConfig": ["from", "config"],
};

/** Of ours, what is about no document that is open. */
const ofFiles: ReadonlySet<string> = new Set(["configc/proposeConfig", "configc/writeConfig"]);

/** What these have to be; the others are objects. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  "textDocument.uri": isText,
  "textDocument.text": isText,
  contentChanges: Array.isArray,
  "event.added": isFolders,
  "event.removed": isFolders,
  workflow: isText,
  auth: isText,
  from: isText,
  config: isText,
  newName: isText,
  ch: isText,
  query: isText,
  files: Array.isArray,
  position: isPosition,
  positions: (value) => Array.isArray(value) && value.every(isPosition),
  range: isRange,
  ranges: (value) => Array.isArray(value) && value.every(isRange),
  "context.stoppedLocation": isRange,
  "context.diagnostics": Array.isArray,
};

/**
 * What a request or a notification lacks.
 *
 * @returns the path of the member; undefined if it lacks nothing
 */
export function missingIn(method: string, params: unknown): string | undefined {
  const isOfDocument = /^(?:textDocument|configc)\//.test(method) && !ofFiles.has(method);
  const ofDocument = isOfDocument ? ["textDocument.uri"] : [];
  const others = Object.hasOwn(needed, method) ? needed[method]! : [];
  return [...ofDocument, ...others].find((path) => !(kinds[path] ?? isObject)(valueAt(params, path)));
}

function valueAt(params: unknown, path: string): unknown {
  return path.split(".").reduce((value, name) => (isObject(value) ? value[name] : undefined), params);
}

function isPosition(value: unknown): boolean {
  return isObject(value) && typeof value["line"] === "number" && typeof value["character"] === "number";
}

function isRange(value: unknown): boolean {
  return isObject(value) && isPosition(value["start"]) && isPosition(value["end"]);
}

function isFolders(value: unknown): boolean {
  return Array.isArray(value) && value.every((folder) => isObject(folder) && isText(folder["uri"]));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
