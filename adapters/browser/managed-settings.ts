import { delay } from '#core/time/delay';

interface StorageApi {
  readonly managed: { get(key: string): Promise<Record<string, unknown>> };
  readonly onChanged: {
    addListener(listener: (changes: Record<string, unknown>, area: string) => void): void;
  };
}

/** Reads what the browser's administrator has set for this extension. */
export interface ManagedSettings {
  /**
   * Returns the value `settings` of the policy; undefined when there is no policy.
   * @throws Error when the browser does not answer
   */
  read(): Promise<unknown>;
  /** Calls back when the policy was changed. Firefox reads policies when it starts alone. */
  onChange(changed: () => void): void;
}

const maxAsked = 20;

/** @param askAgainMs after which a question without an answer is asked anew: Chromium loses some of a worker that has just started */
export function createManagedSettings(
  { managed, onChanged }: StorageApi,
  askAgainMs = 500,
): ManagedSettings {
  return {
    async read() {
      for (let asked = 0; asked < maxAsked; asked += 1) {
        // Firefox rejects where no policy names this extension.
        const answer = managed.get('settings').catch((): Record<string, unknown> => ({}));
        const found = await Promise.race([answer, delay(askAgainMs)]);
        if (found !== undefined) return found['settings'];
      }
      throw new Error('The browser does not say what its policy is.');
    },
    onChange(changed) {
      onChanged.addListener((_, area) => {
        if (area === 'managed') changed();
      });
    },
  };
}
