/** From Node 23.9 on. */
interface ThreadTime {
  readonly threadCpuUsage?: () => { readonly user: number; readonly system: number };
}

/**
 * Milliseconds that this thread has had the processor: on a busy machine as many worlds are tried as on an idle one. Before Node 23.9
 * it is the time of the process, with its collector and compiler of code; a thread beside others can't tell its own then.
 *
 * @param isAlone whether nothing else runs in the process
 */
export function processorTime(isAlone: boolean): () => number {
  const { threadCpuUsage } = process as ThreadTime;
  if (threadCpuUsage === undefined && !isAlone) return Date.now;
  return () => {
    const { user, system } = threadCpuUsage?.() ?? process.cpuUsage();
    return (user + system) / 1_000;
  };
}
