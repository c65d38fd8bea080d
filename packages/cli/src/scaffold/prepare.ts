import { relative, resolve } from "node:path";
import { samplesFolder } from "@configc/language-server/samples";
import { type Proposal, type ProposeOptions, propose } from "@configc/scaffold";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { writeAtomically } from "../files/write.ts";
import { keepAnswers } from "../run/keep-samples.ts";
import { compileKnown } from "../simulate/compile-known.ts";
import { proposeWorldFile } from "../simulate/propose-world-file.ts";
import { keepDocument } from "./keep-document.ts";
import { laidOutConfig } from "./layout.ts";
import type { ReadDescription } from "./read-description.ts";

/** A config for an API, as it would be written. */
interface Prepared {
  readonly proposal: Proposal;
  /** Of the service, as it stands in the names of things. */
  readonly name: string;
  readonly text: string;
}

/**
 * @param source what people know the description by
 * @throws UsageError if nothing could be polled, and nothing takes a contact
 */
export function prepare({ description }: ReadDescription, source: string, options: ProposeOptions): Prepared {
  const proposal = propose(description, options);
  if ((proposal.config["workflows"] as readonly unknown[]).length === 0)
    throw new UsageError(
      `${source} has no list of records that an app could poll, and no request that takes a contact.${askingTooMuch(proposal)} Begin with a template: configc init NAME --template outbound.`,
      "init",
    );
  const [name = "service"] = Object.keys(proposal.config["auth"] as object);
  return { proposal, name, text: laidOutConfig(proposal.config) };
}

/** What was left out because a customer would have to fill in too much. */
function askingTooMuch({ told }: Proposal): string {
  return told
    .filter(({ what }) => what === "a list that isn't read" || what === "a request that isn't sent")
    .map(({ taken, because }) => ` ${taken} isn't taken: ${because}.`)
    .join("");
}

/**
 * Writes a config, and beside it what its types come from and what is open about the service.
 *
 * @param document path of the description
 * @param place folder from which paths are told; by default that of the command
 * @returns what to tell of that
 * @throws Error with a `syscall` if a file can't be written
 */
export async function writePrepared(
  config: string,
  { text }: Prepared,
  { isDocument, answers }: ReadDescription,
  document: string,
  place = "",
): Promise<readonly string[]> {
  writeAtomically(config, text, { throughLinks: false });
  const notes: string[] = [];
  if (isDocument) notes.push(keepDocument(config, document, place));
  if (answers.length > 0) {
    const { written } = keepAnswers(config, answers);
    const folder = relative(place, samplesFolder(resolve(config)));
    notes.push(
      `${plural(written, "answer")} of the recording, masked, ${written === 1 ? "is" : "are"} in ${folder}: types come from there.`,
    );
  }
  const { errors, app } = await compileKnown(config, "init");
  if (errors.length > 0) return notes;
  const world = await proposeWorldFile(config, app);
  if (world.outcome === "written")
    notes.push(
      `${relative(place, world.file)} says what the description leaves open about the list. As it stands records would get lost: correct it by the service's documentation.`,
    );
  return notes;
}
