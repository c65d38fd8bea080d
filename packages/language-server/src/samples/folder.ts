/** The folder with the samples of a config, a path or a URI: `NAME.samples` for `NAME.app.json`. */
export function samplesFolder(config: string): string {
  return `${config.replace(/(?:\.app)?\.jsonc?$/, "")}.samples`;
}
