import { vi } from "vitest";
import { main } from "../../src/command.ts";

/** What `configc-host` prints in this process, and its status. */
export async function said(args: readonly string[], environment: Record<string, string> = {}) {
  const text = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((written) => {
      text[name] += written;
      return true;
    }),
  );
  const status = await main(args, environment).finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { status, ...text };
}
