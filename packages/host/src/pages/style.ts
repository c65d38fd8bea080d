/** The style of all pages: one file, no script. Light or dark as the reader's system. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1b1f24; --soft: #59636e; --line: #d9dee4;
  --accent: #0b62c4; --on-accent: #ffffff; --good: #1a7f37; --bad: #c1271d; --wait: #8a5a00; --code: #eef1f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --card: #171c23; --text: #e6eaef; --soft: #98a3af; --line: #2c343e;
    --accent: #6cb2ff; --on-accent: #0b1a2b; --good: #56d37a; --bad: #ff8178; --wait: #e3b341; --code: #202731;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
header.top { border-bottom: 1px solid var(--line); background: var(--card); }
header.top div { max-width: 60rem; margin: 0 auto; padding: .7rem 1.25rem; display: flex; gap: 1.25rem; align-items: baseline; flex-wrap: wrap; }
header.top strong { font-size: 1.05rem; }
header.top a { text-decoration: none; }
header.top span { color: var(--soft); font-size: .9rem; }
main { max-width: 60rem; margin: 0 auto; padding: 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2, h3 { font-size: 1.1rem; margin: 1.75rem 0 .6rem; }
p { margin: .4rem 0; }
a { color: var(--accent); }
.soft, small { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.15rem; margin: 0 0 .85rem; }
.row { display: flex; gap: .6rem 1rem; align-items: center; justify-content: space-between; flex-wrap: wrap; }
.row form, .actions form { display: inline; }
.actions { display: flex; gap: .6rem; flex-wrap: wrap; margin-top: .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
.scroll { overflow-x: auto; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
label.choice { font-weight: 400; display: flex; gap: .5rem; align-items: center; margin: .2rem 0; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .25rem; }
input:not([type=checkbox]):not([type=radio]), select, textarea {
  width: 100%; max-width: 34rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--line); border-radius: .4rem; padding: .45rem .6rem;
}
textarea { min-height: 6rem; font-family: inherit; }
textarea.code, pre, code { font-family: ui-monospace, monospace; font-size: .88em; }
code { background: var(--code); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: .4rem; padding: .7rem .85rem; overflow-x: auto; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
button, a.button {
  font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: .4rem; padding: .42rem .9rem;
  background: var(--card); color: var(--text); cursor: pointer; text-decoration: none; display: inline-block;
}
button.main, a.button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ol.steps { list-style: none; display: flex; gap: .4rem; padding: 0; margin: 0 0 1.1rem; flex-wrap: wrap; counter-reset: step; }
ol.steps li { counter-increment: step; }
ol.steps button, ol.steps span.step { border-radius: 2rem; padding: .25rem .8rem; font-weight: 400; font-size: .92rem; border: 1px solid var(--line); display: inline-block; }
ol.steps span.step::before, ol.steps button::before { content: counter(step) "  "; color: var(--soft); }
ol.steps .current { border-color: var(--accent); color: var(--accent); font-weight: 600; }
ol.steps span.open { color: var(--soft); }
.card > :first-child { margin-top: 0; }
select:has(option[value=""]:checked), ::placeholder { color: var(--soft); opacity: 1; }
select option { color: var(--text); }
.field { padding: .75rem 0; }
.field + .field { border-top: 1px solid var(--line); }
.field small { display: block; margin-top: .25rem; }
.field .row { justify-content: flex-start; align-items: flex-end; }
.field .row > :first-child { flex: 1 1 16rem; max-width: 34rem; }
.field .search { margin-bottom: .4rem; }
.choices { max-height: 18rem; overflow-y: auto; max-width: 34rem; margin-bottom: .5rem; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; }
.notice, .bad { overflow-wrap: anywhere; }
.notice { border-left: 4px solid var(--bad); }
.notice.good { border-color: var(--good); }
.state { font-weight: 600; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.trace { list-style: none; padding-left: 0; margin: .5rem 0; font-size: .9rem; }
.trace .trace { padding-left: 1rem; border-left: 2px solid var(--line); margin: .2rem 0 .2rem .3rem; }
.trace summary { cursor: pointer; overflow-wrap: anywhere; }
.required { color: var(--bad); }
`;
