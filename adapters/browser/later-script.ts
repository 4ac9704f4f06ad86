/** The file names of the scripts that the worker loads later. */
type Script = 'administration.js' | 'marketplaces.js';

/**
 * The part of a worker's global scope that is used here. Only Chromium's worker imports scripts, and has Trusted Types.
 */
interface WorkerScope {
  addEventListener(type: 'install', listener: () => void): void;
  importScripts?(address: unknown): void;
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(path: Script): string },
    ): { createScriptURL(path: Script): unknown };
  };
}

interface LaterScript {
  /** The global variable to which the script assigns its exports. */
  readonly name: string;
  /** Receives the name of a script that cannot be loaded, and the class of the error. */
  readonly log: (script: string, error: string) => void;
}

/** Created once, because the content security policy allows only one Trusted Types policy with this name. */
let policy: ReturnType<NonNullable<WorkerScope['trustedTypes']>['createPolicy']> | undefined;

/**
 * Prepares a further script of the worker, and returns a function that loads it on its first call and returns undefined
 * if it cannot be loaded. Call it while the worker starts: Chromium lets a worker import later only what it imported
 * while it was installed. In Firefox the manifest lists all scripts.
 */
export function createLaterScript(path: Script, { name, log }: LaterScript): () => unknown {
  const scope = globalThis as unknown as WorkerScope & Record<string, unknown>;
  const address = `/${path}`;
  policy ??= scope.trustedTypes?.createPolicy('counterfoil', {
    createScriptURL: (script) => `/${script}`,
  });
  const load = (): unknown => {
    try {
      if (scope[name] === undefined)
        scope.importScripts?.(policy?.createScriptURL(path) ?? address);
    } catch (error) {
      log(path, error instanceof Error ? error.name : typeof error);
    }
    return scope[name];
  };
  scope.addEventListener('install', load);
  return load;
}
