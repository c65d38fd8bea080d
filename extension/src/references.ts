import { commands, Location, Position, Uri } from "vscode";
import type { Location as ProtocolLocation, Position as ProtocolPosition } from "vscode-languageclient";
import { rangeOf } from "./files.ts";

/** The command of the lens "n references": the editor's own view wants the editor's own classes. */
export async function showReferences(uri: unknown, at: unknown, found: unknown): Promise<void> {
  const { line, character } = at as ProtocolPosition;
  const locations = (found as readonly ProtocolLocation[]).map(
    ({ uri: place, range }) => new Location(Uri.parse(place), rangeOf(range)),
  );
  const position = new Position(line, character);
  await commands.executeCommand("editor.action.showReferences", Uri.parse(String(uri)), position, locations);
}
