import { Uri, type Webview } from "vscode";

/** What a screen reader calls them. */
const titles = {
  results: "Results of a run",
  graph: "Graph of the app",
  setup: "Setup preview",
  simulation: "Simulation of the app",
  program: "Output of a jq program",
  scaffold: "New config from an API description",
} as const;

/**
 * The page of a panel of ours. Its policy allows our own script and style and nothing else: no inline code, no network, no
 * frames.
 *
 * @param name of the script and style in `dist/webview`
 * @param empty what stands there until there is more
 */
export function webviewPage(
  webview: Webview,
  extension: Uri,
  name: keyof typeof titles,
  empty: string,
): string {
  const folder = Uri.joinPath(extension, "dist/webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const at = (file: string): string => webview.asWebviewUri(Uri.joinPath(folder, file)).toString();
  const source = webview.cspSource;
  // A program is run in a worker, which a page like ours has to make of the text of its script.
  const worker = name === "program" ? `; worker-src blob:; connect-src ${source}` : "";
  const policy = `default-src 'none'; script-src ${source}; style-src ${source}${worker}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${titles[name]}</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${at(`${name}.css`)}">
</head>
<body>
<main><p class="empty">${empty}</p></main>
<script type="module" src="${at(`${name}.js`)}"></script>
</body>
</html>`;
}
