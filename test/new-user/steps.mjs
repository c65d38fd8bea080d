// What a newcomer does, in order, in an empty folder with the packed command and nothing of this repository.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { node, npm, root, run } from "../../scripts/package/run.mjs";

/**
 * @param {string} folder an empty one
 * @returns {Iterable<{ name: string, run: () => string | void }>} each gives a line to show
 */
export function* steps(folder) {
  const at = (name) => join(folder, name);
  const configc = (args, expected = 0) =>
    node(["node_modules/configc/bin/configc.js", ...args], { cwd: folder, expected });
  const git = (...args) =>
    run(
      "git",
      ["-c", "user.name=new", "-c", "user.email=new@example.com", "-c", "commit.gpgsign=false", ...args],
      {
        cwd: folder,
      },
    );
  const expectText = (text, part) => {
    if (!text.includes(part)) throw new Error(`“${part}” isn't in:\n${text}`);
    return part;
  };

  yield {
    name: "npm pack, npm install",
    run() {
      const [{ filename }] = JSON.parse(
        npm(["pack", "--json", "--pack-destination", folder, "-w", "configc"]),
      );
      writeFileSync(at("package.json"), '{ "private": true, "type": "module" }\n');
      npm(["install", "--save-dev", "--no-audit", "--no-fund", "--offline", `./${filename}`], {
        cwd: folder,
      });
      writeFileSync(at(".gitignore"), "node_modules\n*.tgz\nshop.mjs\n*.sarif\n");
      return configc(["--version"]).trim();
    },
  };
  yield {
    name: "configc init",
    run: () => configc(["init", "shop", "--template", "inbound-webhook"]).trim(),
  };
  yield {
    name: "configc check",
    run: () => expectText(configc(["check", "--max-warnings", "0"]), "Nothing to report in 1 file"),
  };
  yield {
    name: "configc test",
    run() {
      writeFileSync(at("shop.apptest.json"), `${JSON.stringify(tests, null, 2)}\n`);
      return JSON.stringify(JSON.parse(configc(["test", "--format", "json"])).summary);
    },
  };
  yield {
    name: "configc build, and a host of ten lines",
    run() {
      configc(["build", "shop.app.json", "--output", "shop.mjs"]);
      writeFileSync(at("host.mjs"), host);
      const printed = node(["host.mjs"], { cwd: folder }).trim();
      return expectText(printed, '{"account_id":7,"description":"Ada"} {"email":"ada@example.com"}');
    },
  };
  yield {
    name: "publish the first version",
    run() {
      git("init", "--quiet", "--initial-branch", "main");
      git("add", ".");
      git("commit", "--quiet", "-m", "publish");
      git("tag", "v1");
      return git("tag").trim();
    },
  };
  yield {
    name: "configc breaking, of a harmless change",
    run() {
      change(at("shop.app.json"), '"label": "Select a form"', '"label": "Choose a form"');
      return expectText(configc(["breaking", "shop.app.json", "--against", "git:v1"]), "Nothing to report");
    },
  };
  yield {
    name: "the action's script, of the same",
    run() {
      node([join(root, "ci-templates/github.mjs")], { cwd: folder, env: { CONFIGC_PUBLISHED: "v1" } });
      const { runs } = JSON.parse(readFileSync(at("configc.sarif"), "utf8"));
      return `${runs[0].results.length} findings`;
    },
  };
  yield {
    name: "configc breaking, of a change that strands customers",
    run() {
      change(at("shop.app.json"), '"{hook_id: .id}"', '"{id: .id}"');
      change(at("shop.app.json"), "data.workflow.hook_id", "data.workflow.id");
      configc(["check"]);
      const said = configc(["breaking", "shop.app.json", "--against", "git:v1"], 1);
      return expectText(said, "breaking/saved-key-missing");
    },
  };
  yield {
    name: "the action's script, of the same",
    run() {
      const args = [join(root, "ci-templates/github.mjs")];
      const said = node(args, { cwd: folder, expected: 1, env: { CONFIGC_PUBLISHED: "v1" } });
      return expectText(said, "title=breaking/saved-key-missing::");
    },
  };
}

function change(file, before, after) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(before)) throw new Error(`${before} isn't in ${file}`);
  writeFileSync(file, text.replaceAll(before, after));
}

const tests = {
  config: "shop.app.json",
  cases: [
    {
      name: "answers become fields",
      run: "workflows.shop-import-submissions.data_pipeline.source",
      input: { answers: [{ question_id: "email", text: "ada@example.com" }] },
      expect: { email: "ada@example.com" },
    },
    {
      name: "the account is described",
      run: "workflows.shop-import-submissions.setup.connect.describe_connection",
      http: [
        {
          request: { method: "GET", url: "https://api.example.com/v1/me" },
          response: { status: 200, body: { id: 7, name: "Ada" } },
        },
      ],
      expect: { account_id: 7, description: "Ada" },
    },
  ],
};

const host = `import { createApp } from "./shop.mjs";

const answer = new TextEncoder().encode('{"id": 7, "name": "Ada"}');
const http = { request: async () => ({ status: 200, headers: {}, body: answer }) };
const credentials = { read: async () => ({ access_token: "secret" }), write: async () => {}, markBroken: async () => {} };
const shop = createApp({ http, credentials });
const workflow = "workflows.shop-import-submissions";
const account = await shop.run(workflow + ".setup.connect.describe_connection");
const input = { answers: [{ question_id: "email", text: "ada@example.com" }] };
console.log(JSON.stringify(account), JSON.stringify(await shop.run(workflow + ".data_pipeline.source", { input })));
`;
