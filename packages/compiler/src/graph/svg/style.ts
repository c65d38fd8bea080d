/** Colours as variables: one set for light, one for dark. The picture follows its reader, not its maker. */
export const style = `
svg { color-scheme: light dark;
  --paper: #ffffff; --card: #ffffff; --edge: #94a3b8; --line: #e2e8f0; --text: #0f172a; --soft: #64748b;
  --host: #475569; --platform: #7c3aed; --intake: #047857; --workflow: #1d4ed8; --saved: #b45309; --tint: 12%; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0b1120; --card: #111a2e; --edge: #64748b; --line: #24304a; --text: #e2e8f0; --soft: #94a3b8;
    --host: #94a3b8; --platform: #a78bfa; --intake: #34d399; --workflow: #60a5fa; --saved: #fbbf24; --tint: 18%; }
}
.paper { fill: var(--paper); }
.body { fill: var(--card); stroke: var(--line); }
.host { --own: var(--host); } .platform { --own: var(--platform); } .intake { --own: var(--intake); }
.workflow { --own: var(--workflow); } .saved { --own: var(--saved); }
.head { fill: var(--own); fill-opacity: var(--tint); }
.bar { fill: var(--own); }
.frame { fill: none; stroke: var(--own); stroke-opacity: .35; }
text { font-family: ui-monospace, SFMono-Regular, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 11px; fill: var(--text); white-space: pre; }
.title { font-family: system-ui, "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13.5px; font-weight: 600; }
.subtitle, .detail, .key { fill: var(--soft); }
.name { font-weight: 600; }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.6; }
.requests { stroke-dasharray: 6 4; } .saves, .reads { stroke-dasharray: 2 4; stroke-linecap: round; }
.arrow { fill: var(--edge); }
.label { fill: var(--soft); text-anchor: middle; }
.label-paper { fill: var(--paper); }
[data-pointer] { cursor: pointer; }
g[data-pointer]:hover > .hit { fill: var(--own); fill-opacity: .1; }
.hit { fill: transparent; }
`;
