import { Uri, type Webview } from "vscode";

/**
 * The page of a panel of ours. Its policy allows our own script and style and nothing else: no inline code, no network, no
 * frames.
 *
 * @param name of the script and style in `dist/webview`
 */
export function webviewPage(webview: Webview, extension: Uri, name: string, empty: string): string {
  const folder = Uri.joinPath(extension, "dist/webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const at = (file: string): string => webview.asWebviewUri(Uri.joinPath(folder, file)).toString();
  const source = webview.cspSource;
  const policy = `default-src 'none'; script-src ${source}; style-src ${source}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${at(`${name}.css`)}">
</head>
<body>
<main><p class="empty">${empty}</p></main>
<script type="module" src="${at(`${name}.js`)}"></script>
</body>
</html>`;
}
