import { type ChildProcess, spawn } from "node:child_process";

/** 100 pages of 10 items; a process of its own, so that its work isn't measured. */
const script = `
  const pages = Array.from({ length: 1001 }, (_, page) => {
    const items = Array.from({ length: 10 }, (_, n) => {
      const id = page * 10 + n;
      return { id, email: "person" + id + "@example.com", name: "Person " + id, company: { id: 7, name: "Acme" }, tags: ["a", "b"] };
    });
    return JSON.stringify({ items, next: page % 100 === 0 ? null : page + 1 });
  });
  require("node:http").createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(pages[Number(request.url.split("/").pop())] ?? "{}");
  }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
`;

export class BenchServer {
  readonly #child: ChildProcess;
  readonly origin: string;

  private constructor(child: ChildProcess, port: string) {
    this.#child = child;
    this.origin = `http://127.0.0.1:${port.trim()}`;
  }

  static async start(): Promise<BenchServer> {
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise<string>((resolve) =>
      child.stdout?.once("data", (text: Buffer) => resolve(`${text}`)),
    );
    return new BenchServer(child, port);
  }

  end(): void {
    this.#child.kill();
  }
}
