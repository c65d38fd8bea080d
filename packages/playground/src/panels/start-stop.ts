import { h } from "../dom.ts";

/** A button that begins something, and one that stops it meanwhile. */
export class StartStop {
  readonly start: HTMLButtonElement;
  readonly stop: HTMLButtonElement;

  constructor(label: string, begin: () => void, stop: () => void) {
    this.start = h("button", { type: "button", className: "primary", onclick: begin }, label);
    this.stop = h("button", { type: "button", hidden: true, onclick: stop }, "Stop");
  }

  /** Lets it be stopped, and not begun again, as long as it takes. */
  async during(work: () => Promise<void>): Promise<void> {
    this.start.disabled = true;
    this.stop.hidden = false;
    try {
      await work();
    } finally {
      this.start.disabled = false;
      this.stop.hidden = true;
    }
  }
}
