/** The browser's `permissions`, as far as it is used. */
interface PermissionsApi {
  contains(permissions: { origins: string[] }): Promise<boolean>;
  request(permissions: { origins: string[] }): Promise<boolean>;
  remove(permissions: { origins: string[] }): Promise<boolean>;
  readonly onAdded: { addListener(listener: () => void): void };
  readonly onRemoved: { addListener(listener: () => void): void };
}

/** Which origins the browser lets us reach. A pattern is one of `originPattern`. */
export interface Permissions {
  has(pattern: string): Promise<boolean>;
  /**
   * Asks the agent. Must be called in the click itself, before any `await`; the prompt may close the page that asked,
   * so nothing may depend on the answer coming back to it. `false` as well when the browser will not even ask.
   */
  request(pattern: string): Promise<boolean>;
  /** `false` when the browser would not let go of it. */
  giveUp(pattern: string): Promise<boolean>;
  /** Called when an origin was granted or taken away, by us or in the browser's own settings. */
  onChange(listener: () => void): void;
}

export function createPermissions(api: PermissionsApi): Permissions {
  const refused = () => false;
  return {
    has: (pattern) => api.contains({ origins: [pattern] }).catch(refused),
    // Not an async function with a try: the request must leave in this very turn.
    request: (pattern) => api.request({ origins: [pattern] }).catch(refused),
    giveUp: (pattern) => api.remove({ origins: [pattern] }).catch(refused),
    onChange(listener) {
      api.onAdded.addListener(listener);
      api.onRemoved.addListener(listener);
    },
  };
}
