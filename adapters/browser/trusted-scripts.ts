interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): unknown };
}

const ours = /\/(?:(?:assets|chunks)\/[\w.-]+|service-worker)\.js$/u;

const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy(
  'counterfoil',
  {
    createScriptURL(text) {
      const { origin, protocol, pathname, search } = new URL(text, location.href);
      if (import.meta.env.DEV) return text;
      // A `blob:` address has the origin of the page that made it.
      const isOurOrigin = origin === location.origin && protocol === location.protocol;
      if (!isOurOrigin || search !== '' || !ours.test(pathname))
        throw new TypeError('Not one of our scripts.');
      return text;
    },
  },
);

/**
 * Returns a script address that `Worker` and `serviceWorker.register` accept under Trusted Types: one of our own built
 * scripts.
 * @throws TypeError for any other address
 */
export function trustScript(address: string): string {
  return (policy?.createScriptURL(address) ?? address) as string;
}
