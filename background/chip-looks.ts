import type { ChipFace } from '#core/ticket/chip';
import type { ChipTone } from '#messaging/ticket-script';

// What chips look like lies with the worker, which hands it to the script: a script in every ticket must be small.

/** CSS pixels. Every chip is as large as every other, so that its size tells the page nothing. */
export const chipSize = { width: 112, height: 20 } as const;

/** Colour and icon say the same as the words. Icons are strokes in a square of 12. */
export const looks: Readonly<Record<ChipFace, { readonly tone: ChipTone; readonly icon: string }>> =
  {
    ask: { tone: 'plain', icon: 'M2 6h8M6.5 2.5 10 6l-3.5 3.5' },
    asking: { tone: 'plain', icon: 'M2.5 6h.01M6 6h.01M9.5 6h.01' },
    supported: { tone: 'good', icon: 'M2 6.5 4.8 9.2 10 3' },
    lapsed: { tone: 'warn', icon: 'M6 2.5V6l2.2 1.6M6 1a5 5 0 1 0 .01 0z' },
    'no-support': { tone: 'note', icon: 'M6 1a5 5 0 1 0 .01 0zM3.6 6h4.8' },
    'not-found': { tone: 'bad', icon: 'm3 3 6 6M9 3 3 9' },
    locked: { tone: 'plain', icon: 'M2.5 5.5h7V11h-7zM4 5.5V4a2 2 0 0 1 4 0v1.5' },
    failed: { tone: 'plain', icon: 'M6 1.5v5.5M6 9.9v.1' },
  };

/** Ink and ground of each tone meet AA, on light pages and on dark ones. */
export const chipStyle = `
:host{all:initial!important;position:absolute!important;inset:0 auto auto 0!important;width:0!important;height:0!important;z-index:2147483647!important;pointer-events:none!important;user-select:none!important;-webkit-user-select:none!important}
@media print{:host{display:none!important}}
button{all:unset;box-sizing:border-box;position:absolute;inset:0 auto auto 0;display:flex;align-items:center;gap:5px;width:${String(chipSize.width)}px;height:${String(chipSize.height)}px;padding:0 8px;border:1px solid var(--e);border-radius:10px;background:var(--g);color:var(--i);font:600 11px/1 system-ui,sans-serif;white-space:nowrap;overflow:hidden;cursor:pointer;pointer-events:auto;user-select:none;-webkit-user-select:none;direction:ltr}
button[hidden]{display:none}
button:hover{filter:brightness(.96)}
button:focus-visible{outline:2px solid var(--i);outline-offset:2px}
svg{flex:none;width:12px;height:12px;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
button{--i:#3a3f63;--g:#f2f3fb;--e:#c3c7e2}
.good{--i:#0d5a36;--g:#e5f7ec;--e:#9fd6b6}
.warn{--i:#6d4300;--g:#fff1d6;--e:#e3c182}
.note{--i:#0d4d70;--g:#e4f3fb;--e:#9dcbe4}
.bad{--i:#8f1d1d;--g:#fdecea;--e:#eab0ab}
.dark button{--i:#d3d7f5;--g:#2a2d42;--e:#575d86}
.dark .good{--i:#93e2b5;--g:#15301f;--e:#3a7a55}
.dark .warn{--i:#f6cd84;--g:#392a0e;--e:#866628}
.dark .note{--i:#9bd5f3;--g:#112c3b;--e:#386f8c}
.dark .bad{--i:#ffb3ab;--g:#401c1a;--e:#954742}
@media (forced-colors:active){button{border-color:ButtonText;background:ButtonFace;color:ButtonText}}
`;
