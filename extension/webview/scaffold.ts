import type { ProposedConfig } from "@configc/language-server";
import type { FromScaffold, ToScaffold } from "../src/messages.ts";
import { element, prose } from "./element.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromScaffold): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main")!;

addEventListener("message", ({ data }: MessageEvent<ToScaffold>) => show(data));
editor.postMessage({ kind: "ready" });

function show(message: ToScaffold): void {
  if (message.kind === "broken") {
    const alert = element("p", { class: "empty", role: "alert" }, prose(message.message));
    // After a choice that leads nowhere, another one can be made.
    const [last] = [...main.querySelectorAll("fieldset")].slice(-1);
    main.querySelectorAll("section, [role=alert]").forEach((each) => void each.remove());
    if (last === undefined) main.replaceChildren(alert);
    else last.after(alert);
    return;
  }
  const { from, proposal, chosen } = message;
  // The choices stay: who goes through them with the keyboard keeps their place.
  const focused = document.activeElement?.id ?? "";
  const typed = document.querySelector<HTMLInputElement>("#name")?.value;
  const open = proposal.told.filter(({ isOpen }) => isOpen);
  const known = proposal.told.filter(({ isOpen }) => !isOpen);
  main.replaceChildren(
    element("h1", {}, [`An app for ${proposal.title}`]),
    element("p", { class: "dim" }, [
      `A config as ${from} tells it. Nothing is written before you press “Write the config”, and nothing is sent to ${proposal.title}.`,
    ]),
    ...question("read", "Where do contacts come from?", proposal.choices, chosen.read),
    ...question("write", "Which request takes a contact?", proposal.choices, chosen.write),
    ...section("What the file doesn't tell: compare it with the service's documentation", open, "open"),
    ...section("What the file tells", known, "known"),
    element("section", {}, [
      element("h2", {}, ["The config"]),
      element("details", {}, [
        element("summary", {}, [`${proposal.text.split("\n").length - 1} lines`]),
        element("pre", { tabindex: "0", "aria-label": "The config" }, [proposal.text]),
      ]),
      writing(typed ?? proposal.name),
    ]),
  );
  document.getElementById(focused)?.focus();
}

/** What is said instead of a question. */
const nothing = {
  read: "The file has no list of people and no event that brings one, so the app only sends.",
  write: "The file has no request that takes a person, so the app only reads.",
};

/** Radio buttons; where there is nothing to choose from, a sentence that says so. */
function question(
  name: "read" | "write",
  title: string,
  choices: ProposedConfig["choices"],
  chosen: string | undefined,
): HTMLElement[] {
  const all = choices[name];
  if (all.length === 0) return [element("p", {}, [nothing[name]])];
  // An app that neither reads nor sends is none.
  const mayBeNone = choices[name === "read" ? "write" : "read"].length > 0;
  const taken = chosen ?? all[0];
  const option = (value: string, text: string, index: number): HTMLElement => {
    const input = element("input", { type: "radio", name, id: `${name}-${index}` }, []) as HTMLInputElement;
    input.checked = value === taken;
    input.addEventListener("change", () => editor.postMessage({ kind: "choose", [name]: value }));
    const hint = index === 0 && all.length > 1 ? [element("small", {}, [" likeliest"])] : [];
    return element("label", {}, [input, value === "" ? text : element("code", {}, [text]), ...hint]);
  };
  return [
    element("fieldset", {}, [
      element("legend", {}, [title]),
      ...all.map((each, index) => option(each, each, index)),
      ...(mayBeNone
        ? [
            option(
              "",
              name === "read" ? "Nowhere: the app only sends" : "None: the app only reads",
              all.length,
            ),
          ]
        : []),
    ]),
  ];
}

function section(title: string, told: ProposedConfig["told"], kind: string): HTMLElement[] {
  if (told.length === 0) return [];
  return [
    element("section", { class: kind }, [
      element("h2", {}, [title]),
      element(
        "dl",
        {},
        told.flatMap(({ what, taken, because }) => [
          element("dt", {}, prose(what)),
          element("dd", {}, [...prose(taken), element("small", {}, prose(` (${because})`))]),
        ]),
      ),
    ]),
  ];
}

function writing(name: string): HTMLElement {
  const input = element("input", { id: "name", value: name, spellcheck: "false" }, []) as HTMLInputElement;
  const problem = element("p", { role: "alert", id: "name-problem" }, []);
  const form = element("form", {}, [
    element("label", { for: "name" }, ["Its name, without .app.json"]),
    input,
    element("button", { class: "main" }, ["Write the config"]),
    problem,
    element("p", { class: "dim" }, [
      "It goes into the folder of the workspace, with what its types come from beside it. Where the file leaves open whether records get lost, a world file beside it asks you.",
    ]),
  ]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fits = /^[^/\\]+$/.test(input.value);
    problem.textContent = fits ? "" : "A name has at least one character, and no slash.";
    if (fits) editor.postMessage({ kind: "write", name: input.value });
    else input.focus();
  });
  return form;
}
