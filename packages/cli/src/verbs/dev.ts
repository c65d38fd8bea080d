import { basename, dirname, join } from "node:path";
import { type App, sourceOf } from "@configc/compiler";
import { CredentialsFileError, credentialsFile, type JobReport, keyFile, StateError } from "@configc/host";
import { type DevRequest, type DevServer, Ending, startDev } from "@configc/host/internal";
import { type ReceivedDelivery, RunError } from "@configc/runtime";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { makeFolder } from "../files/make-folder.ts";
import { writeAtomically } from "../files/write.ts";
import { type LoadedConfig, loadConfig, withBaseUrl } from "../run/config.ts";
import { keepPayload } from "../run/keep-samples.ts";
import { watchConfig } from "../run/watch-config.ts";
import { hasColour, note, print } from "../terminal/output.ts";
import { type Style, styleOf } from "../terminal/style.ts";
import { visible } from "../terminal/text.ts";

const DEFAULT_PORT = 4711;

/** The app on this machine, until Ctrl-C. */
export async function run(args: Arguments): Promise<number> {
  const [file = ""] = args.operands;
  const loaded = loadConfig(file, "dev");
  const appOf = ({ app, model }: LoadedConfig): App => ({
    ...withBaseUrl(app, args.value("base-url"), "dev"),
    source: sourceOf(model, file),
  });
  const name = basename(file).replace(/\.app\.jsonc?$|\.jsonc?$/, "") || "app";
  const directory = directoryOf(args.value("directory"), file, name);
  const { origins } = loaded.settings;
  const style = styleOf(hasColour(process.stderr));
  const say = (line: string): void => note(`${style.dim(new Date().toLocaleTimeString("en-GB"))} ${line}`);
  const ending = new Ending();
  let server: DevServer;
  try {
    server = await startDev({
      app: appOf(loaded),
      name,
      file,
      directory,
      key: await keyFile(join(directory, "key")),
      port: portOf(args.value("port")),
      allowPrivateNetwork: args.has("allow-private-network"),
      client: await clientsOf(args.value("credentials")),
      onRequest: (request) => say(requestLine(request, style)),
      ...(args.has("samples") ? { onDelivery: (delivery) => keepDelivery(file, delivery) } : {}),
      onJob: (report) => say(jobLine(report, style)),
      onError: (error) => say(style.red(error instanceof Error ? `${error.stack}` : String(error))),
      ...publicUrlOf(args.value("public-url")),
      ...(origins === undefined ? {} : { origins }),
    });
  } catch (error) {
    ending.close();
    if (error instanceof StateError) throw new UsageError(error.message, "dev");
    if (error instanceof Error && "syscall" in error)
      throw new UsageError(`${name} can't be served: ${reasonOf(error)}.`, "dev");
    throw error;
  }
  print(`${server.url}\n`);
  note(`configc: ${file} is served until Ctrl-C; its state is kept in ${directory}.`);
  const watching = watchConfig(loaded, (changed) => {
    if ("problem" in changed) {
      server.refuse(changed.problem);
      say(
        `${style.red(`${file} has changed and can't be used; the last version that could goes on.`)}\n${changed.problem}`,
      );
      return;
    }
    server.update(appOf(changed.config), changed.config.settings.origins);
    say(`${file} has changed: new runs begin with it.`);
  });
  const status = await ending.ended;
  watching.end();
  note("configc: what is under way comes to its end …");
  await server.close();
  ending.close();
  return status;
}

/** A sample that can't be written is no reason to stop. */
function keepDelivery(file: string, delivery: ReceivedDelivery): void {
  try {
    const path = keepPayload(file, delivery);
    if (path !== undefined) note(`configc: what ${delivery.intake} sent is kept, masked, in ${path}.`);
  } catch (error) {
    note(`configc: the sample can't be written: ${reasonOf(error)}.`);
  }
}

/** Beside the config, and out of git: it has tokens in it, and their key. */
function directoryOf(given: string | undefined, file: string, name: string): string {
  const parent = given ?? join(dirname(file), ".configc");
  const directory = join(parent, name);
  try {
    makeFolder(directory, 0o700);
    if (given === undefined) writeAtomically(join(parent, ".gitignore"), "*\n", { throughLinks: false });
  } catch (error) {
    throw new UsageError(`${directory} can't be written: ${reasonOf(error)}.`, "dev");
  }
  return directory;
}

function portOf(given: string | undefined): number {
  if (given === undefined) return DEFAULT_PORT;
  const port = Number(given);
  if (/^\d+$/.test(given) && port < 65_536) return port;
  throw new UsageError(`--port is a number up to 65535, not “${given}”.`, "dev");
}

function publicUrlOf(given: string | undefined): { readonly publicUrl?: string } {
  if (given === undefined) return {};
  if (URL.canParse(given) && /^https?:/.test(given)) return { publicUrl: given };
  throw new UsageError(`--public-url is a URL, not “${given}”.`, "dev");
}

async function clientsOf(path: string | undefined) {
  if (path === undefined) return () => ({});
  try {
    const file = await credentialsFile(path);
    return (auth: string) => file.client(auth);
  } catch (error) {
    if (error instanceof CredentialsFileError) throw new UsageError(error.message, "dev");
    throw error;
  }
}

function requestLine({ method, url, status, milliseconds }: DevRequest, style: Style): string {
  const told =
    status === undefined ? style.red("no answer") : status < 400 ? `${status}` : style.red(`${status}`);
  return `  ${method} ${visible(url)} ${told} ${style.dim(`${milliseconds} ms`)}`;
}

function jobLine({ job, installation, result, error }: JobReport, style: Style): string {
  const what = `${style.bold(job)}${installation === "" ? "" : ` ${style.dim(installation.slice(0, 8))}`}`;
  if (error === undefined) return `${what} ${visible(JSON.stringify(result) ?? "")}`;
  const message = error instanceof Error ? error.message : String(error);
  const { source } = error instanceof RunError ? error : {};
  const place = source === undefined ? "" : style.dim(` ${source.file}:${source.line}:${source.column}`);
  return `${what} ${style.red(visible(message))}${place}`;
}
