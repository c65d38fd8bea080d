/** Of every request's URL: who sends it says what it likes for a host. */
const ORIGIN = "http://localhost";

/**
 * What a request asks for. A path that begins with two slashes is a path, not another host.
 *
 * @param target as it stands in the request's first line: a path, or a whole URL as proxies send it
 * @returns undefined for anything else
 */
export function targetOf(target = ""): URL | undefined {
  if (target.startsWith("/")) return parsed(ORIGIN + target);
  const url = /^https?:\/\//i.test(target) ? parsed(target) : undefined;
  return url && parsed(ORIGIN + url.pathname + url.search);
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
