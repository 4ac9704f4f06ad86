/** The part of the browser's `permissions` that is used here. */
interface PermissionsApi {
  getAll(): Promise<{ readonly origins?: string[] | undefined }>;
  contains(permissions: { origins: string[] }): Promise<boolean>;
  request(permissions: { origins: string[] }): Promise<boolean>;
  remove(permissions: { origins: string[] }): Promise<boolean>;
  readonly onAdded: { addListener(listener: () => void): void };
  readonly onRemoved: { addListener(listener: () => void): void };
}

/** Reads and changes the origins that the extension may reach. Patterns come from `originPattern`. */
export interface Permissions {
  has(pattern: string): Promise<boolean>;
  /**
   * Asks the agent. Call it in the click's handler, before any `await`. The prompt may close the page that asked, so
   * nothing may depend on the returned value. It is also false if the browser does not even ask.
   */
  request(pattern: string): Promise<boolean>;
  /** Removes the permission; returns false if the browser refuses. */
  giveUp(pattern: string): Promise<boolean>;
  /** Removes the permissions of all origins that the browser lets us remove. */
  giveUpAll(): Promise<void>;
  /** Calls back when an origin was granted or removed, here or in the browser's own settings. */
  onChange(listener: () => void): void;
}

export function createPermissions(api: PermissionsApi): Permissions {
  const refused = () => false;
  return {
    has: (pattern) => api.contains({ origins: [pattern] }).catch(refused),
    // Not an async function, because the browser requires the call in the same task as the click.
    request: (pattern) => api.request({ origins: [pattern] }).catch(refused),
    giveUp: (pattern) => api.remove({ origins: [pattern] }).catch(refused),
    async giveUpAll() {
      const { origins = [] } = await api.getAll();
      for (const origin of origins) await api.remove({ origins: [origin] }).catch(refused);
    },
    onChange(listener) {
      api.onAdded.addListener(listener);
      api.onRemoved.addListener(listener);
    },
  };
}
