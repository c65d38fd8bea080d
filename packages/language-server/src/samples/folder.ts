/** The folder with the samples of a config, a path or a URI: `NAME.samples` for `NAME.app.json`. */
export function samplesFolder(config: string): string {
  return `${nameOf(config)}.samples`;
}

/** The file that says what is known of a config's service (D50), a path or a URI: `NAME.world.json` for `NAME.app.json`. */
export function worldFile(config: string): string {
  return `${nameOf(config)}.world.json`;
}

function nameOf(config: string): string {
  return config.replace(/(?:\.app)?\.jsonc?$/, "");
}
