import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Pages that come with the command; from sources they are the repository's. */
const folder = [new URL("./docs/", import.meta.url), new URL("../../../../docs/", import.meta.url)].find(
  (each) => existsSync(new URL("language", each)),
);

/** A page of the language reference. */
interface LanguagePage {
  /** As in `commands`. */
  readonly name: string;
  readonly title: string;
}

export function languagePages(): readonly LanguagePage[] {
  if (folder === undefined) return [];
  return readdirSync(new URL("language/", folder))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => {
      const name = file.slice(0, -".md".length);
      return { name, title: /^# (.*)$/m.exec(languagePage(name))?.[1] ?? name };
    });
}

/** @param name one of `languagePages` */
export function languagePage(name: string): string {
  return readFileSync(new URL(`language/${name}.md`, folder), "utf8");
}
