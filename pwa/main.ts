/** Loads the program, which takes over the static page when it is evaluated; further calls have no effect. */
const load = (): void => void import('#pwa/app');

/**
 * This is longer than a frame takes, in milliseconds. A page that is not drawn, such as a covered one, never has a
 * frame.
 */
const noFrameMs = 300;

if (window.top !== window) {
  // Nothing of the verifier may appear inside another page, not even for a moment.
  document.querySelector('#app')?.replaceChildren();
  load();
} else if (document.visibilityState === 'hidden') load();
else {
  // The page is painted first, because its field already accepts text.
  requestAnimationFrame(() => {
    setTimeout(load);
  });
  setTimeout(load, noFrameMs);
}
