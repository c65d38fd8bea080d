import type { Type } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import { mayLackMember } from "../bind/incomplete-object.ts";
import type { Model } from "../bind/model.ts";
import type { Memory, Part, Reach } from "../bind/part.ts";
import { commentsOfService } from "../flow/documented-everywhere.ts";
import { flowOf } from "../flow/flow.ts";
import { oauth2Configuration } from "../language/sections/auth.ts";
import type { JsonNode, MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import { responseType } from "../samples/response-type.ts";

/**
 * What is reached from a part besides itself, settings and samples: for each reach what it adds to those before. Two lists with the same
 * elements stand for the same findings.
 */
type PartDependencies = Readonly<Record<Reach, readonly unknown[]>>;

/**
 * What is reached from each part. Near are the parts that are linked with it by `data_intake`, directly or by others, since the types of
 * fields and payloads come from there, of workflows as far as others look at them; what stands outside of intakes and workflows;
 * and the types of what is saved, which any part may read.
 */
export function dependenciesOfParts(model: Model): ReadonlyMap<Part, PartDependencies> {
  const inPieces = referredTo.map((name) => mayLackMember(model.document, name)).join();
  const saidOfAll = commentsOfService(model).map(({ value }) => value);
  const common = [inPieces, frameText(model), saidOfAll.join("\n")];
  const saved = savedText(model);
  // What stands between the items is in the frame.
  const savers = unlessSame(
    model.parts.filter((part) => part.item !== undefined && savesOrReads(part)),
    model.memory,
  );
  const found = new Map<Part, PartDependencies>();
  for (const group of groupsOf(model)) {
    const responses = group.flatMap((part) => responsesIn(part, model));
    const shared: unknown[] = [...common, ...group.map((part) => faceOf(part, model)), ...responses];
    // Of what a mistake in JSON touches, rules say less, as far as its members may be lost: nothing of it is kept.
    if (!group.every(({ item }) => item?.sound)) shared.push({});
    // Types of fields and payloads may come from what another part reads.
    if (group.some(savesOrReads)) shared.push(saved);
    // One for all of them: most are looked at in vain.
    const dependencies = { near: shared, linked: group, saved: savers };
    for (const part of group) found.set(part, dependencies);
  }
  return found;
}

/** The list of the version before, if it is the same: then a look at it is enough for each part. */
function unlessSame(parts: readonly Part[], memory: Memory | undefined): readonly unknown[] {
  for (const { rests } of memory?.parts.values() ?? []) {
    if (rests !== undefined) return isSame(rests.saved, parts) ? rests.saved : parts;
  }
  return parts;
}

/** Members of the document that others refer to what stands in: less is said of it where some may be lost. */
const referredTo = ["auth", "data_intake", "objects"] as const;

export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((each, index) => each === b[index]));
}

/** What other parts may look at in a part: all of an intake; of a workflow all but what is shown to customers, and its pipeline. */
function faceOf(part: Part, { document: { text } }: Model): unknown {
  const { item } = part;
  if (part.workflows.length === 0 || item?.node.kind !== "object") return part;
  item.face ??= item.node.members
    .filter(({ name }) => !ownAffairs.has(name))
    .map((member) => withoutShown(member, text))
    .join();
  return item.face;
}

/** The text of a member without what is only shown to customers: the label of a step or a field concerns nothing else. */
function withoutShown({ start, end, value }: MemberNode, text: string): string {
  const kept: string[] = [];
  let from = start;
  for (const shown of shownIn(value)) {
    kept.push(text.slice(from, shown.start));
    from = shown.end;
  }
  return [...kept, text.slice(from, end)].join("\0");
}

const shownNames: ReadonlySet<string> = new Set(["label", "description", "help_text", "placeholder"]);

function* shownIn(node: JsonNode | undefined): Generator<JsonNode> {
  if (node?.kind === "array") for (const item of node.items) yield* shownIn(item);
  if (node?.kind !== "object") return;
  for (const { name, value, repeated } of node.members) {
    // What a command is given isn't shown to customers, and an expansion reads something.
    if (name.startsWith("!")) continue;
    if (shownNames.has(name) && !repeated && value?.kind === "string" && !/[${]/.test(value.value))
      yield value;
    else yield* shownIn(value);
  }
}

const ownAffairs: ReadonlySet<string> = new Set(["label", "description", "resource_labels", "data_pipeline"]);

function savesOrReads({ item, commands, expansions, programs }: Part): boolean {
  if (item === undefined) return true;
  item.savesOrReads ??=
    commands.some(({ key }) => key === "!save") ||
    expansions.some(({ root, rootExact }) => root === "data" || !rootExact) ||
    programs.some(({ node, diagnostics }) => diagnostics.length > 0 || /(?<!custom_)data/.test(node.value));
  return item.savesOrReads;
}

/** The document without its intakes and workflows, and without what of an auth entry only the login needs. */
function frameText({ document: { root, text } }: Model): string {
  if (root?.kind !== "object") return "";
  return root.members
    .map((member) => {
      const { name, value, repeated, start, end } = member;
      if (name === "auth" && value?.kind === "object" && !repeated) return name + authText(value, text);
      const inParts = listsOfUnits.has(name) && value?.kind === "array" && !repeated;
      return inParts ? name : text.slice(start, end);
    })
    .join();
}

function authText(auth: ObjectNode, text: string): string {
  const kept: string[] = [];
  let from = auth.start;
  for (const { value: entry } of auth.members) {
    const configuration = entry?.kind === "object" ? entry.get("configuration") : undefined;
    if (configuration?.kind !== "object") continue;
    for (const { name, value, repeated } of configuration.members) {
      // Of one that is no text more may depend than what it says.
      if (!forLogin.has(name) || repeated || value?.kind !== "string") continue;
      kept.push(text.slice(from, value.start));
      from = value.end;
    }
  }
  return [...kept, text.slice(from, auth.end)].join("\0");
}

const forLogin: ReadonlySet<string> = new Set(
  Object.entries(oauth2Configuration.members).flatMap(([name, member]) => (member.forLogin ? [name] : [])),
);

const listsOfUnits: ReadonlySet<string> = new Set(["data_intake", "workflows"]);

/** What is saved, by scope and key, with its type. */
function savedText(model: Model): string {
  const flow = flowOf(model);
  return [...(flow.savedKeys() ?? [])]
    .map(([scope, { keys, complete }]) => {
      const types = [...keys.keys()].map((key) => [key, flow.saved(scope, key).id]);
      return JSON.stringify([scope, complete, types]);
    })
    .join();
}

/** The items that are linked with one another, in document order. */
function groupsOf({ parts, workflows }: Model): Iterable<readonly Part[]> {
  const partOf = new Map<unknown, Part>();
  for (const part of parts) {
    if (part.item === undefined) continue;
    for (const symbol of part.intakes) partOf.set(symbol, part);
    for (const symbol of part.workflows) partOf.set(symbol, part);
  }
  // Each part says of another one that it is in its group; the one that says it of none stands for the group.
  const other = new Map<Part, Part>();
  const groupOf = (part: Part): Part => {
    let at = part;
    for (let next = other.get(at); next !== undefined; next = other.get(at)) at = next;
    if (at !== part) other.set(part, at);
    return at;
  };
  for (const workflow of workflows) {
    for (const reference of [workflow.intake, workflow.historicalIntake]) {
      const [a, b] = [partOf.get(workflow), partOf.get(reference?.target)];
      if (a === undefined || b === undefined) continue;
      const [from, to] = [groupOf(a), groupOf(b)];
      if (from !== to) other.set(from, to);
    }
  }
  return groupBy(
    parts.filter(({ item }) => item !== undefined),
    groupOf,
  ).values();
}

/** What is known of the responses to the requests of a part: a sample belongs to the request that says most of its path. */
function responsesIn({ commands }: Part, model: Model): readonly Type[] {
  const { responses, documents } = model.samples;
  if (responses.length === 0 && documents.length === 0) return [];
  const requests = commands.filter(({ key }) => key === "!http");
  return requests.map((command) => responseType(command, model));
}
