/** Loads the program, which takes the static page over as it is evaluated; once, however often it is called. */
const load = (): void => void import('#pwa/app');

/** Longer than a frame takes. A frame that is not drawn has none: one of another site, one that is covered. */
const noFrameMs = 300;

if (window.top !== window) {
  // Nothing of the verifier is shown within another page, not even for a moment.
  document.querySelector('#app')?.replaceChildren();
  load();
} else if (document.visibilityState === 'hidden') load();
else {
  // The page is painted first: its field takes text already.
  requestAnimationFrame(() => {
    setTimeout(load);
  });
  setTimeout(load, noFrameMs);
}
