import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { App } from 'vue';

import { defaultDialect } from '#core/connections/connection';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { fail, succeed } from '#core/result';
import type { ConnectionState } from '#messaging/topics/connections';
import { historyPort } from '#stores/history/ports';
import { keyRingPort } from '#stores/verifier/ports';
import { noHistory } from '#tests/components/mounted';
import { options } from '#tests/components/settings/mounted-options';
import { connection } from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

const card = page.getByRole('region', { name: 'First steps' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const keyField = page.getByLabelText('API key');
const fresh = (changes: Partial<ConnectionState> = {}): ConnectionState =>
  connection({ dialect: defaultDialect, ...changes });
const proven = connection();
const key = { revoked: false } as PinnedKey;

function states(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-step]')].map(
    ({ dataset }) => `${dataset['step'] ?? ''} ${dataset['state'] ?? ''}`,
  );
}

/** A key ring that another page writes. */
function ring(keys: PinnedKey[] = []): { ports: (app: App) => void; pin: () => void } {
  let changed: () => void = () => undefined;
  return {
    ports: (app) =>
      app.provide(keyRingPort, {
        read: () => Promise.resolve(keys),
        change: (change) => Promise.resolve(succeed([...change([])])),
        unused: () => Promise.resolve({ unreadable: 0, newer: false }),
        removeUnreadable: () => Promise.resolve(),
        watch: (then) => {
          changed = then;
          return () => undefined;
        },
      }),
    pin: () => {
      keys = [key];
      changed();
    },
  };
}

async function press(name: string): Promise<void> {
  await expect.element(button(name)).toBeVisible();
  (button(name).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

beforeEach(async () => {
  await page.viewport(1024, 900);
});

describe('an empty profile', () => {
  test('is told what comes first, and what can wait', async () => {
    options();
    await expect.element(card).toBeVisible();
    expect(states()).toEqual([
      'address next',
      'permission later',
      'key later',
      'test later',
      'check later',
      'pin open',
    ]);
    expect(document.querySelectorAll('[aria-current="step"]')).toHaveLength(1);
    await expect.element(card.getByRole('status')).toHaveTextContent('0 of 6 done');
    await expect
      .element(card.getByRole('link', { name: 'Open the verifier' }))
      .toHaveAttribute('href', 'verifier.html');
  });

  test('gets the form, with the focus in its first field', async () => {
    options();
    await press('Enter the address');
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveFocus();
  });

  test('comes back to a form that is open, with what was typed', async () => {
    options();
    await press('Enter the address');
    await userEvent.keyboard('Mark');
    await press('Enter the address');
    await userEvent.keyboard('et');
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Market');
  });

  test('can try the sandbox, whose key alone is left to paste', async () => {
    options();
    await press('Try it with the sandbox');
    await expect.element(keyField).toHaveFocus();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Sandbox');
    await expect
      .element(page.getByLabelText('Base address'))
      .toHaveValue('http://127.0.0.1:8787/demo');
    await expect.element(page.getByText(/starts the sandbox and prints this key/)).toBeVisible();
  });
});

describe('what failed leads on', () => {
  test('a wrong key is entered again where it is asked for', async () => {
    options([fresh()], {
      'connections.test': () => fail({ kind: 'refused', about: 'key', msg: 'Invalid API key' }),
    });
    await press('Run the test');
    await expect.poll(states).toContain('key failed');
    expect(states()).toContain('test later');
    await expect.element(page.getByText(/The key was not accepted/)).toBeVisible();
    await expect.element(button('Enter it again')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(keyField).toHaveFocus();
  });

  test('an address without an API is corrected', async () => {
    options([fresh()], { 'connections.test': () => fail({ kind: 'api-off' }) });
    await press('Run the test');
    await expect.element(button('Correct the address')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Base address')).toHaveFocus();
  });

  test('any other fault is shown with its connection', async () => {
    options([fresh()], { 'connections.test': () => fail({ kind: 'unreachable' }) });
    await press('Run the test');
    await expect.poll(states).toContain('test failed');
    await press('Show what to do');
    await expect.element(page.getByRole('article', { name: 'Market' })).toHaveFocus();
  });

  test('a permission that was refused can be asked for again', async () => {
    const harness = options([fresh({ permitted: false })], {}, undefined, { granted: false });
    await press('Ask the browser');
    await expect
      .element(card.getByText('Access was not allowed. You can try again at any time.'))
      .toBeVisible();
    await press('Ask the browser');
    expect(harness.events.filter((event) => event.startsWith('access to'))).toHaveLength(2);
  });

  test('a key that a relay holds is had by signing in there', async () => {
    options([fresh({ hasKey: false, throughRelay: true })]);
    await expect
      .element(card.getByRole('link', { name: 'Go to your team' }))
      .toHaveAttribute('href', '#team');
  });
});

describe('the focus', () => {
  test('goes on to the next step when one is done', async () => {
    options([fresh()]);
    await press('Run the test');
    await expect.poll(states).toContain('test done');
    await expect.element(card.getByRole('link', { name: 'Open the code field' })).toHaveFocus();
  });

  test('stays in a step that is skipped, and in one that is taken up', async () => {
    const harness = options([fresh()]);
    await expect.element(card).toBeVisible();
    document.querySelector<HTMLElement>('[data-step="test"] .quiet')?.focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Do it after all')).toHaveFocus();
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: 'test' });
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Run the test')).toHaveFocus();
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: '' });
  });

  test('is on what brings the steps back when they are hidden, and on them when they come back', async () => {
    const harness = options();
    await press('Hide these steps');
    await expect.element(button('Show them again')).toHaveFocus();
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: 'hidden' });
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('heading', { name: 'First steps' })).toHaveFocus();
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: '' });
  });

  test('is on them when the button under the appearance brings them back', async () => {
    let reads = 0;
    options(
      [],
      {},
      { firstSteps: 'hidden' },
      {
        ports: (app) =>
          app.provide(historyPort, {
            ...noHistory,
            latest: () => {
              reads += 1;
              return Promise.resolve([]);
            },
          }),
      },
    );
    await expect.poll(() => reads).toBe(1);
    await press('Show the first steps again');
    await expect.element(page.getByRole('heading', { name: 'First steps' })).toHaveFocus();
    await expect.element(button('Show the first steps again')).not.toBeInTheDocument();
  });

  test('is not taken from another part of the page', async () => {
    options([fresh()], {}, {});
    await expect.element(card).toBeVisible();
    await press('Delete');
    await expect.poll(states).toContain('address next');
    await expect.element(button('Add connection')).toHaveFocus();
  });
});

describe('the steps', () => {
  test('are gone when nothing is left to do', async () => {
    options([proven], {}, undefined, ring([key]));
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    await expect.element(card).not.toBeInTheDocument();
  });

  test('that were hidden stay so, and a skipped one is settled', async () => {
    options([fresh()], {}, { firstSteps: 'hidden' });
    await expect.element(button('Show the first steps again')).toBeVisible();
    await expect.element(card).not.toBeInTheDocument();
    options([proven], {}, { firstSteps: 'pin' });
    await expect.element(button('Show the first steps again')).toBeVisible();
    await expect.element(card).not.toBeInTheDocument();
  });

  test('end in a sentence when the last one is done on another page', async () => {
    const { ports, pin } = ring();
    options([proven], {}, undefined, { ports });
    await expect.element(card.getByRole('status')).toHaveTextContent('5 of 6 done');
    pin();
    await expect.element(card.getByRole('status')).toHaveTextContent('Nothing is left to set up.');
    expect(states()).toEqual([]);
  });

  test('know a first answer from the history, also one that found nothing', async () => {
    options([fresh()], {}, undefined, {
      ports: (app) =>
        app.provide(historyPort, {
          ...noHistory,
          latest: () => Promise.resolve([{ connectionId: 'market' } as never]),
        }),
    });
    await expect.poll(states).toContain('check done');
    expect(states()).toContain('test done');
  });

  test('remember a test that passed, until the connection is changed', async () => {
    const harness = options([fresh({ revision: 3 })], {}, { firstSteps: 'pin' });
    await press('Run the test');
    await expect.poll(states).toContain('test done');
    const tested = { firstSteps: 'pin tested:market:3' };
    await expect.poll(() => harness.written.at(-1)).toMatchObject(tested);

    options([fresh({ revision: 3 })], {}, tested);
    await expect.poll(states).toContain('test done');
    options([fresh({ revision: 4 })], {}, tested);
    await expect.poll(states).toContain('test next');
  });

  test('remember a passed test no longer once another one failed', async () => {
    const script: Script = { 'connections.test': () => fail({ kind: 'unreachable' }) };
    const harness = options([fresh()], script, { firstSteps: 'tested:market:1' });
    await expect.poll(states).toContain('test done');
    await page.getByRole('button', { name: /^Test connection/ }).click();
    await expect.poll(states).toContain('test failed');
    await expect.poll(() => harness.written.at(-1)).toMatchObject({ firstSteps: '' });
  });

  test('that are shown again keep the test that passed', async () => {
    const harness = options([fresh()], {}, { firstSteps: 'hidden pin tested:market:1' });
    await press('Show the first steps again');
    await expect.poll(states).toContain('test done');
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: 'tested:market:1' });
    await expect.element(button('Show the first steps again')).not.toBeInTheDocument();
  });

  test('skipped to the last end in a sentence too, and can be shown again', async () => {
    options([proven]);
    await press('Skip');
    await expect.element(card.getByRole('status')).toHaveTextContent('Nothing is left to set up.');
    await expect.element(button('Show them again')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(states).toContain('pin next');
  });

  test('fit a narrow page', async () => {
    await page.viewport(360, 800);
    options();
    await expect.element(card).toBeVisible();
    const wide = [...document.querySelectorAll('[data-first-steps] *')].filter(
      (element) => element.getBoundingClientRect().right > 360,
    );
    expect(wide).toEqual([]);
  });
});
