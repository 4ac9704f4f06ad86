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
      const { origin, pathname, search } = new URL(text, location.href);
      if (import.meta.env.DEV) return text;
      if (origin !== location.origin || search !== '' || !ours.test(pathname))
        throw new TypeError('Not one of our scripts.');
      return text;
    },
  },
);

/**
 * A script address that `Worker` and `serviceWorker.register` take under Trusted Types: one of our own built scripts.
 * @throws TypeError for any other address
 */
export function trustScript(address: string): string {
  return (policy?.createScriptURL(address) ?? address) as string;
}
