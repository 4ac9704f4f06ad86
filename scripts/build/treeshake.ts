/** What a bundler may leave out: no module of these folders does anything by being read, so that one of which nothing is used goes, with its schemas. */
export const treeshake = {
  moduleSideEffects: [{ test: /\/(?:core|messaging|stores)\//, sideEffects: false }],
};
