import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/**
 * The key of a vault from a file, which is made if it isn't there, readable by its owner only. Whoever has the file and the state
 * can read the tokens: keep it elsewhere than the state's backups.
 *
 * @throws Error if the file is there and isn't such a key
 */
export async function keyFile(path: string): Promise<Uint8Array> {
  try {
    await writeFile(path, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = Buffer.from(await readFile(path, "utf8"), "base64");
  if (key.length !== 32) throw new Error(`${path} isn't a key. A key is 32 bytes in base64.`);
  return key;
}
