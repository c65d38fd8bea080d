import { announced, methodsOf } from "../../packages/language-server/src/announced.ts";
import { code, table } from "./markdown.ts";

/** What each method gives; several that belong together share a row. */
const rows: readonly (readonly [methods: readonly string[], gives: string])[] = [
  [
    ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"],
    "documents by their changes; they need not be on disk",
  ],
  [
    ["textDocument/diagnostic"],
    "findings with code, link to the page of the rule, related places and tags; an empty document has none yet. To a client that doesn't pull they are pushed, once per version, by `textDocument/publishDiagnostics`",
  ],
  [
    ["workspace/diagnostic"],
    "the findings of all configs of the workspace, open or not, as `configc check` has them, by the settings' `files` and `exclude`. If nothing has changed since the last answer, the next one waits until something does",
  ],
  [
    ["textDocument/completion"],
    "members with everything that they require, commands, listed values, names of auth entries and intakes, resources. Inside `${…}`: the roots, fields, attributes, keys, step indexes and members that are legal at that place. Inside jq: members of known values, builtins, definitions, variables and formats. It works in strings that aren't closed yet, and offers whole configs in an empty document. The inserted text has everything that it requires, adds missing commas, and has no error of its own. Types and parameters are in `labelDetails`, if the client shows them",
  ],
  [
    ["completionItem/resolve"],
    "the documentation, if the client asks for it later. For a member also its type, its origin, its values in samples, and its description in an OpenAPI document",
  ],
  [
    ["textDocument/hover"],
    "the language's description of a member, command or value; fields, keys and steps of an expansion; builtins and types of expressions of jq; the origin of a value, and its values in [samples](types.md). From an OpenAPI document: the operation of a path, its parameters, members of the body, and members of the response wherever they are read",
  ],
  [["textDocument/signatureHelp"], "the parameters of a jq function"],
  [
    ["textDocument/definition", "textDocument/references", "textDocument/documentHighlight"],
    'of auth entries, intakes, workflows, form fields, saved keys, polling keys, members that a program makes with `{…}` and that it or a later step reads by name, and variables and functions of jq programs. The definition of a path is its operation in the OpenAPI document. The definitions of `"!http"`, and of the `create` of a webhook, are its [samples](types.md), beside the config or where the settings name them',
  ],
  [
    ["textDocument/typeDefinition"],
    "the source of a value's type: its operation in an OpenAPI document, its samples, its form field, or else the command that gives it",
  ],
  [
    ["textDocument/prepareRename", "textDocument/rename"],
    "renames every name that has a definition, in every expansion and program, with quotes where jq wants them. If a rename isn't certain, it is refused with the reason: a name that is taken or that no path can have, a key that some command writes or reads without spelling it",
  ],
  [
    ["textDocument/linkedEditingRange"],
    "the places of such a name that can be edited at the same time: all of them, if all write it alike",
  ],
  [
    ["textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"],
    "for saved and polling keys: the commands that depend on a key, one after the other, and the commands that its value comes from",
  ],
  [
    ["textDocument/codeAction"],
    "the fixes of a finding, silencing it with a reason, adding missing members, a template for an empty document, `$<…>` written as `${…}`, [refactorings](#refactorings), and `source.fixAll` for all safe fixes",
  ],
  [
    ["codeAction/resolve"],
    "the edit of an action, if the client asks for it later. It is refused if the document has changed since the request for the actions",
  ],
  [
    ["textDocument/documentSymbol", "workspace/symbol"],
    "auth entries, intakes, workflows, fields and commands; a list for clients that announce `documentSymbol` without trees",
  ],
  [
    ["textDocument/foldingRange", "textDocument/selectionRange"],
    "objects, lists and comments; selections grow from jq through the expansion to JSON",
  ],
  [
    [
      "textDocument/semanticTokens/full",
      "textDocument/semanticTokens/full/delta",
      "textDocument/semanticTokens/range",
    ],
    "expansions and jq inside strings. Modifiers mark declarations, and names of jq or of the platform. After an edit, only the changed tokens",
  ],
  [
    ["textDocument/inlayHint"],
    "the output of each step of a pipe, and the step that an index of `piped_content` means",
  ],
  [
    ["textDocument/inlineValue"],
    "the expansions at the place where a [debugged](debugging.md) run stands, so that the client can have them evaluated",
  ],
  [
    ["textDocument/codeLens", "codeLens/resolve"],
    '"Run step", "Run pipe to here", "Run poll", "Simulate", "Show type" (commands of the client), and counts of references, which `codeLens/resolve` fills in',
  ],
  [["textDocument/documentLink"], "URLs, and the pages of rules that a `_comment` silences"],
  [
    [
      "textDocument/formatting",
      "textDocument/rangeFormatting",
      "textDocument/rangesFormatting",
      "textDocument/onTypeFormatting",
    ],
    "a layout that keeps comments, values, the order of keys, and values that their author put on one line; typing `${` adds the closing brace",
  ],
  [
    ["workspace/willRenameFiles", "workspace/didRenameFiles"],
    "a renamed config takes its samples and run contexts along, and its tests get its new name. A test that moves still finds its config. The same holds for folders. It works for files on this machine, as far as the client can do such edits",
  ],
  [
    ["workspace/didChangeWorkspaceFolders"],
    "each folder of the workspace has settings of its own, also a folder that is added later",
  ],
];

/** The table of methods in `docs/editors.md`: those that the server's capabilities announce. */
export function lspMethods(): { readonly text: string; readonly problems: readonly string[] } {
  const methods = methodsOf(announced());
  const told = new Set(rows.flatMap(([each]) => each));
  const problems = [
    ...methods
      .filter((method) => !told.has(method))
      .map((method) => `Nothing says what \`${method}\` gives: scripts/docs/lsp-methods.ts.`),
    ...[...told]
      .filter((method) => !methods.includes(method))
      .map((method) => `\`${method}\` isn't announced: scripts/docs/lsp-methods.ts.`),
  ];
  const cells = rows.map(([each, gives]) => [each.map(code).join(", "), gives]);
  return { text: table(["method", "what it gives"], cells), problems };
}
