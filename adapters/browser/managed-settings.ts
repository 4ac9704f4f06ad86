interface StorageApi {
  readonly managed: { get(key: string): Promise<Record<string, unknown>> };
  readonly onChanged: {
    addListener(listener: (changes: Record<string, unknown>, area: string) => void): void;
  };
}

/** Reads what the browser's administrator has set for this extension. */
export interface ManagedSettings {
  /** Returns the value `settings` of the policy; undefined when there is no policy. */
  read(): Promise<unknown>;
  /** Calls back when the policy was changed. Firefox reads policies when it starts alone. */
  onChange(changed: () => void): void;
}

export function createManagedSettings({ managed, onChanged }: StorageApi): ManagedSettings {
  return {
    async read() {
      try {
        return (await managed.get('settings'))['settings'];
      } catch {
        // Firefox rejects where no policy names this extension.
        return undefined;
      }
    },
    onChange(changed) {
      onChanged.addListener((_, area) => {
        if (area === 'managed') changed();
      });
    },
  };
}
