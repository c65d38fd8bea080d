import type { FieldView, Setup } from "@configc/runtime";
import { entry, textsOf } from "./select-page.ts";

/**
 * Takes the form of the step `select`: answers what has changed in it, and ends the selection if all fields could be seen.
 *
 * @returns the query of the page to go on with: what is searched for there
 * @throws SetupError where an answer is refused, or a required one is missing; then nothing of the form counts
 */
export async function takeSelection(setup: Setup, form: URLSearchParams): Promise<string> {
  const shown = form.getAll(entry.shown);
  // Fields that are answered anew, and those after them whose choices depend on them: what the form has for these was chosen
  // from others, and is left out.
  const renewed = new Set<string>();
  let stays = form.get("then") === "stay";
  for (const id of shown) {
    const field = fieldsOf(setup).find((each) => each.id === id);
    const texts = textsIn(form, id);
    const isStale = field?.dependsOn.some((each) => renewed.has(each)) ?? false;
    if (isStale) stays = true;
    else if (field !== undefined && !isOther(texts, textsOf(field.value))) continue;
    else {
      const value = field?.type === "multiselect" ? texts : (texts[0] ?? null);
      await setup.answer(id, value, form.get(entry.found(id)) ?? "");
    }
    renewed.add(id);
  }
  const isNew = ({ id, waitsFor }: FieldView): boolean => waitsFor.length === 0 && !shown.includes(id);
  if (!stays && !fieldsOf(setup).some(isNew)) await setup.select();
  return searchesIn(form, shown);
}

function fieldsOf(setup: Setup): readonly FieldView[] {
  const { current } = setup.view();
  return current.step === "select" ? current.fields : [];
}

/** What was filled in; forms send CRLF for the line breaks in a text. */
function textsIn(form: URLSearchParams, id: string): string[] {
  return form
    .getAll(entry.value(id))
    .filter((text) => text !== "")
    .map((text) => text.replaceAll("\r\n", "\n"));
}

function isOther(texts: readonly string[], kept: readonly string[]): boolean {
  return JSON.stringify([...texts].sort()) !== JSON.stringify([...kept].sort());
}

function searchesIn(form: URLSearchParams, shown: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of shown.map(entry.search)) {
    const text = form.get(name);
    if (text) query.set(name, text);
  }
  return query.size === 0 ? "" : `?${query}`;
}
