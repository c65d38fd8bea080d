import { type Json, parseExact } from "@configc/jq";
import { DescriptionError } from "../description.ts";
import { shellWords } from "./shell-words.ts";
import type { SeenExchange } from "./traffic.ts";

/** Options of cURL that take a value and say nothing of the request. */
const otherValues = new Set(
  "-o --output -m --max-time --connect-timeout -x --proxy -A --user-agent -e --referer -b --cookie -c --cookie-jar --cacert -E --cert --retry -w --write-out".split(
    " ",
  ),
);

/**
 * Reads cURL commands as the requests that they send.
 *
 * @param text cURL commands, one after the other; lines that begin with `#` or `$` or hold something else are passed over
 * @throws DescriptionError if there is none
 */
export function fromCurl(text: string): SeenExchange[] {
  const found = shellWords(text).flatMap(({ words, line }) => {
    const start = words.findIndex((word) => word === "curl" || word.endsWith("/curl"));
    return start === -1 ? [] : exchangeOf(words.slice(start + 1), `line ${line}`);
  });
  if (found.length === 0) throw new DescriptionError("No cURL command with an https URL was found.");
  return found;
}

function exchangeOf(words: readonly string[], source: string): SeenExchange[] {
  const headers = new Map<string, string>();
  const data: string[] = [];
  let method = "";
  let url = "";
  let inQuery = false;
  let isForm = false;
  for (let index = 0; index < words.length; index++) {
    const { option, value, used } = optionAt(words, index);
    if (option === "") {
      if (url === "" && /^https?:\/\//.test(words[index]!)) url = words[index]!;
      continue;
    }
    if (used) index++;
    if (option === "-X" || option === "--request") method = value.toUpperCase();
    else if (option === "-H" || option === "--header") {
      const [name = "", ...rest] = value.split(":");
      headers.set(name.trim().toLowerCase(), rest.join(":").trim());
    } else if (option === "-u" || option === "--user") headers.set("authorization", "Basic (given)");
    else if (option === "--url") url = value;
    else if (option === "--json") {
      data.push(value);
      headers.set("content-type", "application/json");
    } else if (/^(?:-d|--data(?:-raw|-binary|-ascii)?)$/.test(option)) {
      // What stands in a file isn't told; `--data-raw` means the sign itself.
      if (!value.startsWith("@") || option === "--data-raw") data.push(value);
      else method ||= "POST";
    } else if (option === "--data-urlencode") {
      data.push(value);
      isForm = true;
    } else if (option === "-G" || option === "--get") inQuery = true;
    else if (option === "-I" || option === "--head") method = "HEAD";
  }
  if (!URL.canParse(url)) return [];
  if (inQuery)
    return [
      { method: "GET", url: `${url}${url.includes("?") ? "&" : "?"}${data.join("&")}`, headers, source },
    ];
  const body = data.length === 0 ? undefined : bodyOf(data, isForm);
  return [
    {
      method: method || (body === undefined ? "GET" : "POST"),
      url,
      headers,
      ...(body === undefined ? {} : { body }),
      source,
    },
  ];
}

function optionAt(words: readonly string[], index: number): { option: string; value: string; used: boolean } {
  const word = words[index]!;
  if (!word.startsWith("-") || word === "-") return { option: "", value: "", used: false };
  const next = words[index + 1] ?? "";
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    if (equals !== -1) return { option: word.slice(0, equals), value: word.slice(equals + 1), used: false };
    const takes = /^--(?:request|header|user|url|json|data)/.test(word) || otherValues.has(word);
    return { option: word, value: takes ? next : "", used: takes };
  }
  const option = word.slice(0, 2);
  const takes = /^-[XHud]$/.test(option) || otherValues.has(option);
  // A value may stand right behind the letter: -XPOST.
  if (takes && word.length > 2) return { option, value: word.slice(2), used: false };
  return { option: takes ? option : word, value: takes ? next : "", used: takes };
}

function bodyOf(data: readonly string[], isForm: boolean): SeenExchange["body"] {
  const text = data.join(isForm || data.length > 1 ? "&" : "");
  if (!isForm)
    try {
      return { format: "json", value: parseExact(text) };
    } catch {
      // Not JSON, so it is a form.
    }
  return { format: "form", value: Object.fromEntries(new URLSearchParams(text)) as Json };
}
