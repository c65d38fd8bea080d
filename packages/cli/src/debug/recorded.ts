import { readFileSync } from "node:fs";
import { openSavedRun } from "@configc/host";
import { createVault } from "@configc/runtime";
import { readJsonFile } from "../run/read-input.ts";

/** What stands in the environment, as for a host of a fleet. */
const KEY = "CONFIGC_KEY";
const KEY_FILE = "CONFIGC_KEY_FILE";

/**
 * Reads the file of a recording or a saved run. One that a host has sealed is opened with the host's key.
 *
 * @param keyFile path of the host's key; by default the key is that of the environment
 * @throws Error for people
 */
export async function readRecorded(path: string, keyFile: string | undefined): Promise<unknown> {
  const text = readFileSync(path, "utf8");
  // JSON begins with a brace; what is sealed never does.
  if (text.trimStart().startsWith("{")) return readJsonFile(path);
  const key = keyOf(keyFile ?? process.env[KEY_FILE]);
  if (key === undefined)
    throw new Error(
      `${path} is sealed by the host that saved it. Name the file of its key with \`key\` (--key), or set ${KEY} or ${KEY_FILE}.`,
    );
  return await openSavedRun(createVault(key), path);
}

function keyOf(file: string | undefined): Uint8Array | undefined {
  const text = file === undefined ? process.env[KEY] : readFileSync(file, "utf8");
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`${file ?? KEY} isn't a key: it has to be 32 bytes in base64.`);
  return key;
}
