import type { Config } from "../config.ts";
import { get, textAt } from "../config.ts";
import { missing, misspelled, ownerOf, replacement, without } from "../edits.ts";
import { type Kind, replaced, replacing } from "../kind.ts";

const style = (config: Config) => config.objects("api.pagination.style");
const parser = (config: Config) => config.objects("api.pagination.parser");
const limits = (config: Config) => config.objects("api.rate_limit");

/** What each style asks its parser for, and what another style would. */
const foreignParser: Readonly<Record<string, string>> = {
  total_pages: "total_items",
  total_items: "total_pages",
  next_result_token: "total_pages",
  previous_result_token: "total_items",
};

const styles = ["page", "limitoffset", "cursor"];

export const paginationKinds: readonly Kind[] = [
  replacing("pagination/other-parser", "error", "The parser of another style.", function* (config) {
    for (const { members } of parser(config)) {
      for (const { key } of members) {
        const foreign = foreignParser[key.value];
        if (foreign !== undefined) yield [key, JSON.stringify(foreign)];
      }
    }
  }),
  {
    name: "pagination/other-style",
    what: "The type of another style: seen there, or at the members that it doesn't have.",
    expects: "error",
    *mutants(config) {
      for (const node of style(config)) {
        const type = get(node, "type");
        const keys = [...node.members, ...parser(config).flatMap(({ members }) => members)].map(
          ({ key }) => key,
        );
        if (type?.kind !== "string") continue;
        for (const other of styles) {
          if (other !== type.value)
            yield { edits: [replacement(type, JSON.stringify(other))], at: [type, ...keys] };
        }
      }
    },
  },
  {
    name: "pagination/missing",
    what: "A required member of `pagination`, its style or its parameters.",
    expects: "error",
    *mutants(config) {
      for (const node of config.objects("api.pagination"))
        for (const name of ["style", "parser"]) yield* missing(config, node, name);
      for (const node of style(config)) {
        yield* missing(config, node, "type");
        for (const name of ["page_number", "limit", "offset"]) {
          // An API with cursors needn't let the caller choose how many records a page has.
          if (textAt(node, "type") !== "cursor") yield* missing(config, node, name);
          const parameter = get(node, name);
          if (parameter?.kind === "object") yield* missing(config, parameter, "param");
        }
      }
    },
  },
  {
    name: "pagination/parser-empty",
    what: "A parser without what its style needs.",
    expects: "error",
    *mutants(config) {
      for (const node of parser(config)) {
        const needed = node.members.filter(({ name }) => foreignParser[name] !== undefined);
        if (needed.length === 1) yield { edits: [without(config, needed[0]!)], at: [ownerOf(node)] };
      }
    },
  },
  replacing("pagination/parser-bare-word", "error", "A field without its dot (D22).", function* (config) {
    for (const node of config.strings("api.pagination.parser.*.!jq")) yield [node, '"page_count"'];
  }),
  replacing("pagination/digit-text", "hint", "A number as text (D22).", function* (config) {
    for (const name of ["page_number", "page_size", "limit", "offset"]) {
      for (const node of config.select(`api.pagination.style.${name}.value`))
        if (node.kind === "number") yield [node, `"${node.value}"`];
    }
  }),
  replacing("pagination/no-number", "error", "A count that is no number.", function* (config) {
    for (const name of ["page_number", "page_size", "limit", "offset"]) {
      for (const node of config.select(`api.pagination.style.${name}.value`)) {
        for (const text of ["true", "null", "-1", "[1]"]) yield [node, text];
        // A size that is only passed on may be a word of the API's.
        if (name === "page_number" || name === "offset") yield [node, '"many"'];
      }
    }
  }),
  replacing("rate-limit/scope-misspelled", "error", "A slip in `user` or `app`.", function* (config) {
    for (const { members } of limits(config)) {
      for (const { key } of members)
        if (key.value !== "_comment") yield [key, JSON.stringify(misspelled(key.value))];
    }
  }),
  {
    name: "rate-limit/both-scopes",
    what: "`user` and `app` together (D41).",
    expects: "error",
    *mutants(config) {
      for (const node of limits(config)) {
        const owner = ownerOf(node);
        for (const { name, key, end } of node.members) {
          if (name !== "user" && name !== "app") continue;
          const other = name === "user" ? "app" : "user";
          const newText = `, "${other}": { "read": { "requests": 10, "period": 1 } }`;
          yield { edits: [{ start: end, end, newText }], at: [owner, key, { start: end, end }] };
        }
      }
    },
  },
  {
    name: "rate-limit/missing",
    what: "A quota without `requests` or `period`.",
    expects: "error",
    *mutants(config) {
      for (const node of config.objects("api.rate_limit.*.*"))
        for (const name of ["requests", "period"]) yield* missing(config, node, name);
    },
  },
  replacing("rate-limit/number", "error", "Numbers that are no quota.", function* (config) {
    for (const node of config.select("api.rate_limit.*.*.*"))
      for (const text of ["0", "-5", "1.5", '"100"', "null"]) yield [node, text];
  }),
  {
    name: "rate-limit/flat",
    what: "`requests` and `period` straight below the scope (D41).",
    expects: "hint",
    *mutants(config) {
      for (const path of ["api.rate_limit.user", "api.rate_limit.app"]) {
        for (const node of config.objects(path)) {
          const key = node.parent?.kind === "member" ? [node.parent.key] : [];
          yield { ...replaced(node, '{ "requests": 10, "period": 1 }'), at: [node, ...key] };
        }
      }
    },
  },
  replacing("rate-limit/empty-scope", "error", "A scope without a quota.", function* (config) {
    for (const path of ["api.rate_limit.user", "api.rate_limit.app"]) {
      for (const node of config.objects(path))
        if (node.parent?.kind === "member")
          yield [node.parent, `${config.text.slice(node.parent.key.start, node.parent.key.end)}: {}`];
    }
  }),
];
