import { language } from "@configc/compiler";
import { code, page, table } from "./markdown.ts";
import { sourceText } from "./value-text.ts";

/** `docs/language/resources.md` */
export function resourcesPage(): string {
  return page(
    "Resources",
    "Data of the platform itself, read and written by [`!resource`](commands.md#resource). The prefix `Platform` stands for the platform's own brand; the settings rename it and add resources.",
    table(
      ["resource", "forms", "what it is", "standard fields"],
      language.resourceSpecs.map(({ name, tier, doc, parts, readable, fields }) => {
        const full = `${language.DEFAULT_PREFIX}${name}`;
        const forms = [...(readable ? [full] : []), ...parts.map((part) => `${full}.${part}`)];
        return [
          `${code(full)}${tier === "ext" ? " *ext*" : ""}`,
          forms.map(code).join(", "),
          doc,
          fields.map(({ id, required }) => `${code(id)}${required ? " (required)" : ""}`).join(", "),
        ];
      }),
    ),
    "`RESOURCE.fields` gives the fields as options of a map step. `RESOURCE.sync` (*ext*) is the `action` of the object form, which writes several records at once.",
    `Defined by ${sourceText("D25")}.`,
  );
}
