import * as compact from "./compact.ts";
import type { Formatter } from "./format.ts";
import * as github from "./github.ts";
import * as gitlab from "./gitlab.ts";
import * as json from "./json.ts";
import * as junit from "./junit.ts";
import type { FormatName } from "./names.ts";
import * as pretty from "./pretty.ts";
import * as sarif from "./sarif.ts";

export const formatters: Readonly<Record<FormatName, Formatter>> = {
  pretty: pretty.format,
  compact: compact.format,
  json: json.format,
  sarif: sarif.format,
  github: github.format,
  gitlab: gitlab.format,
  junit: junit.format,
};
