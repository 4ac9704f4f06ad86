/**
 * Names the oldest browsers that may install the extension, as `docs/browsers.md` explains them. Manifests, style
 * sheets and tests take them from here.
 */
export const leastBrowsers = { chromium: 137, firefox: 142 } as const;
