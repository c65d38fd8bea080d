import { writeFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { documentsFor } from "../mutants/documents.ts";
import { applyMutant } from "../mutants/kind.ts";
import { kinds } from "../mutants/kinds/index.ts";
import { app12k, appWith } from "./generate.ts";

/**
 * Writes what is found in some 5,400 documents, one line each, to a file: `node scripts/ts.mjs test/bench/findings.ts FILE [--reversed]`.
 * Two versions of the compiler that were only made quicker write the same bytes; with `--reversed` the documents are compiled the
 * other way round, which mustn't make a difference either.
 */
const [file, order] = process.argv.slice(2);
if (file === undefined || (order !== undefined && order !== "--reversed"))
  throw new Error("Give the file to write, and --reversed if you like.");

interface Task {
  readonly name: string;
  readonly text: () => string;
  readonly options: Parameters<typeof compile>[1];
}

/** Of the places for a kind of mistake in a document, every 90th, and so at least one. */
const PLACES = 90;

function* tasks(): Generator<Task> {
  for (let i = 0; i < 600; i++) yield { name: `generated ${i}`, text: () => app12k(i), options: {} };
  yield { name: "generated, large", text: () => appWith(60), options: {} };
  for (const kind of kinds)
    for (const config of documentsFor(kind)) {
      let place = 0;
      for (const mutant of kind.mutants(config))
        if (place++ % PLACES === 0)
          yield {
            name: `${kind.name} ${config.path} ${place}`,
            text: () => applyMutant(config.text, mutant).text,
            options: { uri: config.path, samples: config.samples },
          };
    }
}

const all = [...tasks()].map((task, index) => ({ ...task, index }));
const lines: string[] = [];
for (const { name, text, options, index } of order === undefined ? all : all.reverse()) {
  const { model, diagnostics } = compile(text(), options);
  const found = diagnostics.map((diagnostic) => render(model, diagnostic));
  lines[index] = `${name}: ${JSON.stringify(found)}\n`;
}
writeFileSync(file, lines.join(""));
process.stderr.write(`${all.length} documents\n`);
