// Serves the built playground on this machine. Usage: node scripts/playground.mjs [PORT]
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../packages/playground/dist/", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

const server = createServer((request, response) => {
  // Not as a URL: what is asked for needn't be one.
  const [pathname = "/"] = (request.url ?? "/").split(/[?#]/, 1);
  const name = pathname === "/" ? "index.html" : pathname.slice(1);
  // All files lie in one folder: a name is no path.
  if (!/^[\w.-]+$/.test(name) || !isFile(dist + name)) response.writeHead(404).end();
  else
    response
      .writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" })
      .end(readFileSync(dist + name));
});
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const [given = "4173"] = process.argv.slice(2);
const port = Number(given);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`The port is a number up to 65535, not “${given}”: npm run playground -- 4180`);
  process.exit(2);
}
server.on("error", (error) => {
  if (error.code !== "EADDRINUSE") throw error;
  console.error(
    `Port ${port} is in use. For another one: npm run playground -- ${port === 65_535 ? 4180 : port + 1}`,
  );
  process.exitCode = 1;
});
server.listen(port, "127.0.0.1", () =>
  console.log(`The playground is at http://127.0.0.1:${server.address().port}/`),
);
