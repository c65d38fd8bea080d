import { pages } from "@configc/host/internal";
import { requestText, type Story, type StoryCommand } from "../../stories/index.ts";

const { html, time } = pages;

/** What a run asked of services and what became of its state: one story for each worker that had it. */
export function storyView(stories: readonly Story[]): pages.Content {
  if (stories.length === 0)
    return html`<div class="card"><p class="soft">None are kept: it found nothing to do, is still under way, was cut off, or workers keep no stories.</p></div>`;
  return stories.map(
    ({ worker, begun, ended, outcome, commands, left, state }) => html`<div class="card">
<p class="soft">${outcome} by ${worker}, ${time(begun)}, ${ended - begun} ms</p>
${commands.length === 0 ? html`<p class="soft">It sent no requests.</p>` : html`<ol class="trace">${commands.map((command, at) => html`${left !== undefined && at === Math.floor(commands.length / 2) ? html`<li class="soft">${left} more commands</li>` : ""}${commandView(command)}`)}</ol>`}
${state === undefined ? "" : html`<p><small>state before</small></p><pre>${state.before}</pre><p><small>state after</small></p>${state.after === undefined ? html`<p class="soft">The same.</p>` : html`<pre>${state.after}</pre>`}`}</div>`,
  );
}

function commandView({
  node,
  item,
  milliseconds,
  requests,
  left,
  saved = [],
  failure,
}: StoryCommand): pages.Html {
  return html`<li><code>${node}</code>${item === undefined ? "" : html`, item <a href="items/${encodeURIComponent(item)}">${item}</a>`} <small>${milliseconds} ms</small>
<ul>${requests.map((request) => html`<li>${requestText(request)}</li>`)}${left === undefined ? "" : html`<li class="soft">${left} more requests in between</li>`}
${saved.map((one) => html`<li class="soft">saved for the ${one}</li>`)}${failure === undefined ? "" : html`<li class="bad">${failure}</li>`}</ul></li>`;
}
