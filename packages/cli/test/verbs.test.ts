import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportSchema, rules } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { templateNames } from "../src/template-names.ts";
import { commonOptions, verbs } from "../src/verbs/table.ts";
import { bin, configc, folderWith } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

describe("the command itself", () => {
  test("help lists every verb", () => {
    const { status, stdout } = configc(["--help"]);
    expect(status).toBe(0);
    for (const { name, summary } of verbs)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, "m"));
  });

  test.each(verbs.map((verb) => [verb.name, verb] as const))(
    "help of %s has its synopsis, options, examples and statuses",
    async (name, verb) => {
      const { status, stdout } = await configcHere([name, "--help"]);
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: configc ${name}`);
      for (const option of [...verb.options, ...commonOptions]) expect(stdout).toContain(`--${option.name}`);
      for (const line of Object.keys(verb.examples)) expect(stdout).toContain(line);
      for (const code of Object.keys(verb.exit)) expect(stdout).toMatch(new RegExp(`^  ${code} `, "m"));
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
      expect((await configcHere(["help", name])).stdout).toBe(stdout);
    },
  );

  test("version", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(configc(["--version"])).toEqual({ status: 0, stdout: `configc ${version}\n`, stderr: "" });
  });

  test.each([
    ["no verb", [], "configc: there is no config here yet. Start with:\n  configc init NAME "],
    ["a misspelled verb", ["chekc"], "Did you mean check?"],
    ["a verb of another tool", ["deploy"], "There is no verb “deploy”."],
    ["a misspelled option", ["check", "--formt"], "There is no option --formt. Did you mean --format?"],
    ["an unknown letter", ["check", "-x"], "There is no option -x.\nSee “configc check"],
    ["too few operands", ["explain"], "explain needs RULE."],
    ["too many operands", ["schema", "x"], "“x” is one operand too many for schema."],
    [
      "an operand that isn't among the choices",
      ["completion", "basch"],
      "SHELL is bash, zsh or fish, not “basch”. Did you mean bash?",
    ],
  ])("wrong usage: %s", (_, args, message) => {
    const { status, stdout, stderr } = configc(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("--help”.");
  });
});

test("no verb, beside a config: it says what can be done with it", () => {
  const { status, stderr } = configc([], { cwd: folderWith({ "shop.app.json": "{}" }) });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^configc: what shall it do\? For instance:\n {2}configc check /);
});

describe("explain and rules", () => {
  test("a page has the reason, examples and ways out", () => {
    const { status, stdout } = configc(["explain", "syntax/trailing-comma"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^syntax\/trailing-comma \(error\)\n/);
    for (const part of [
      "wrong",
      "right",
      "--rule syntax/trailing-comma=off",
      "configc-ignore syntax/trailing-comma",
    ])
      expect(stdout).toContain(part);
  });

  test("a suppression can't be silenced by one, so that way isn't offered", () => {
    const { stdout } = configc(["explain", "suppression/no-reason"]);
    expect(stdout).toContain("--rule suppression/no-reason=off");
    expect(stdout).not.toContain("configc-ignore suppression/no-reason");
  });

  test("an example is called by what it shows, without the decision that it tests", () => {
    const { stdout } = configc(["explain", "expansion/optional-without-default"]);
    expect(stdout).toMatch(/^Example \(at /m);
    expect(stdout).toMatch(/^Example: In a hole of a jq program \(at /m);
  });

  test("an unknown rule: the nearest is suggested", () => {
    const { status, stderr } = configc(["explain", "syntax/trailing-coma"]);
    expect(status).toBe(2);
    expect(stderr).toContain("There is no rule “syntax/trailing-coma”. Did you mean syntax/trailing-comma?");
  });

  test("a rule without its area: those of that name are suggested", () => {
    const { status, stderr } = configc(["explain", "trailing-comma"]);
    expect(status).toBe(2);
    expect(stderr).toContain("There is no rule “trailing-comma”. Did you mean syntax/trailing-comma?");
  });

  test("as data", () => {
    const rule = JSON.parse(configc(["explain", "syntax/trailing-comma", "--format", "json"]).stdout);
    expect(rule).toMatchObject({
      id: "syntax/trailing-comma",
      severity: "error",
      hasFix: true,
      examples: [expect.objectContaining({ bad: expect.any(String) })],
    });
  });

  test("every rule is listed, as a table and as data", () => {
    const table = configc(["rules"]).stdout;
    const listed = JSON.parse(configc(["rules", "--format", "json"]).stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (const { id } of rules) expect(table).toMatch(new RegExp(`^${id} +(error|warning|info|hint)`, "m"));
  });
});

test("schema prints the schema of configs", () => {
  const { status, stdout } = configc(["schema"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(exportSchema())));
});

describe("init", () => {
  test.each(templateNames)("%s checks clean under another name", (template) => {
    const folder = folderWith();
    const { status, stdout } = configc(["init", "café-Ωmega", "--template", template], { cwd: folder });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "café-Ωmega.app.json\n" });
    const text = readFileSync(join(folder, "café-Ωmega.app.json"), "utf8");
    expect(text).toContain('"auth": "cafe-ωmega"');
    expect(text).toContain('"label": "Café Ωmega - ');
    expect(text.toLowerCase()).not.toContain("acme");
    const report = configc(["check", "--max-warnings", "0"], { cwd: folder });
    expect(report).toMatchObject({ status: 0, stdout: "✓ Nothing to report in 1 file\n" });
  });

  test("takes the folder's name, and a name below a folder", () => {
    const folder = folderWith({ "MyShop/keep.txt": "" });
    expect(configc(["init"], { cwd: join(folder, "MyShop") }).stdout).toBe("MyShop.app.json\n");
    expect(readFileSync(join(folder, "MyShop/MyShop.app.json"), "utf8")).toContain('"my-shop"');
    expect(configc(["init", "new/place/desk.app.json"], { cwd: folder }).stdout).toBe(
      "new/place/desk.app.json\n",
    );
    expect(existsSync(join(folder, "new/place/desk.app.json"))).toBe(true);
  });

  test("overwrites only by --force", () => {
    const folder = folderWith({ "a.app.json": "mine" });
    const { status, stderr } = configc(["init", "a"], { cwd: folder });
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a.app.json exists already. --force overwrites it."),
    });
    expect(readFileSync(join(folder, "a.app.json"), "utf8")).toBe("mine");
    expect(configc(["init", "a", "--force"], { cwd: folder }).status).toBe(0);
  });

  test.each([
    ["..", "can't be the name of a service"],
    [
      "a",
      "--template is outbound, inbound-webhook, inbound-polling or historical-sync, not “outbond”. Did you mean outbound?",
      "--template",
      "outbond",
    ],
  ])("wrong usage: %s", (name, message, ...args) => {
    const { status, stderr } = configc(["init", name, ...args], { cwd: folderWith() });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("jq", () => {
  test.each<[string, string[], string, string]>([
    [
      "prints in two columns",
      ["."],
      '{"a":[1,{"b":null}]}',
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}\n',
    ],
    ["-c prints on one line", ["-c", "."], '{"a": [1]}', '{"a":[1]}\n'],
    ["-r prints strings bare", ["-r", ".[]"], '["a\\nb", 1]', "a\nb\n1\n"],
    ["-n reads nothing", ["-n", "1 + 1"], "not json", "2\n"],
    ["-s makes one array", ["-cs", "."], "1 [2]{}", "[1,[2],{}]\n"],
    ["-s of nothing", ["-cs", "."], "", "[]\n"],
    ["each value of the input", [".a"], '{"a":1} {"a":2}\n{"a":3}', "1\n2\n3\n"],
    ["values without blanks between them", ["-c", "."], '[1]"x"{"y":"]"}true', '[1]\n"x"\n{"y":"]"}\ntrue\n'],
    ["no input", ["."], " \n", ""],
    ["--arg", ["-n", "--arg", "name", "-n", "$name"], "", '"-n"\n'],
    ["--argjson", ["-nc", "--argjson", "list", "[1,2]", "--arg", "x", "", "[$list[], $x]"], "", '[1,2,""]\n'],
    ["options after the program", [".[0]", "-r"], '["x"]', "x\n"],
    ["a program that begins with a dash", ["-n", "--", "-1"], "", "-1\n"],
  ])("%s", (_, args, input, stdout) => {
    expect(configc(["jq", ...args], { input })).toEqual({ status: 0, stdout, stderr: "" });
  });

  test("a file", () => {
    const folder = folderWith({ "in.json": '{"a": 1}' });
    expect(configc(["jq", ".a", "in.json"], { cwd: folder }).stdout).toBe("1\n");
  });

  test("after a run that fails the next value is still read, and the last run gives the status", () => {
    const { status, stdout, stderr } = configc(["jq", "1, .a"], { input: '[] {"a": 2}' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1\n1\n2\n" });
    expect(stderr).toMatch(/^jq: error \(at <stdin>:0\): .*array/);
  });

  test("a program with a mistake is status 3, and the place is shown", () => {
    const { status, stderr } = configc(["jq", "-n", "1 | lenght"]);
    expect(status).toBe(3);
    expect(stderr).toContain("Did you mean length?");
    expect(stderr).toContain("    1 | lenght\n        ^^^^^^\n");
  });

  test.each([
    [
      "input that isn't JSON",
      [".", "-c"],
      '1\n {"a"',
      "jq: parse error: Unfinished JSON term at EOF at line 2, column 5",
      5,
    ],
    [
      "a file that isn't there",
      [".", "missing.json"],
      "",
      "missing.json can't be read: there is no such file or folder.",
      2,
    ],
    [
      "a variable's value that isn't JSON",
      ["-n", "$x", "--argjson", "x", "{"],
      "",
      "The value of --argjson x isn't JSON: {",
      2,
    ],
    ["half a pair", ["-n", "--arg", "x"], "", "--arg needs two values: --arg NAME VALUE.", 2],
  ])("%s", (_, args, input, message, code) => {
    const { status, stderr } = configc(["jq", ...args], { input });
    expect(stderr).toContain(message);
    expect(status).toBe(code);
  });
});

test("lsp answers over standard input and output, and ends with its client", () => {
  const message = (body: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...body });
    return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
  const input = [
    message({ id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } }),
    message({ id: 2, method: "shutdown" }),
    message({ method: "exit" }),
  ].join("");
  const { status, stdout } = configc(["lsp", "--stdio"], { input });
  expect(status).toBe(0);
  expect(stdout).toContain('"capabilities"');
});

describe("completion", () => {
  /** A shell that isn't installed can't be asked. */
  function isInstalled(shell: string): boolean {
    return spawnSync(shell, ["--version"]).error === undefined;
  }

  /** What bash offers for a line, the cursor at its end. */
  function offers(line: string, cwd = "."): string[] {
    const script = `
      source <("$0" "$1" completion bash)
      # bash takes words apart at the equal sign.
      IFS=' ' read -r -a COMP_WORDS <<< "\${2//=/ = }"
      [[ $2 == *' ' || $2 == *= ]] && COMP_WORDS+=("")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _configc
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script, process.execPath, bin, line], {
      cwd,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  test.each<[string, string[]]>([
    ["configc ", verbs.map(({ name }) => name)],
    ["configc ch", ["check"]],
    ["configc check --fix", ["--fix", "--fix-dry-run"]],
    ["configc check --format ", ["pretty", "compact", "json", "sarif", "github", "gitlab", "junit"]],
    ["configc check a.app.json --format js", ["json"]],
    ["configc check --rule syntax/trailing", ["syntax/trailing-comma="]],
    ["configc check --rule syntax/trailing-comma=", ["error", "warning", "info", "hint", "off"]],
    ["configc check --rule syntax/trailing-comma=h", ["hint"]],
    ["configc explain syntax/trailing", ["syntax/trailing-comma"]],
    ["configc init --template out", ["outbound"]],
    ["configc completion z", ["zsh"]],
    ["configc schema ", []],
    ["configc --v", ["--version"]],
  ])("bash: %s", (line, expected) => {
    configc(["--version"]);
    expect(offers(line)).toEqual(expected);
  });

  test("bash: files", () => {
    const folder = folderWith({ "one two.app.json": "", "other.json": "" });
    expect(offers("configc check ot", folder)).toEqual(["other.json"]);
    expect(offers("configc check --output o", folder)).toEqual(["one two.app.json", "other.json"]);
  });

  test.for(["bash", "zsh", "fish"])("%s accepts its script", (shell, { skip }) => {
    const { status, stdout } = configc(["completion", shell]);
    expect(status).toBe(0);
    for (const { name } of verbs) expect(stdout).toContain(name);
    if (!isInstalled(shell)) skip();
    const folder = folderWith({ script: stdout });
    const checked = spawnSync(shell, ["-n", "script"], { cwd: folder, encoding: "utf8" });
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: "" });
  });

  test.skipIf(!isInstalled("fish")).each<[string, string[]]>([
    ["configc ch", ["check"]],
    ["configc check --format s", ["sarif"]],
    ["configc check --rule syntax/trailing-comma=h", ["syntax/trailing-comma=hint"]],
    ["configc explain syntax/trailing", ["syntax/trailing-comma"]],
    ["configc jq --null", ["--null-input"]],
  ])("fish: %s", (line, expected) => {
    const folder = folderWith({ script: configc(["completion", "fish"]).stdout });
    const { stdout } = spawnSync("fish", ["-c", 'source script; complete -C "$argv[1]"', line], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((offer) => offer.split("\t")[0]),
    ).toEqual(expected);
  });

  test.skipIf(!isInstalled("zsh")).each<[string, string]>([
    ["configc ch", "check"],
    ["configc check --format sar", "sarif"],
    ["configc explain syntax/trailing-c", "syntax/trailing-comma"],
  ])("zsh: %s", (line, expected) => {
    const folder = folderWith({ script: configc(["completion", "zsh"]).stdout });
    // A terminal in the terminal: the line is typed, with a tab at its end, and what is on it then is printed.
    const session = [
      "zmodload zsh/zpty",
      "zpty shell zsh -f -i",
      "zpty -w shell 'PS1= ; autoload -Uz compinit; compinit -u -D; source script; setopt no_beep; bindkey \"^I\" complete-word'",
      'zpty -w shell \'show() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey "^X" show; print ready-""now\'',
      "zpty -r shell out '*ready-now*'",
      "zpty -w -n shell \"$1\"$'\\t\\x18'",
      "zpty -r shell out '*>>*'",
      'print -r -- "$out"',
    ].join("\n");
    const { stdout } = spawnSync("zsh", ["-fc", session, "zsh", line], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, TERM: "dumb" },
    });
    expect(/<<(.*)>>/.exec(stdout)?.[1]?.trimEnd()).toBe(line.replace(/\S+$/, expected));
  });
});
