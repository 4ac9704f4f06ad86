/** Holds a picture as bytes of a PNG. */
export type Png = Buffer;

const source = (png: Png): string => `data:image/png;base64,${png.toString('base64')}`;

const reset = `*{margin:0;box-sizing:border-box}html,body{height:100%}img{display:block}`;

/** Sets a side panel beside the page, as the browser does. */
export function besidePanel(page: Png, panel: Png, panelWidth: number, dark: boolean): string {
  const line = dark ? '#3a3d47' : '#d5d8e2';
  return `<style>${reset}
    body{display:flex}
    .page{width:calc(100% - ${String(panelWidth)}px)}
    .panel{width:${String(panelWidth)}px;border-left:1px solid ${line}}
  </style><img class="page" src="${source(page)}"><img class="panel" src="${source(panel)}">`;
}

/**
 * Hangs the popup in the corner of the window, as the browser does.
 * @param page narrower than the window, so that the popup covers nothing of it
 * @param ground the page's own colour, which goes on beside it
 */
export function underToolbar(
  page: Png,
  popup: Png,
  { pageWidth, popupWidth, ground, dark }: PopupStage,
): string {
  const shadow = dark ? '#000a' : '#1a1f3d40';
  return `<style>${reset}
    body{background:${ground}}
    .page{width:${String(pageWidth)}px}
    .popup{position:fixed;top:20px;right:32px;width:${String(popupWidth)}px;border-radius:12px;box-shadow:0 0 0 1px ${shadow},0 16px 56px ${shadow}}
  </style><img class="page" src="${source(page)}"><img class="popup" src="${source(popup)}">`;
}

interface PopupStage {
  /** CSS pixels. */
  readonly pageWidth: number;
  /** CSS pixels. */
  readonly popupWidth: number;
  readonly ground: string;
  readonly dark: boolean;
}

const grounds = {
  light: 'linear-gradient(135deg,#4a55c8,#343b9d 70%)',
  dark: 'linear-gradient(135deg,#23275c,#14162f 70%)',
} as const;

const brand = (dark: boolean): string => `${reset}
  body{background:${grounds[dark ? 'dark' : 'light']};color:#fff;font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow:hidden}
  .mark svg{display:block;width:100%;height:100%}
  .mark svg path:first-child{fill:#fff}
  .mark svg path{stroke:#4a55c8}
  .mark svg path:first-child{stroke:none}`;

/**
 * Draws the small promotional tile: the mark and the name alone, since the store shows it at half this size.
 * @param logo the SVG of the mark
 */
export function smallTile(logo: string, dark: boolean): string {
  return `<style>${brand(dark)}
    body{display:grid;place-content:center;justify-items:center;gap:10px}
    .mark{width:148px;height:148px;margin:-18px 0 -22px}
    h1{font-size:46px;letter-spacing:-.5px}
  </style><div class="mark">${logo}</div><h1>Counterfoil</h1>`;
}

/**
 * Draws the large promotional tile: name and description beside two verdicts.
 * @param description the manifest's
 */
export function marquee(
  logo: string,
  description: string,
  { purchase, license }: { readonly purchase: Png; readonly license: Png },
  dark: boolean,
): string {
  return `<style>${brand(dark)}
    .words{position:fixed;left:88px;top:0;bottom:0;width:470px;display:grid;align-content:center;gap:20px}
    .name{display:flex;align-items:center;gap:18px}
    .mark{width:84px;height:84px;flex:none}
    h1{font-size:60px;letter-spacing:-1px}
    p{font-size:26px;line-height:1.42;color:#e3e6ff;text-wrap:balance}
    img{position:fixed;border-radius:12px;box-shadow:0 3px 10px #0b0e2a66,0 24px 70px #0b0e2a99}
    .license{width:620px;left:640px;top:64px}
    .purchase{width:384px;left:956px;top:150px}
  </style>
  <div class="words"><div class="name"><div class="mark">${logo}</div><h1>Counterfoil</h1></div><p>${description}</p></div>
  <img class="license" src="${source(license)}"><img class="purchase" src="${source(purchase)}">`;
}
