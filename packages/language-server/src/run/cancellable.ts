import type { CancellationToken } from "vscode-languageserver";

/** Does work that ends early when its request is cancelled. */
export async function cancellable<T>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  try {
    return await work(abort.signal);
  } finally {
    listening.dispose();
  }
}
