/** Members that requests can't be answered without, by method; all about a document name it besides. */
const needed: Readonly<Record<string, readonly string[]>> = {
  "textDocument/completion": ["position"],
  "textDocument/hover": ["position"],
  "textDocument/signatureHelp": ["position"],
  "textDocument/definition": ["position"],
  "textDocument/references": ["position", "context"],
  "textDocument/documentHighlight": ["position"],
  "textDocument/prepareRename": ["position"],
  "textDocument/rename": ["position", "newName"],
  "textDocument/prepareCallHierarchy": ["position"],
  "textDocument/onTypeFormatting": ["position", "ch", "options"],
  "textDocument/codeAction": ["range", "context"],
  "textDocument/inlayHint": ["range"],
  "textDocument/semanticTokens/range": ["range"],
  "textDocument/rangeFormatting": ["range", "options"],
  "textDocument/formatting": ["options"],
  "textDocument/selectionRange": ["positions"],
  "callHierarchy/incomingCalls": ["item"],
  "callHierarchy/outgoingCalls": ["item"],
  "workspace/symbol": ["query"],
  "workspace/willRenameFiles": ["files"],
  initialize: ["capabilities"],
};

/** What these have to be; the others are objects. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  newName: isText,
  ch: isText,
  query: isText,
  files: Array.isArray,
  positions: Array.isArray,
  range: (value) => isObject(value) && isObject(value["start"]) && isObject(value["end"]),
};

/**
 * What a request lacks.
 *
 * @returns the name of the member, `textDocument.uri` for the document; undefined if it can be answered
 */
export function missingIn(method: string, params: unknown): string | undefined {
  const given = isObject(params) ? params : {};
  if (/^(?:textDocument|configc)\//.test(method)) {
    const { textDocument } = given;
    if (!isObject(textDocument) || !isText(textDocument["uri"])) return "textDocument.uri";
  }
  if (!Object.hasOwn(needed, method)) return undefined;
  return needed[method]!.find((name) => !(kinds[name] ?? isObject)(given[name]));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
