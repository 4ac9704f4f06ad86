import { delay } from '#core/time/index';

interface StorageApi {
  readonly managed: { get(key: string): Promise<Record<string, unknown>> };
  readonly onChanged: {
    addListener(listener: (changes: Record<string, unknown>, area: string) => void): void;
  };
}

/** Reads the browser administrator's settings for this extension. */
export interface ManagedSettings {
  /**
   * Returns the value `settings` of the policy; undefined if there is no policy.
   * @throws Error if the browser does not answer
   */
  read(): Promise<unknown>;
  /** Calls back when the policy was changed. Firefox reads policies only when it starts. */
  onChange(changed: () => void): void;
}

/** Firefox rejects if no policy names this extension. Any other failure means that the browser has not answered. */
function noneOrNever(failure: unknown): Record<string, unknown> | Promise<never> {
  return failure instanceof Error && failure.message.includes('manifest not found')
    ? {}
    : Promise.withResolvers<never>().promise;
}

/**
 * Creates the reader of the administrator's settings.
 * @param askAgainMs milliseconds to wait before asking again: Chromium loses some requests of a worker that has just
 * started
 */
export function createManagedSettings(
  { managed, onChanged }: StorageApi,
  askAgainMs = 500,
): ManagedSettings {
  // Some workers never get an answer. Later calls then ask and wait only once.
  let most = 6;
  return {
    async read() {
      const answers: Promise<Record<string, unknown>>[] = [];
      while (answers.length < most) {
        answers.push(managed.get('settings').catch(noneOrNever));
        const found = await Promise.race([...answers, delay(askAgainMs)]);
        if (found !== undefined) return found['settings'];
      }
      most = 1;
      throw new Error('No answer on the policy.');
    },
    onChange(changed) {
      onChanged.addListener((_, area) => {
        if (area === 'managed') changed();
      });
    },
  };
}
