import { readFileSync } from "node:fs";
import { templatePath } from "./cli.ts";

/** A config without findings. */
export const clean = readFileSync(templatePath("outbound"), "utf8");

/** One error that a safe fix repairs. */
export const misspelled = clean.replace('"method": "GET", "path": "/me"', '"methd": "GET", "path": "/me"');

/** Two of the same error, at different places. */
export const twiceMisspelled = misspelled.replace(
  '"method": "GET", "path": "/lists"',
  '"methd": "GET", "path": "/lists"',
);

/** A warning, and no error: the service's secret stands in the document. */
export const withSecret = clean.replace("<CLIENT_SECRET>", "s3cr3t-value-of-someone");
