import { type NodeHttp, nodeHttp } from "@configc/host";
import { HttpFailure } from "@configc/runtime";

/**
 * Node's own HTTP, but what goes to public hosts arrives at a server on loopback, which is told the host that was meant. The only part of
 * the way that isn't real is the name.
 */
export function publicHttp(origin: string): NodeHttp {
  const http = nodeHttp({ allowPrivateNetwork: true });
  return {
    async request({ url, headers, ...request }) {
      const target = new URL(url);
      if (target.protocol !== "https:") throw new HttpFailure("network", `${url} isn't public`);
      const here = `${origin}${target.pathname}${target.search}`;
      return await http.request({ ...request, url: here, headers: { ...headers, host: target.host } });
    },
    close: () => http.close(),
  };
}
