export { type Content, Html, html } from "./html.ts";
export { button, notice, pretty, required, state, time } from "./layout.ts";
export { style } from "./style.ts";
export { traceView } from "./trace-view.ts";
export { placeView, whyView } from "./why-view.ts";
