/**
 * Tells the bundler that no module of these folders does anything by being loaded, so that an unused one is left out
 * with its schemas.
 */
export const treeshake = {
  moduleSideEffects: [
    { test: /\/(?:core|messaging|stores|adapters\/storage)\//, sideEffects: false },
  ],
};
