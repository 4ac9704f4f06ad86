import { describe, expect, it } from 'vitest';

import { createAlarms } from '#adapters/browser/alarms';
import { createManagedSettings } from '#adapters/browser/managed-settings';
import { createPermissions } from '#adapters/browser/permissions';
import { restrictToTrustedContexts } from '#adapters/storage/storage-area';
import { createMemoryArea } from '#tests/adapters/memory-area';

describe('permissions', () => {
  function browserPermissions(answer: () => Promise<boolean>) {
    const asked: string[][] = [];
    const listeners: (() => void)[] = [];
    const event = { addListener: (listener: () => void) => void listeners.push(listener) };
    const ask = ({ origins }: { origins: string[] }): Promise<boolean> => {
      asked.push(origins);
      return answer();
    };
    const api = {
      contains: ask,
      request: ask,
      remove: ask,
      onAdded: event,
      onRemoved: event,
      getAll: () => Promise.resolve({ origins: ['https://a.example/*', 'https://b.example/*'] }),
    };
    return { permissions: createPermissions(api), asked, listeners };
  }

  it('are asked for in the very turn of the click', () => {
    const { permissions, asked } = browserPermissions(() => Promise.resolve(true));
    void permissions.request('https://api.example.com/*');
    expect(asked).toEqual([['https://api.example.com/*']]);
  });

  it('are not there when the browser will not even say', async () => {
    const { permissions } = browserPermissions(() => Promise.reject(new Error('no gesture')));
    expect(await permissions.request('https://api.example.com/*')).toBe(false);
    expect(await permissions.has('https://api.example.com/*')).toBe(false);
    expect(await permissions.giveUp('https://api.example.com/*')).toBe(false);
  });

  it('are given up one by one, so that one the browser keeps does not save the others', async () => {
    const { permissions, asked } = browserPermissions(() => Promise.reject(new Error('required')));
    await permissions.giveUpAll();
    expect(asked).toEqual([['https://a.example/*'], ['https://b.example/*']]);
  });

  it('tell of grants and losses', () => {
    const { permissions, listeners } = browserPermissions(() => Promise.resolve(true));
    let calls = 0;
    permissions.onChange(() => (calls += 1));
    for (const listener of listeners) listener();
    expect(calls).toBe(2);
  });
});

describe('alarms', () => {
  it('run the handler of their name and no other', async () => {
    const listeners: ((alarm: { name: string }) => void)[] = [];
    const created: unknown[] = [];
    const alarms = createAlarms<'lock' | 'prune'>({
      get: () => Promise.resolve(undefined),
      create: (name, alarm) => {
        created.push([name, alarm]);
        return Promise.resolve();
      },
      onAlarm: { addListener: (listener) => void listeners.push(listener) },
    });
    const rung: string[] = [];
    const begun: Promise<void>[] = [];
    const ring = (name: string) => (): Promise<void> => Promise.resolve(void rung.push(name));
    alarms.onAlarm({ lock: ring('lock'), prune: ring('prune') }, (task) => void begun.push(task));
    await alarms.scheduleAlarm('lock', 42);
    for (const name of ['prune', 'toString', 'other', '__proto__'])
      for (const listener of listeners) listener({ name });
    expect(created).toEqual([['lock', { when: 42 }]]);
    expect(rung).toEqual(['prune']);
    expect(begun).toHaveLength(1);
  });

  it('are set unless one fires no later', async () => {
    const set = new Map<string, number>();
    const alarms = createAlarms<'lock' | 'prune'>({
      get: (name) => {
        const scheduledTime = set.get(name);
        return Promise.resolve(scheduledTime === undefined ? undefined : { scheduledTime });
      },
      create: (name, { when }) => void set.set(name, when),
      onAlarm: { addListener: () => undefined },
    });
    const moments: (number | undefined)[] = [];
    for (const moment of [50, 60, 50, 40]) {
      await alarms.ensureAlarm('prune', moment);
      moments.push(set.get('prune'));
    }
    expect(moments).toEqual([50, 50, 50, 40]);
  });
});

describe('a storage area', () => {
  it('is closed to content scripts where the browser can', async () => {
    const levels: unknown[] = [];
    const area = createMemoryArea();
    await restrictToTrustedContexts(area);
    await restrictToTrustedContexts({
      ...area,
      setAccessLevel: (level) => {
        levels.push(level);
        return Promise.resolve();
      },
    });
    expect(levels).toEqual([{ accessLevel: 'TRUSTED_CONTEXTS' }]);
  });
});

describe('managed settings', () => {
  it('are unknown while the browser fails to read them, and none where it holds no policy', async () => {
    const failing = (message: string) => () => Promise.reject(new Error(message));
    const broken = failing('An unexpected error occurred');
    await expect(managedSettings(Array(6).fill(broken)).read()).rejects.toThrow('No answer');
    expect(await managedSettings([broken, answer]).read()).toBe('text');
    const none = failing('Managed storage manifest not found');
    expect(await managedSettings([none]).read()).toBeUndefined();
  });

  const never = (): Promise<Record<string, unknown>> => Promise.withResolvers<never>().promise;
  const answer = (): Promise<Record<string, unknown>> => Promise.resolve({ settings: 'text' });

  /** Answers one question after the other; those that come after the last are never answered. */
  function managedSettings(answers: readonly (() => Promise<Record<string, unknown>>)[]) {
    let asked = 0;
    const managed = { get: () => (answers[asked++] ?? never)() };
    const settings = createManagedSettings(
      { managed, onChanged: { addListener: () => undefined } },
      1,
    );
    return { ...settings, asked: () => asked };
  }

  it('are asked for again when the browser does not answer', async () => {
    expect(await managedSettings([never, never, answer]).read()).toBe('text');
  });

  it('are taken from an answer that comes after the next question', async () => {
    let say = (): void => undefined;
    const late = (): Promise<Record<string, unknown>> =>
      new Promise((resolve) => {
        say = () => {
          resolve({ settings: 'text' });
        };
      });
    const second = (): Promise<Record<string, unknown>> => {
      say();
      return never();
    };
    expect(await managedSettings([late, second]).read()).toBe('text');
  });

  it('are asked for once a time after the browser has not answered, and read when it does', async () => {
    const settings = managedSettings([never, never, never, never, never, never, never, answer]);
    await expect(settings.read()).rejects.toThrow('policy');
    expect(settings.asked()).toBe(6);
    await expect(settings.read()).rejects.toThrow('policy');
    expect(settings.asked()).toBe(7);
    expect(await settings.read()).toBe('text');
  });

  it('are none when the browser refuses, as Firefox does without a policy', async () => {
    const refuse = () => Promise.reject(new Error('Managed storage manifest not found'));
    expect(await managedSettings([refuse]).read()).toBeUndefined();
  });

  it('are not taken for none when the browser never answers', async () => {
    await expect(managedSettings([]).read()).rejects.toThrow('policy');
  });
});
