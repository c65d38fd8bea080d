import { compile, completionsAt, exportSchema, hoverAt, recompile, render } from "@configc/compiler";
import { getLanguageService, type JSONDocument, type LanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { appWith } from "./generate.ts";
import { medianTime, type Time, timed, timedAsync } from "./processes.ts";
import type { Row } from "./rows.ts";

const sizes = [
  { name: "12 kB", workflows: 2, budget: 0.35 },
  { name: "105 kB", workflows: 20, budget: 0.09 },
  { name: "1 MB", workflows: 200, budget: 0.05 },
];
/** A server has been running for a while: rounds count after so many of them, and after so many seconds of them. */
const WARM_UP = 15;
const WARM_UP_SECONDS = 4;
const ROUNDS = 30;
/** What is typed, so many characters at a time: mostly that isn't JSON. */
const MEMBER = '"help_text": "Where it is from",\n        ';
const STEP = 3;

/**
 * What an editor waits for after a keystroke, against `vscode-json-languageservice` with our exported schema, in one process:
 * edit → diagnostics, completion, hover, at about 12 kB, 105 kB and 1 MB.
 */
export async function editorRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, workflows, budget } of sizes) {
    const text = appWith(workflows);
    const kilobytes = Math.round(text.length / 1024);
    const service = getLanguageService({});
    service.configure({
      validate: true,
      schemas: [{ uri: "app", fileMatch: ["*"], schema: exportSchema() as never }],
    });
    const [diagnostics, typing, hover, completion] = [new Pair(), new Pair(), new Pair(), new Pair()];
    const at = text.indexOf("${custom_data.", text.length >> 1) + "${custom_data.".length;
    const options = { uri: "a.app.json" };
    let compilation = compile(text, options);
    let version = 0;
    const edit = async (edited: string, pair: Pair) => {
      pair.ours.push(
        timed(() => {
          compilation = recompile(compilation, edited, options);
          const { model, diagnostics: found } = compilation;
          for (const diagnostic of found) render(model, diagnostic, { fixes: false });
        }),
      );
      const document = TextDocument.create("file:///a.app.json", "json", version++, edited);
      let json: JSONDocument | undefined;
      pair.reference.push(
        await timedAsync(() => {
          json = service.parseJSONDocument(document);
          return service.doValidation(document, json) as Promise<unknown>;
        }),
      );
      return { document, json: json! };
    };
    // A letter more in a label, another one each time: nothing can be kept from the last round by text.
    const labelled = (round: number) =>
      text.replace('"label": "', `"label": "${"x".repeat(1 + (round % 100))}`);
    await rounds((round) => edit(labelled(round), diagnostics));
    const line = text.indexOf('"label": "', text.length >> 1);
    await rounds((round) => {
      const member = MEMBER.slice(0, (STEP * round) % MEMBER.length);
      return edit(text.slice(0, line) + member + text.slice(line), typing);
    });
    // By themselves: the reference's answers leave so much behind that they would slow the edits down.
    await rounds(async (round) => {
      const { document, json } = await edit(labelled(round), new Pair());
      const { model } = compilation;
      const place = at + 1 + (round % 100);
      hover.ours.push(timed(() => hoverAt(model, place)));
      completion.ours.push(timed(() => completionsAt(model, place)));
      hover.reference.push(await ask(service, document, json, place, "doHover"));
      completion.reference.push(await ask(service, document, json, place, "doComplete"));
    });
    const what = `${name} (${kilobytes} kB)`;
    rows.push(
      { what: `edit → diagnostics, ${what}`, ...diagnostics.medians(), budget },
      { what: `the same while a member is typed, ${what}`, ...typing.medians(), budget },
      { what: `completion, ${what}`, ...completion.medians(), budget: 1 },
      { what: `hover, ${what}`, ...hover.medians(), budget: 1 },
    );
  }
  return rows;
}

/** As often as it takes to be warm, and then as often as is counted. */
async function rounds(work: (round: number) => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  for (let counted = 0, round = 0; counted < ROUNDS; round++) {
    if (round >= WARM_UP && performance.now() - begun > 1000 * WARM_UP_SECONDS) counted++;
    await work(round);
  }
}

class Pair {
  readonly ours: Time[] = [];
  readonly reference: Time[] = [];
  medians() {
    const [ours, reference] = [this.ours, this.reference].map((times) => medianTime(times.slice(-ROUNDS)));
    return {
      ours: ours!.wall,
      reference: reference!.wall,
      cpu: { ours: ours!.cpu, reference: reference!.cpu },
      unit: "ms",
    };
  }
}

async function ask(
  service: LanguageService,
  document: TextDocument,
  json: JSONDocument,
  offset: number,
  method: "doHover" | "doComplete",
): Promise<Time> {
  try {
    return await timedAsync(async () => service[method](document, document.positionAt(offset), json));
  } catch (error) {
    // The reference's stack doesn't suffice for large documents: there is nothing to compare with then.
    if (error instanceof RangeError) return { wall: Number.NaN, cpu: Number.NaN };
    throw error;
  }
}
