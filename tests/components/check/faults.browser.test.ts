import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import { summariseAnswer } from '#core/check/index';
import { fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import en from '#locales/en/answer.json';
import { useConnections } from '#stores/connections/connections';
import { mounting, type PageHarness } from '#tests/components/mounted';
import {
  code,
  connection,
  day,
  demo,
  faulty,
  genuine,
  now,
  otherCode,
  purchase,
} from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

/** Each fault, its sentence, and the names of the buttons that are its next step. */
const table: readonly (readonly [Fault, string, readonly string[]])[] = [
  [{ kind: 'offline' }, 'This computer is offline', ['Try again']],
  [{ kind: 'unreachable' }, 'Market could not be reached', ['Try again']],
  [{ kind: 'timeout', afterMs: 10_000 }, 'Market did not answer in time', ['Try again']],
  [
    { kind: 'rate-limited', retryAt: now + 60 * 60_000, by: 'server' },
    'Market asks us to wait',
    ['Try again'],
  ],
  [
    { kind: 'rate-limited', retryAt: now + 60 * 60_000, by: 'pacing' },
    'Slowing down for Market',
    ['Try again'],
  ],
  [
    { kind: 'refused', msg: 'Invalid request', about: 'key' },
    'Market does not accept the API key',
    ['Open settings'],
  ],
  [
    { kind: 'refused', msg: 'Try later', about: 'request' },
    'Market refused the request',
    ['Try again'],
  ],
  [
    { kind: 'redirected', userAgent: 'suspected' },
    'Market redirected us',
    ['Turn on plain requests', 'Try again'],
  ],
  [
    { kind: 'redirected', userAgent: 'confirmed' },
    'Market turns browsers away',
    ['Turn on plain requests', 'Try again'],
  ],
  [
    { kind: 'redirected', userAgent: 'ruled-out' },
    'Market redirects every request',
    ['Open settings', 'Try again'],
  ],
  [{ kind: 'api-off' }, 'No seller API at this address', ['Open settings']],
  [
    { kind: 'not-json', status: 200, userAgent: 'suspected' },
    'Market answered with a web page',
    ['Turn on plain requests', 'Try again'],
  ],
  [
    { kind: 'not-json', status: 200, userAgent: 'confirmed' },
    'Market turns browsers away',
    ['Turn on plain requests', 'Try again'],
  ],
  [
    { kind: 'not-json', status: 502, userAgent: 'ruled-out' },
    'Market answered with something unreadable',
    ['Try again'],
  ],
  [
    { kind: 'unreadable', path: 'data.purchase.item.id' },
    'Market answered in an unknown format',
    ['Try again'],
  ],
  [
    { kind: 'too-large', limitBytes: 1_048_576 },
    'Market sent far too much data',
    ['Open settings'],
  ],
  [{ kind: 'mismatch' }, 'Market answered about another code', ['Try again']],
  [{ kind: 'server-error', status: 503 }, 'Market is having a problem', ['Try again']],
  [
    { kind: 'not-permitted', origin: 'https://market.test' },
    'The browser is not allowed to reach Market',
    ['Allow access'],
  ],
  [{ kind: 'locked' }, 'The keys are locked', ['Unlock']],
  [{ kind: 'no-key', reason: 'never-entered' }, 'Market has no API key yet', ['Open settings']],
  [
    { kind: 'no-key', reason: 'session-ended' },
    'The API key of Market was kept for one session only',
    ['Open settings'],
  ],
  [
    { kind: 'no-key', reason: 'material-lost' },
    'The API key of Market can no longer be read',
    ['Open settings'],
  ],
  [{ kind: 'no-connection' }, 'This marketplace is no longer set up', ['Open settings']],
  [
    { kind: 'rate-limited', retryAt: now + 60 * 60_000, by: 'relay' },
    'Your team’s relay asks us to wait',
    ['Try again'],
  ],
  [
    { kind: 'relay-sign-in', reason: 'expired' },
    'Your sign-in to your team’s relay has expired',
    ['Sign in again', 'Try again'],
  ],
  [
    { kind: 'relay-sign-in', reason: 'revoked' },
    'Your team’s relay has ended your sign-in',
    ['Sign in again', 'Try again'],
  ],
  [
    { kind: 'relay-sign-in', reason: 'unknown' },
    'Your team’s relay does not know your sign-in',
    ['Sign in again', 'Try again'],
  ],
  [{ kind: 'relay-refused' }, 'Your team’s relay does not allow this', ['Try again']],
  [
    { kind: 'relay-upstream', reason: 'unreachable' },
    'Your team’s relay cannot reach Market',
    ['Try again'],
  ],
  [
    { kind: 'relay-upstream', reason: 'unusable' },
    'Your team’s relay got no usable answer from Market',
    ['Try again'],
  ],
  [
    { kind: 'relay-unavailable', reason: 'no-key' },
    'Your team’s relay has no API key for Market',
    ['Try again'],
  ],
  [
    { kind: 'relay-unavailable', reason: 'outage' },
    'Your team’s relay cannot answer just now',
    ['Try again'],
  ],
];

const everyKind: Record<Fault['kind'], true> = {
  offline: true,
  unreachable: true,
  timeout: true,
  'rate-limited': true,
  refused: true,
  redirected: true,
  'api-off': true,
  'not-json': true,
  unreadable: true,
  'too-large': true,
  mismatch: true,
  'server-error': true,
  'not-permitted': true,
  locked: true,
  'no-key': true,
  'no-connection': true,
  'relay-sign-in': true,
  'relay-refused': true,
  'relay-upstream': true,
  'relay-unavailable': true,
};

const field = page.getByRole('textbox', { name: 'Purchase code' });
const kind = (): string | undefined =>
  document.querySelector<HTMLElement>('[data-verdict]')?.dataset['verdict'];

/** A popup whose first check meets a fault, and whose next ones find the purchase. */
function meeting(fault: Fault, script: Script = {}, granted = true): PageHarness {
  let times = 0;
  return mounting(CheckPanel, {
    granted,
    script: {
      'connections.list': () => [connection()],
      check: (asked) => ((times += 1) === 1 ? faulty(asked, fault) : genuine(asked)),
      ...script,
    },
  });
}

async function enter(): Promise<void> {
  await field.fill(code);
  await userEvent.keyboard('{Enter}');
}

beforeEach(async () => {
  await page.viewport(384, 700);
});

test('the table below has every kind', () => {
  expect(new Set(table.map(([fault]) => fault.kind))).toEqual(new Set(Object.keys(everyKind)));
});

describe('each fault has its own sentence and its own next step', () => {
  test.each(table)('%o', async (fault, sentence, steps) => {
    meeting(fault);
    await enter();
    await expect.poll(kind).toBe('fault');
    const card = document.querySelector<HTMLElement>('[data-fault]');
    expect(card?.dataset['fault']).toBe(fault.kind);
    expect(card?.querySelector('h2')?.textContent).toBe(sentence);
    await expect
      .poll(() =>
        [...(card?.querySelectorAll('button') ?? [])].map((each) => each.textContent.trim()),
      )
      .toEqual(steps);
    expect(card?.textContent).toContain('This says nothing about the code.');
    expect(card?.textContent).not.toMatch(/fault\.|\{\w+\}|undefined/);
  });
});

test('a wait that is over is waited for like a first answer: no button, no step of anything', async () => {
  const answer = Promise.withResolvers<undefined>();
  const wait = { kind: 'rate-limited', retryAt: now + 1000, by: 'server' } as const;
  let times = 0;
  const harness = meeting(wait, {
    check: async (asked) => {
      if ((times += 1) === 1) return faulty(asked, wait);
      await answer.promise;
      return genuine(asked);
    },
  });
  await enter();
  await expect.element(page.getByText(/Asking again in/)).toBeVisible();
  const section = document.querySelector('.answers');
  const height = section?.getBoundingClientRect().height;
  harness.clock = wait.retryAt;
  await expect.element(page.getByText('Asking Market…')).toBeVisible();
  expect(document.querySelector('.answers svg.spin')).not.toBeNull();
  expect(document.querySelector('.answers')?.textContent).not.toMatch(/wait|Try again/);
  expect(section?.getBoundingClientRect().height).toBe(height);
  await expect.element(page.getByRole('button', { name: 'Stop' }), { timeout: 8000 }).toBeVisible();
  answer.resolve(undefined);
  await expect.poll(kind).toBe('supported');
  expect(section?.getBoundingClientRect().height).toBe(height);
});

test('once a connection was changed whose key was refused, it can be asked again in place', async () => {
  let stored = connection();
  let load = (): Promise<unknown> => Promise.resolve();
  let times = 0;
  mounting(CheckPanel, {
    script: {
      'connections.list': () => [stored],
      check: (asked) =>
        (times += 1) === 1
          ? faulty(asked, { kind: 'refused', msg: 'Invalid key', about: 'key' })
          : genuine(asked),
    },
    ports: (app) => {
      load = () => app.runWithContext(() => useConnections().load());
    },
  });
  await enter();
  const settings = page.getByRole('button', { name: 'Open settings' });
  await expect.element(settings).toBeVisible();
  const again = page.getByRole('button', { name: 'Try again' });
  expect(again.elements()).toEqual([]);
  stored = { ...stored, revision: stored.revision + 1 };
  await load();
  await again.click();
  await expect.poll(kind).toBe('supported');
});

test('what the server said stands there word for word', async () => {
  meeting({ kind: 'refused', msg: 'Invalid <i>request</i>', about: 'key' });
  await enter();
  await expect.element(page.getByText(/“Invalid <i>request<\/i>”/)).toBeVisible();
});

test.each(['name', 'refused', 'certificate', 'timeout', 'broken'] as const)(
  'why the relay cannot reach the seller is said where the relay tells it: %s',
  async (cause) => {
    meeting({ kind: 'relay-upstream', reason: 'unreachable', cause });
    await enter();
    const said = en.fault.relayUpstream.cause[cause];
    await expect.element(page.getByText('Your team’s relay cannot reach Market')).toBeVisible();
    await expect.element(page.getByText(said)).toBeVisible();
    const general = page.getByText('the marketplace behind it did not answer');
    expect(general.elements()).toEqual([]);
  },
);

test('a key that the seller refuses is the relay’s on a connection through it', async () => {
  meeting(
    { kind: 'refused', msg: 'Invalid request', about: 'key' },
    { 'connections.list': () => [{ ...connection(), throughRelay: true }] },
  );
  await enter();
  await expect
    .element(page.getByText('Market does not accept the API key of your team’s relay'))
    .toBeVisible();
  expect(page.getByRole('button', { name: 'Open settings' }).elements()).toEqual([]);
});

test('what cannot be reached is the relay on a connection through it', async () => {
  meeting(
    { kind: 'unreachable' },
    { 'connections.list': () => [{ ...connection(), throughRelay: true }] },
  );
  await enter();
  await expect.element(page.getByText('Your team’s relay could not be reached')).toBeVisible();
});

test('Sign in again leads to the settings, which begin it', async () => {
  const harness = meeting({ kind: 'relay-sign-in', reason: 'revoked' });
  await enter();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  expect(harness.events).toContain('options sign-in');
});

test('Try again asks once more', async () => {
  meeting({ kind: 'unreachable' });
  await enter();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(kind).toBe('supported');
});

describe('the focus after Try again', () => {
  const field = () => page.getByRole('textbox', { name: 'Purchase code' });
  const tryAgain = async (...answers: (Fault | undefined)[]): Promise<void> => {
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection()],
        check: (body) => {
          const fault = answers.shift();
          return fault === undefined ? genuine(body) : faulty(body, fault);
        },
      },
    });
    await enter();
    const button = page.getByRole('button', { name: 'Try again' });
    await expect.element(button).toBeVisible();
    button.element().focus();
    await userEvent.keyboard('{Enter}');
  };

  test('is in the code field once there is a verdict', async () => {
    await tryAgain({ kind: 'unreachable' });
    await expect.poll(kind).toBe('supported');
    await expect.element(field()).toHaveFocus();
  });

  test('stays while the fault is the same', async () => {
    await tryAgain({ kind: 'unreachable' }, { kind: 'mismatch' });
    await expect.element(page.getByText('Market answered about another code')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Try again' })).toHaveFocus();
  });

  test('goes to the next step of another fault', async () => {
    await tryAgain({ kind: 'unreachable' }, { kind: 'api-off' });
    await expect.element(page.getByText('No seller API at this address')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Open settings' })).toHaveFocus();
  });
});

test('Allow access asks the browser in the click, then the server', async () => {
  const harness = meeting({ kind: 'not-permitted', origin: 'https://market.test' });
  await enter();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect.poll(kind).toBe('supported');
  expect(harness.events).toContain('access to https://market.test/shop');
});

test('a refusal of the browser is said, and can be tried again', async () => {
  meeting({ kind: 'not-permitted', origin: 'https://market.test' }, {}, false);
  await enter();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect.element(page.getByText(/^Access was not allowed/)).toBeVisible();
  expect(kind()).toBe('fault');
});

describe('locked keys', () => {
  const unlockForms = () => page.getByRole('button', { name: 'Unlock' }).elements();

  test('take the focus at once, and give it back to the code field', async () => {
    let isLocked = true;
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection()],
        check: (body) => (isLocked ? faulty(body, { kind: 'locked' }) : genuine(body)),
        'secrets.unlock': ({ passphrase }) => {
          if (passphrase !== 'open sesame') return fail({ kind: 'wrong-passphrase' });
          isLocked = false;
          return succeed({ mode: 'passphrase', locked: false, lockAfterMinutes: 15 });
        },
      },
    });
    const field = page.getByRole('textbox', { name: 'Purchase code' });
    await field.fill(code);
    await userEvent.keyboard('{Enter}');
    const passphrase = page.getByLabelText('Passphrase');
    await expect.element(passphrase).toHaveFocus();
    await userEvent.keyboard('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect.element(page.getByText('That is not the passphrase.')).toBeVisible();
    await expect.element(passphrase).toHaveFocus();
    await userEvent.keyboard('open sesame{Enter}');
    await expect.element(field).toHaveFocus();
    await expect.element(page.getByText(/^Supported until/).first()).toBeVisible();
    await expect.element(field).toHaveFocus();
  });

  test('with two connections, one that is slow does not take the focus once they are unlocked', async () => {
    let isLocked = true;
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection(), demo],
        check: (body) => {
          if (isLocked) return faulty(body, { kind: 'locked' });
          return body.connectionId === 'demo' ? new Promise(() => undefined) : genuine(body);
        },
        'secrets.unlock': () => {
          isLocked = false;
          return succeed({ mode: 'passphrase', locked: false, lockAfterMinutes: 15 });
        },
      },
    });
    const field = page.getByRole('textbox', { name: 'Purchase code' });
    await field.fill(code);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Passphrase')).toHaveFocus();
    await userEvent.keyboard('open sesame{Enter}');
    await expect.element(page.getByText(/^Supported until/).first()).toBeVisible();
    expect(document.querySelector('.unlock')).toBeNull();
    await expect.element(field).toHaveFocus();
  });

  test('are unlocked in one place, however many codes and connections met the lock', async () => {
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection(), demo],
        check: (body) => faulty(body, { kind: 'locked' }),
      },
    });
    await page.getByRole('textbox', { name: 'Purchase code' }).fill(`${code}\n${otherCode}`);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.querySelectorAll('[data-fault="locked"]').length).toBe(2);
    await expect.element(page.getByLabelText('Passphrase')).toHaveFocus();
    expect(unlockForms()).toHaveLength(1);
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const toggle of page.getByRole('button', { name: 'Details', expanded: false }).elements())
      (toggle as HTMLElement).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Details', expanded: false }).elements().length)
      .toBe(0);
    expect(unlockForms()).toHaveLength(1);
  });
});

describe('beside a fault', () => {
  const missing = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
  const lastKnown = { checkedAt: now - 5 * 60_000, answer: missing };
  const asking = async (answered: readonly string[]): Promise<void> => {
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection(), demo],
        check: (asked) => ({
          ...faulty(asked, { kind: 'server-error', status: 500 }),
          ...(answered.includes(asked.connectionId) && { lastKnown }),
        }),
      },
    });
    await enter();
    await expect.poll(kind).toBe('fault');
  };

  test('a not-found from before is told where every connection gave one', async () => {
    await asking(['market', 'demo']);
    await expect.element(page.getByText(en.answer.notFoundAny)).toBeVisible();
    await expect.element(page.getByText('This was the answer 5 minutes ago.')).toBeVisible();
    // It would be read as said of that answer.
    expect(document.body.textContent).not.toContain(en.fault.notJudged);
  });

  test('it is not told where a connection that might know the code never answered', async () => {
    await asking(['demo']);
    expect(document.querySelector('.last-known')).toBeNull();
    await expect.element(page.getByText(en.fault.notJudged)).toBeVisible();
  });

  describe('a purchase from before', () => {
    const bought = purchase({ buyer: { name: 'Ada Buyer' } });
    const answer = summariseAnswer({ kind: 'purchase', purchase: bought });
    const threeDaysAgo = now - 3 * day;
    /** Meets a fault, though the history has an answer. */
    const meets = async (fault: Fault, script: Script = {}): Promise<PageHarness> => {
      const harness = mounting(CheckPanel, {
        script: {
          'connections.list': () => [connection()],
          check: (asked) => ({
            ...faulty(asked, fault),
            lastKnown: { checkedAt: threeDaysAgo, answer },
          }),
          ...script,
        },
      });
      await enter();
      return harness;
    };

    test.each([
      [{ kind: 'server-error', status: 500 }, 'Not refreshed: Market is having a problem'],
      [
        { kind: 'rate-limited', retryAt: now + 60 * 60_000, by: 'server' },
        'Market asks us to wait',
      ],
    ] satisfies [Fault, string][])(
      'has its whole card, with its age and why it is not newer: %o',
      async (fault, sentence) => {
        const { copied } = await meets(fault);
        await expect
          .element(page.getByRole('heading', { level: 2 }))
          .toHaveTextContent('Supported until Mar 12, 2027');
        await expect.element(page.getByText('This was the answer 3 days ago.')).toBeVisible();
        await expect.element(page.getByText('Orbit CRM')).toBeVisible();
        await expect.element(page.getByText(sentence).first()).toBeVisible();
        await page.getByRole('button', { name: 'Copy summary' }).click();
        await expect.poll(() => copied).toHaveLength(1);
        // Whoever reads it sees of when it is.
        expect(copied[0]).toContain('Asked: Market, 2026-11-17 12:00:00 UTC');
        await page.getByRole('button', { name: 'Copy reply' }).click();
        await expect.poll(() => copied).toHaveLength(2);
        expect(copied[1]).toContain('March 12, 2027');
        // To the handles it is no answer to this check.
        const card = document.querySelector<HTMLElement>('[data-verdict]');
        expect(card?.dataset).toMatchObject({
          verdict: 'fault',
          fault: fault.kind,
          lastKnown: 'supported',
        });
      },
    );

    test('when a new answer comes, the buttons stay where they are', async () => {
      let isOffline = true;
      await meets(
        { kind: 'offline' },
        {
          check: (asked) =>
            isOffline
              ? { ...faulty(asked, { kind: 'offline' }), lastKnown: { checkedAt: now, answer } }
              : genuine(asked, bought),
        },
      );
      await expect.element(page.getByText('This was the answer just now.')).toBeVisible();
      const tops = (): number[] =>
        ['Copy reply', 'Copy summary'].map(
          (name) => page.getByRole('button', { name }).element().getBoundingClientRect().top,
        );
      await expect.element(page.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
      const before = tops();
      isOffline = false;
      window.dispatchEvent(new Event('online'));
      await expect.element(page.getByText('Ada Buyer')).toBeVisible();
      await expect.element(page.getByText('This was the answer just now.')).not.toBeVisible();
      expect(tops()).toEqual(before);
    });

    test('what the history does not store is not made up, unless it was shown before', async () => {
      let isBroken = true;
      const fault = { kind: 'server-error', status: 500 } as const;
      await meets(fault, {
        check: (asked) =>
          isBroken
            ? { ...faulty(asked, fault), lastKnown: { checkedAt: now, answer } }
            : genuine(asked, bought),
      });
      await expect.element(page.getByText('Orbit CRM')).toBeVisible();
      const card = (): string => page.getByRole('article').element().textContent;
      expect(card()).not.toContain('Ada Buyer');
      expect(card()).not.toContain('Scripts');
      isBroken = false;
      await enter();
      await expect.element(page.getByText('Ada Buyer')).toBeVisible();
      isBroken = true;
      await enter();
      await expect.element(page.getByText('This was the answer just now.')).toBeVisible();
      await expect.element(page.getByText('Ada Buyer')).toBeVisible();
      expect(card()).toContain('Scripts / CRM');
    });
  });
});

describe('an answer that could not be refreshed', () => {
  const card = (): HTMLElement => page.getByRole('article').element() as HTMLElement;
  const refresh = page.getByRole('button', { name: 'Refresh' });
  /** Shows an answer, and has it asked for again, which meets a fault. */
  const meetsWhenRefreshed = async (fault: Fault): Promise<void> => {
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection()],
        check: (asked) => (asked.fresh ? faulty(asked, fault) : genuine(asked)),
      },
    });
    await enter();
    await expect.element(refresh).toBeVisible();
  };
  const waits = { kind: 'rate-limited', retryAt: now + 21_000, by: 'server' } as const;

  test.each([
    [waits, 'Market asks us to waitAsking again in 21 s'],
    [{ kind: 'offline' }, 'Not refreshed: This computer is offline'],
    [{ kind: 'server-error', status: 500 }, 'Not refreshed: Market is having a problem'],
  ] satisfies [Fault, string][])('says so in its last line: %o', async (fault, sentence) => {
    await meetsWhenRefreshed(fault);
    const before = card().getBoundingClientRect();
    const button = refresh.element().getBoundingClientRect();
    await refresh.click();
    const foot = card().querySelector('footer');
    await expect.poll(() => foot?.textContent.replaceAll(/\s+/g, ' ')).toContain(sentence);
    // One line is added at its end, and nothing above it moves.
    expect(card().getBoundingClientRect().height - before.height).toBeLessThan(20);
    expect(refresh.element().getBoundingClientRect().top).toBe(button.top);
    expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([]);
  });

  test('does not say so while it is asked for once more', async () => {
    const answer = Promise.withResolvers<undefined>();
    let times = 0;
    mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection()],
        check: async (asked) => {
          if ((times += 1) === 3) await answer.promise;
          return times === 2 ? faulty(asked, { kind: 'offline' }) : genuine(asked);
        },
      },
    });
    await enter();
    await refresh.click();
    await expect.element(page.getByText('Not refreshed: This computer is offline')).toBeVisible();
    const before = card().getBoundingClientRect().height;
    await refresh.click();
    await expect.element(page.getByText('Asking Market…')).toBeVisible();
    expect(card().textContent).not.toContain('Not refreshed');
    expect(card().getBoundingClientRect().height).toBe(before);
    answer.resolve(undefined);
    await expect.poll(() => card().querySelector('[data-not-refreshed]')).toBeNull();
  });

  test('says at what time it was given', async () => {
    await meetsWhenRefreshed(waits);
    await expect.element(page.getByText('checked now')).toBeVisible();
    await refresh.click();
    await expect.element(page.getByText(/^checked \d+:\d\d\s[AP]M$/)).toBeVisible();
  });

  test('offers the step that helps, beside Refresh', async () => {
    await meetsWhenRefreshed({ kind: 'refused', msg: 'Invalid request', about: 'key' });
    await refresh.click();
    await expect.element(page.getByRole('button', { name: 'Open settings' })).toBeVisible();
  });
});

test('the passphrase is asked for on the spot, and nothing moves when it is wrong', async () => {
  meeting(
    { kind: 'locked' },
    {
      'secrets.unlock': ({ passphrase }) =>
        passphrase === 'open sesame'
          ? succeed({ mode: 'passphrase', locked: false, lockAfterMinutes: 15 })
          : fail({ kind: 'wrong-passphrase' }),
    },
  );
  await enter();
  const passphrase = page.getByLabelText('Passphrase');
  const unlock = page.getByRole('button', { name: 'Unlock' });
  await expect.element(unlock).toBeVisible();
  const form = unlock.element().closest('form') ?? document.body;
  const places = (): number[] =>
    [form, unlock.element()].flatMap((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return [top, bottom];
    });
  const before = places();
  await passphrase.fill('wrong');
  await unlock.click();
  await expect.element(page.getByText('That is not the passphrase.')).toBeVisible();
  expect(places()).toEqual(before);
  await passphrase.fill('open sesame');
  await userEvent.keyboard('{Enter}');
  await expect.poll(kind).toBe('supported');
});

test('plain requests are turned on in one click, and it is asked again', async () => {
  const harness = meeting(
    { kind: 'redirected', userAgent: 'confirmed' },
    { 'connections.plain-user-agent': () => succeed(connection()) },
  );
  await enter();
  await page.getByRole('button', { name: 'Turn on plain requests' }).click();
  await expect.poll(kind).toBe('supported');
  expect(harness.bodies('connections.plain-user-agent')).toEqual([{ id: 'market', on: true }]);
});

test('a cure that does not take is no silence', async () => {
  meeting(
    { kind: 'redirected', userAgent: 'confirmed' },
    { 'connections.plain-user-agent': () => fail({ kind: 'unreachable' }) },
  );
  await enter();
  await page.getByRole('button', { name: 'Turn on plain requests' }).click();
  await expect.element(page.getByText('Market could not be reached')).toBeVisible();
});

test('a cure that a full disk does not store says so', async () => {
  meeting(
    { kind: 'redirected', userAgent: 'confirmed' },
    { 'connections.plain-user-agent': () => fail({ kind: 'storage-full' }) },
  );
  await enter();
  await page.getByRole('button', { name: 'Turn on plain requests' }).click();
  await expect
    .element(page.getByText('This browser has no room left, so the change was not stored.'))
    .toBeVisible();
});

test('a wait is counted down', async () => {
  meeting({ kind: 'rate-limited', retryAt: now + 42_000, by: 'server' });
  await enter();
  await expect.element(page.getByRole('timer')).toHaveTextContent('Asking again in 42 s');
});

test('a long wait is told in minutes', async () => {
  meeting({ kind: 'rate-limited', retryAt: now + 10 * 60_000, by: 'server' });
  await enter();
  await expect.element(page.getByRole('timer')).toHaveTextContent('Asking again in 10 minutes');
});

test('Open settings opens them', async () => {
  const harness = meeting({ kind: 'api-off' });
  await enter();
  await page.getByRole('button', { name: 'Open settings' }).click();
  expect(harness.events).toContain('options');
});

test('the step of an answer that could not be refreshed breaks inside no word, however narrow the page is', async () => {
  await page.viewport(320, 700);
  let times = 0;
  mounting(CheckPanel, {
    script: {
      'connections.list': () => [connection()],
      check: (asked) => ((times += 1) === 1 ? genuine(asked) : faulty(asked, { kind: 'api-off' })),
    },
  });
  await enter();
  await page.getByRole('button', { name: en.answer.refresh }).click();
  const step = page.getByRole('button', { name: en.step.options });
  await expect.element(step).toBeVisible();
  expect(wordsIn(step.element()).filter(({ lines }) => lines > 1)).toEqual([]);
});

/** Returns the words of an element, and on how many lines each of them stands. */
function wordsIn(element: Element): { readonly word: string; readonly lines: number }[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/\S+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      words.push({
        word,
        lines: new Set(Array.from(range.getClientRects(), ({ top }) => top)).size,
      });
    }
  return words;
}
