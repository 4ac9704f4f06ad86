/** What a worker's global scope has, as far as it is used. Only Chromium's worker imports scripts, and has Trusted Types. */
interface WorkerScope {
  addEventListener(type: 'install', listener: () => void): void;
  importScripts?(address: unknown): void;
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(text: string): unknown };
  };
}

interface SecondScript {
  /** The global variable that the script sets to what it exports. */
  readonly name: string;
  /** Receives the name of a script that cannot be loaded, and the class of the error. */
  readonly log: (script: string, error: string) => void;
}

/**
 * Prepares a second script of the worker, and returns what loads it when it is first called; undefined when it cannot be loaded.
 * Call it while the worker starts: Chromium lets a worker import later only what was imported while it was installed. In Firefox
 * the manifest names both scripts.
 * @param path of the script in the extension
 */
export function createSecondScript(path: string, { name, log }: SecondScript): () => unknown {
  const scope = globalThis as unknown as WorkerScope & Record<string, unknown>;
  const address = `/${path}`;
  const policy = scope.trustedTypes?.createPolicy('counterfoil', {
    createScriptURL: () => address,
  });
  const load = (): unknown => {
    try {
      if (scope[name] === undefined)
        scope.importScripts?.(policy?.createScriptURL(address) ?? address);
    } catch (error) {
      log(path, error instanceof Error ? error.name : typeof error);
    }
    return scope[name];
  };
  scope.addEventListener('install', load);
  return load;
}
