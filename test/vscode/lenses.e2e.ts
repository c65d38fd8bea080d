import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canRun, Window } from "./support/window.ts";

const template = readFileSync(
  fileURLToPath(new URL("../../packages/cli/templates/outbound.app.json", import.meta.url)),
  "utf8",
);

/** Presses the lowest lens in view that shows types, in the frame in which it is first seen. */
const pressAtOnce = `new Promise((done, fail) => {
  const end = performance.now() + 10000;
  const isSeen = (lens) => {
    const { left, top, bottom } = lens.getBoundingClientRect();
    return document.elementFromPoint(left + 2, (top + bottom) / 2) === lens;
  };
  const look = () => {
    const lenses = [...document.querySelectorAll(".codelens-decoration a")];
    const lens = lenses.filter((each) => each.textContent === "Show type" && isSeen(each)).at(-1);
    if (lens === undefined)
      return performance.now() > end ? fail(new Error("No lens is in view.")) : requestAnimationFrame(look);
    const { left, top, height } = lens.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, clientX: left + 2, clientY: top + height / 2, button: 0, view: window };
    lens.dispatchEvent(new PointerEvent("pointerdown", { ...at, buttons: 1 }));
    lens.dispatchEvent(new MouseEvent("mousedown", { ...at, buttons: 1 }));
    lens.dispatchEvent(new PointerEvent("pointerup", at));
    lens.dispatchEvent(new MouseEvent("mouseup", at));
    done();
  };
  look();
})`;

/** Frames come late, as on a busy machine. */
const slowFrames = `{
  globalThis.promptFrame = requestAnimationFrame;
  globalThis.requestAnimationFrame = (draw) => setTimeout(() => promptFrame(draw), 1500);
}`;
const promptFrames = "globalThis.requestAnimationFrame = promptFrame";

/** VS Code shows lenses of lists that it has forgotten: these were out of view when the list came that it has now. */
describe.skipIf(!canRun)("a lens of before", () => {
  let window: Window;
  beforeAll(async () => {
    window = await Window.open({ "crm.app.json": template });
    await window.openFile("crm.app.json");
    // So that the panel takes no room from the text later on, and shows what is new.
    await showTypes("{account_id: .id", "describe_connection");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(() => window?.close());

  /** What the lens above the target of the workflow shows, which is the last one of the document. */
  const typesOfTarget = () => window.panel().locator(".state", { hasText: "target" });
  const showTypes = async (line: string, of: string): Promise<void> => {
    await window.goBehind(line);
    await window.command("configc: Show Type");
    await window.panel().locator(".state", { hasText: of }).waitFor();
    await window.focusEditor();
  };

  /** Sees the last lenses, goes to the start, and has the editor ask for lenses again, which it resolves there only. */
  const leaveBehind = async (change: string): Promise<void> => {
    const { page } = window;
    await page.keyboard.press("Control+End");
    await page.waitForTimeout(3_000);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type(change);
    await page.waitForTimeout(3_000);
  };

  test("does what it says as soon as it comes into view", async () => {
    await leaveBehind(" ");
    await window.page.keyboard.press("Control+End");
    await window.page.evaluate(pressAtOnce);
    await typesOfTarget().waitFor();
  });

  test("does what it says where frames came so late that VS Code never resolved it", async () => {
    const { page } = window;
    await showTypes("{account_id: .id", "describe_connection");
    await leaveBehind(" ");
    await page.evaluate(slowFrames);
    await page.keyboard.press("Control+End");
    await page.waitForTimeout(4_000);
    await page.evaluate(promptFrames);
    await page.waitForTimeout(3_000);
    await page.evaluate(pressAtOnce);
    await typesOfTarget().waitFor();
  });

  test("means what stands there after an edit", async () => {
    const { page } = window;
    await showTypes("{account_id: .id", "describe_connection");
    await leaveBehind(" ");
    await window.goBehind('"workflows": [');
    // The workflow has another pointer now.
    await page.keyboard.insertText(' { "name": "earlier", "type": "automations" },');
    await page.keyboard.press("Control+End");
    await page.evaluate(pressAtOnce);
    await typesOfTarget().waitFor();
    expect(await window.panel().locator(".types").innerText()).toContain("/workflows/1/data_pipeline/target");
  });
});
