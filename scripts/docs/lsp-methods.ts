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
    "the findings of all configs of the workspace, open or not, as `configc check` has them, by the settings' `files` and `exclude`; where nothing has changed since the last answer, the next one waits until something does",
  ],
  [
    ["textDocument/completion"],
    "members with what they require, commands, listed values, names of auth entries and intakes, resources; inside `${…}` the roots, fields, attributes, keys, step indexes and members that are legal at that place; inside jq members of what is known, builtins, definitions, variables and formats; in strings that aren't closed yet as well; whole configs in a document that has nothing yet. What is written has all that it requires, with commas where they lack, and no error of its own. Types and parameters stand in `labelDetails`, where the client shows them",
  ],
  [
    ["completionItem/resolve"],
    "the documentation, where the client asks for it later: of a member also its type, where it comes from, what samples have of it, and what an OpenAPI document says of it",
  ],
  [
    ["textDocument/hover"],
    "what the language says of a member, command or value; fields, keys and steps of an expansion; builtins and types of expressions of jq; where a value comes from, and what it was in [samples](types.md); of an OpenAPI document the operation of a path, its parameters, members of the body, and members of the answer wherever they are read",
  ],
  [["textDocument/signatureHelp"], "the parameters of a jq function"],
  [
    ["textDocument/definition", "textDocument/references", "textDocument/documentHighlight"],
    'of auth entries, intakes, workflows, form fields, saved keys, polling keys, members that a program makes with `{…}` and that it or a later step reads by name, and variables and functions of jq programs; the definition of a path is its operation in the OpenAPI document; that of `"!http"`, and of the `create` of a webhook, are its [samples](types.md), beside the config or where the settings name them',
  ],
  [
    ["textDocument/typeDefinition"],
    "where it is said what a value is like: its operation in an OpenAPI document, its samples, the form field that it is of, or else the command that gives it",
  ],
  [
    ["textDocument/prepareRename", "textDocument/rename"],
    "the names that have a definition, rewriting every expansion and program, with quotes where jq wants them; what can't be renamed with certainty is refused with the reason: a name that is taken or that no path can have, a key that some command writes or reads without spelling it",
  ],
  [
    ["textDocument/linkedEditingRange"],
    "the places of such a name that can be typed at the same time: all of them, if all write it alike",
  ],
  [
    ["textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"],
    "saved and polling keys: what depends on a key, from command to command, and which commands its value comes from",
  ],
  [
    ["textDocument/codeAction"],
    "the fixes of a finding, silencing it with a reason, adding missing members, a template for an empty document, `$<…>` written as `${…}`, [refactorings](#refactorings), and `source.fixAll` for all safe fixes",
  ],
  [
    ["codeAction/resolve"],
    "the edit of an action, where the client asks for it later; refused if the document has changed since the actions were asked for",
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
    "expansions and jq inside strings, with what declares a name and what is jq's or the platform's own as modifiers; after an edit only what changed",
  ],
  [
    ["textDocument/inlayHint"],
    "what each step of a pipe gives, and which step an index of `piped_content` means",
  ],
  [
    ["textDocument/inlineValue"],
    "the expansions at the place where a [debugged](debugging.md) run stands, for the client to have them evaluated",
  ],
  [
    ["textDocument/codeLens", "codeLens/resolve"],
    '"Run step", "Run pipe to here", "Run poll", "Simulate", "Show type" (commands of the client) and counts of references, which are resolved',
  ],
  [["textDocument/documentLink"], "URLs, and the pages of rules that a `_comment` silences"],
  [
    [
      "textDocument/formatting",
      "textDocument/rangeFormatting",
      "textDocument/rangesFormatting",
      "textDocument/onTypeFormatting",
    ],
    "layout that keeps comments, values, the order of keys and what stands on one line; the closing brace of `${`",
  ],
  [
    ["workspace/willRenameFiles", "workspace/didRenameFiles"],
    "a config that is renamed takes its samples and run contexts along, and its tests name it by its new name; a test that moves still finds its config; so it is with folders. For files on this machine, as far as the client can do such edits",
  ],
  [
    ["workspace/didChangeWorkspaceFolders"],
    "each folder of the workspace is asked for settings of its own, also those that come later",
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
