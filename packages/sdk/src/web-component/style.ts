const LIGHT = `
  --surface: #ffffff; --text: #14181f; --quiet: #545d6b; --line: #dfe3e8; --control: #828b98;
  --accent: #1d4ed8; --on-accent: #ffffff; --off: #e3e6eb; --on-off: #5c6573; --alarm: #b3261e;`;
const DARK = `
  --surface: #1b1f27; --text: #eef1f5; --quiet: #a9b2bf; --line: #333a46; --control: #77818f;
  --accent: #8fb1ff; --on-accent: #10131a; --off: #2b313c; --on-off: #a9b2bf; --alarm: #ffb4ab;`;

/** The style of all elements of the component, inside their shadow roots. Theme properties win over the defaults. */
const STYLE = `
:host { ${LIGHT} all: initial; display: block; background: var(--primarySurfaceBackgroundColor, transparent); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
:host([data-scheme='dark']) { ${DARK} }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
iframe { display: block; width: 100%; border: 0; color-scheme: inherit; }
.fields { height: 300px; }
.fields.code { height: 90px; }
dialog {
  padding: 0; border: 0; width: min(480px, 100vw); max-width: none; max-height: min(92dvh, 900px); border-radius: 16px;
  background: var(--primarySurfaceBackgroundColor, var(--surface));
  color: var(--primaryLabelTextColor, var(--text));
  box-shadow: 0 16px 48px rgb(0 0 0 / 0.3); overscroll-behavior: contain;
}
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
@media (max-width: 520px) {
  dialog { margin: auto 0 0; width: 100%; border-radius: 16px 16px 0 0; }
}
header {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 12px; padding: 12px 12px 12px 24px;
  background: var(--primarySurfaceBackgroundColor, var(--surface));
  border-bottom: 1px solid var(--separatorColor, var(--line));
}
h2 { flex: 1; margin: 0; font-size: 18px; line-height: 1.3; font-weight: 600; overflow-wrap: anywhere;
  color: var(--headerTintColor, var(--primaryLabelTextColor, var(--text))); }
button { font: inherit; cursor: pointer; min-height: 48px; border-radius: 10px; padding: 10px 16px; border: 1px solid transparent; }
button:focus-visible, input:focus-visible, select:focus-visible {
  outline: 2px solid var(--inputFieldSelectedBorderColor, var(--accent)); outline-offset: 2px; }
.close { background: none; padding: 0; width: 48px; font-size: 26px; line-height: 1;
  color: var(--headerButtonTintColor, var(--primaryLabelTextColor, var(--text))); }
.primary { width: 100%; font-weight: 600;
  background: var(--primaryCTAButtonActiveBackgroundColor, var(--accent));
  color: var(--primaryCTAButtonActiveTextColor, var(--on-accent)); }
.primary:disabled { cursor: default;
  background: var(--primaryCTAButtonDisabledBackgroundColor, var(--off));
  color: var(--primaryCTAButtonDisableTextColor, var(--on-off)); }
.secondary { width: 100%; background: none;
  border-color: var(--secondaryCTAButtonActiveBorderColor, var(--control));
  color: var(--secondaryCTAButtonActiveTextColor, var(--primaryLabelTextColor, var(--text))); }
.secondary:disabled { cursor: default; opacity: 0.5; }
.body { display: grid; gap: 16px; padding: 20px 24px 24px; }
.body > .fields { margin: -4px; width: calc(100% + 8px); }
.amount { margin: 0; font-size: 32px; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.quiet { margin: 0; color: var(--secondaryLabelTextColor, var(--quiet)); font-size: 14px; }
ul { list-style: none; margin: 0; padding: 0 0 12px; border-bottom: 1px solid var(--separatorColor, var(--line)); }
li { display: flex; justify-content: space-between; gap: 16px; font-size: 14px; padding: 3px 0;
  color: var(--secondaryLabelTextColor, var(--quiet)); font-variant-numeric: tabular-nums; }
li span:first-child { overflow-wrap: anywhere; }
.alert { margin: 0; color: var(--errorTextColor, var(--alarm)); }
.alert:empty { display: none; }
.options { display: grid; border: 1px solid var(--inputFieldDefaultBorderColor, var(--control)); border-radius: 10px; overflow: clip; }
.option { display: flex; align-items: center; gap: 12px; padding: 12px 14px; cursor: pointer;
  background: var(--inputFieldBackgroundColor, transparent); }
.option + .option { border-top: 1px solid var(--separatorColor, var(--line)); }
.option small { display: block; color: var(--secondaryLabelTextColor, var(--quiet)); }
input[type='radio'], input[type='checkbox'] { appearance: none; flex: none; margin: 0; width: 22px; height: 22px;
  border: 2px solid var(--inputElementDefaultTintColor, var(--control)); border-radius: 50%; background: none; cursor: pointer; }
input[type='checkbox'] { border-radius: 6px; }
input[type='radio']:checked { border: 7px solid var(--inputElementActiveTintColor, var(--accent)); }
input[type='checkbox']:checked { border-color: var(--inputElementActiveTintColor, var(--accent));
  background: var(--inputElementActiveTintColor, var(--accent)); box-shadow: inset 0 0 0 4px var(--primarySurfaceBackgroundColor, var(--surface)); }
.check { display: flex; align-items: center; gap: 12px; cursor: pointer; }
.input { display: grid; gap: 6px; }
.input label { font-size: 14px; font-weight: 500; }
.input input, .input select { font: inherit; width: 100%; min-width: 0; min-height: 48px; padding: 10px 14px; border-radius: 10px;
  color: var(--primaryLabelTextColor, var(--text));
  background: var(--inputFieldBackgroundColor, var(--surface));
  border: 1px solid var(--inputFieldDefaultBorderColor, var(--control)); }
.input input::placeholder { color: var(--inputFieldPlaceholderColor, var(--quiet)); opacity: 1; }
.input input:focus-visible, .input select:focus-visible { outline-offset: -1px; }
.input [aria-invalid='true'] { border-color: var(--errorTextColor, var(--alarm)); }
.input p { margin: 0; font-size: 14px; color: var(--errorTextColor, var(--alarm)); }
.input p:empty { display: none; }
.wait { display: grid; justify-items: center; gap: 16px; padding: 48px 24px; text-align: center; }
.wait p { margin: 0; }
.spinner { width: 36px; height: 36px; border-radius: 50%; border: 3px solid var(--separatorColor, var(--line));
  border-top-color: var(--loadingIndicatorColor, var(--accent)); animation: turn 0.9s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 4s; } }
.bank header { display: block; padding: 16px 24px; }
.bank iframe { height: min(420px, 60dvh); background: #ffffff; color-scheme: light; }
.wallets { display: grid; gap: 10px; text-align: center; }
.wallet { display: flex; align-items: center; justify-content: center; gap: 5px; border-color: #8a8a8a; background: #000; color: #fff; font-size: 19px; font-weight: 500; }
.wallet svg { width: 21px; height: 21px; }
.wallet:disabled { cursor: default; background: #5f6368; }
.buttons { display: grid; gap: 10px; }
`;

let shared: CSSStyleSheet | undefined;

/** One sheet for all elements. A constructed sheet needs no permission of the page's content security policy. */
export function getStyle(): CSSStyleSheet {
  if (shared === undefined) {
    shared = new CSSStyleSheet();
    shared.replaceSync(STYLE);
  }
  return shared;
}
