import type { Feature } from "../feature.ts";
import { requests } from "../requests/index.ts";
import { login } from "../run/login.ts";
import { runStep } from "../run/run-step.ts";
import { setup } from "../run/setup.ts";
import { scaffold } from "../scaffold/scaffold.ts";
import { simulate } from "../simulate/simulate.ts";
import { callHierarchy } from "./call-hierarchy.ts";
import { codeActions } from "./code-actions.ts";
import { completion } from "./completion.ts";
import { diagnostics } from "./diagnostics.ts";
import { folding } from "./folding.ts";
import { formatting } from "./formatting.ts";
import { hover } from "./hover.ts";
import { inlayHints } from "./inlay-hints.ts";
import { inlineValues } from "./inline-values.ts";
import { lenses } from "./lenses.ts";
import { linkedEditing } from "./linked-editing.ts";
import { links } from "./links.ts";
import { names } from "./names.ts";
import { outline } from "./outline.ts";
import { outlineChanges } from "./outline-changes.ts";
import { renamedFiles } from "./renamed-files.ts";
import { selection } from "./selection.ts";
import { signatureHelp } from "./signature-help.ts";
import { tokens } from "./tokens.ts";
import { typeDefinition } from "./type-definition.ts";
import { workspaceDiagnostics } from "./workspace-diagnostics.ts";

/** Everything the server can do; `docs/editors.md` lists the methods. */
export const features: readonly Feature[] = [
  diagnostics,
  workspaceDiagnostics,
  completion,
  hover,
  signatureHelp,
  inlayHints,
  lenses,
  tokens,
  codeActions,
  names,
  typeDefinition,
  linkedEditing,
  inlineValues,
  callHierarchy,
  outline,
  outlineChanges,
  folding,
  selection,
  links,
  formatting,
  renamedFiles,
  runStep,
  setup,
  login,
  simulate,
  scaffold,
  ...requests,
];
