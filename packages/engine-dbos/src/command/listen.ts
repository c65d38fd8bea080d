import type { Listener } from "@configc/host";
import { UsageError } from "./usage.ts";

/** @throws UsageError that says which variable names another port */
export async function listen(listener: Listener, port: number, variable: string): Promise<void> {
  try {
    await listener.listen(port);
  } catch (error) {
    throw new UsageError(
      `The port ${port} can't be listened at: ${(error as Error).message}. Set ${variable}.`,
    );
  }
}
