import { devContainer } from "./entries/dev-container.ts";
import { extensions } from "./entries/extensions.ts";
import { helix } from "./entries/helix.ts";
import { homebrew } from "./entries/homebrew.ts";
import { lsp4ij } from "./entries/lsp4ij.ts";
import { mason } from "./entries/mason.ts";
import { npm } from "./entries/npm.ts";
import { nvimLspconfig } from "./entries/nvim-lspconfig.ts";
import { schemaStore } from "./entries/schema-store.ts";
import { zed } from "./entries/zed.ts";
import type { Entry } from "./entry.ts";

/** Where people look for tools, in the order in which they matter. */
export const entries: readonly Entry[] = [
  npm,
  extensions,
  schemaStore,
  nvimLspconfig,
  mason,
  helix,
  zed,
  lsp4ij,
  homebrew,
  devContainer,
];
