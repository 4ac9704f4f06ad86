import type { Chip } from '#core/chips/index';

/**
 * The sizes of chips in CSS pixels: with room for a month, without it, and as an icon if there is no room for either.
 * Only the room decides which is drawn, so that the size tells the page nothing.
 */
export const chipSize = { wide: 176, width: 112, height: 20, icon: 16 } as const;
export type ChipSize = Readonly<Record<keyof typeof chipSize, number>>;

/** Text, background and border colour of each tone. Text on its background meets AA, on light and dark pages. */
const tones: Readonly<Record<Chip['tone'], readonly [ink: string, ground: string, edge: string]>> =
  {
    plain: ['#3a3f63,#d3d7f5', '#f2f3fb,#2a2d42', '#c3c7e2,#575d86'],
    good: ['#0d5a36,#93e2b5', '#e5f7ec,#15301f', '#9fd6b6,#3a7a55'],
    warn: ['#6d4300,#f6cd84', '#fff1d6,#392a0e', '#e3c182,#866628'],
    note: ['#0d4d70,#9bd5f3', '#e4f3fb,#112c3b', '#9dcbe4,#386f8c'],
    bad: ['#8f1d1d,#ffb3ab', '#fdecea,#401c1a', '#eab0ab,#954742'],
  };

/**
 * Styles the chips in their shadow root, with a class for each tone. The styles overrule the page's styles for the
 * host, except its colour scheme.
 *
 * Chips hold no text, because the page's `window.find` would search it and the browser would tell the page its size:
 * the ticket script paints all of a chip on a canvas. No size or place here may depend on a verdict. If there is room
 * only for an icon, it has a canvas of its own. The chip unfolds over it along its line, or below it if it would cover
 * the code; there it lets the pointer through to the icon of the next line. The background and border of what is
 * painted are read from the colours of a caret and an underline, which a button does not have. When the page's colour
 * scheme changes, the colour of the host's text changes too, and the end of that transition is one of the events after
 * which chips are painted again.
 */
export const chipStyle = `
:host {
  all: initial !important;
  position: absolute !important;
  inset: 0 auto auto 0 !important;
  z-index: 2147483647 !important;
  pointer-events: none !important;
  user-select: none !important;
  color-scheme: inherit !important;
  transition: 1ms !important;
}
@media print {
  :host { display: none !important; }
}
button {
  all: unset;
  box-sizing: border-box;
  border-radius: 10px;
  color: var(--ink);
  caret-color: var(--ground);
  text-decoration-color: var(--edge);
  direction: ltr;
  cursor: pointer;
  pointer-events: auto;
}
button, canvas {
  position: absolute;
  inset: 0 auto auto 0;
  width: ${String(chipSize.width)}px;
  height: ${String(chipSize.height)}px;
}
canvas { object-fit: cover; object-position: 0 0; }
[data-form='wide'], [data-form='wide'] canvas { width: ${String(chipSize.wide)}px; }
[hidden] { display: none; }
[data-form='icon'] {
  z-index: 1;
  width: ${String(chipSize.icon)}px;
  height: ${String(chipSize.icon)}px;
  border: 1px solid var(--edge);
  background: var(--ground);
}
.icon { display: none; }
[data-form='icon'] .icon { display: block; inset: -1px auto auto -1px; width: inherit; height: inherit; }
[data-form='icon']:not(:hover, :focus-visible) canvas:not(.icon) { display: none; }
[data-form='icon']:is(:hover, :focus-visible) { z-index: 2; border-color: var(--ink); }
[data-form='icon'] canvas:not(.icon) { inset: -3px auto auto -1px; width: ${String(chipSize.wide)}px; }
[data-form='icon'][data-opens='left'] canvas:not(.icon) { left: ${String(chipSize.icon - chipSize.wide - 1)}px; }
[data-drop] canvas:not(.icon) { pointer-events: none; }
[data-form='icon']:not([data-drop]):is(:hover, :focus-visible) .icon { display: none; }
button:is(:hover, :focus-visible) canvas:not(.icon) { filter: drop-shadow(0 1px 2px #0006); }
${Object.entries(tones).map(ruleOf).join('\n')}
@media (forced-colors: active) {
  :host button { --ink: ButtonText; --ground: ButtonFace; --edge: ButtonText; }
}
`;

function ruleOf([tone, [ink, ground, edge]]: [string, readonly [string, string, string]]): string {
  return `.${tone} { --ink: light-dark(${ink}); --ground: light-dark(${ground}); --edge: light-dark(${edge}); }`;
}
