import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createHost, keyFile } from "@configc/host";

/** Opens a state under a umask, and prints the modes of its files while it is open. Arguments: folder, umask in octal. */
const [folder, umask] = process.argv.slice(2);
if (folder !== undefined && umask !== undefined) {
  process.umask(Number.parseInt(umask, 8));
  const host = await createHost({ apps: {}, directory: folder, key: await keyFile(join(folder, "key")) });
  const modes = readdirSync(folder).map((name) => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ]);
  process.stdout.write(JSON.stringify(Object.fromEntries(modes)));
  await host.close();
}
