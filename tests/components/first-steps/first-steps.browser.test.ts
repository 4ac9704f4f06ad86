import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { App } from 'vue';

import { type ConnectionState, defaultDialect } from '#core/connections/index';
import type { PinnedKey } from '#core/keys/index';
import { fail, succeed } from '#core/result';
import { noEntries } from '#core/settings-import/index';
import type { JoinedTeam } from '#core/team/index';
import { historyPort } from '#stores/history/ports';
import { answersPort } from '#stores/ports';
import { programPort } from '#stores/settings/ports';
import { waitingTextPort } from '#stores/ticket/ports';
import { keyRingPort } from '#stores/verifier/ports';
import { noHistory } from '#tests/components/mounted';
import { options } from '#tests/components/settings/mounted-options';
import { account, code, connection, genuine } from '#tests/stores/check/samples';
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
    expect(states()).toEqual(['connect next', 'check later', 'pin open']);
    expect(document.querySelectorAll('[aria-current="step"]')).toHaveLength(1);
    await expect.element(card.getByRole('status').first()).toHaveTextContent('0 of 3 done');
    await expect
      .element(page.getByRole('heading', { name: 'Connections' }))
      .not.toBeInTheDocument();
  });

  test('gets the form in the step, with the focus in its first field', async () => {
    options();
    await press('Add connection');
    await expect.element(card.getByLabelText('Where do you sell?')).toHaveFocus();
    await expect
      .element(page.getByRole('button', { name: 'Add connection' }))
      .not.toBeInTheDocument();
  });

  test('that was sent here by the popup has the form open', async () => {
    options([], {}, undefined, { at: 'connect' });
    await expect.element(card.getByLabelText('Where do you sell?')).toHaveFocus();
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

  test('of a program that a store has installed hears nothing of the sandbox', async () => {
    options([], {}, undefined, {
      ports: (app) =>
        app.provide(programPort, {
          version: '1.2.3',
          browser: 'Chromium',
          fromSource: () => Promise.resolve(false),
          restart: () => undefined,
          reload: () => undefined,
        }),
    });
    await press('Add connection');
    await page.getByLabelText('Base address').fill('http://127.0.0.1:8787/demo');
    await expect.element(page.getByText(/Will ask http:\/\/127/)).toBeVisible();
    expect(document.body.textContent).not.toMatch(/npm run|sandbox/iu);
  });
});

test('a key that has worked since the browser was started counts, whichever connection was tested last', async () => {
  options([fresh({ keyWorkedAt: Date.now() })]);
  await expect.poll(states).toEqual(['connect done', 'check next', 'pin open']);
});

test('a wrong key that is saved after the first one has worked leaves the form in its place, with the focus in the key', async () => {
  let works = true;
  options([fresh()], {
    'connections.test': () =>
      works ? succeed(account) : fail({ kind: 'refused', about: 'key', msg: 'Invalid key' }),
    'connections.save': () => succeed(fresh({ revision: 2 })),
  });
  await press('Test connection');
  await expect.poll(states).toEqual(['connect done', 'check next', 'pin open']);
  works = false;
  // A key would go to whatever has the focus by then, which the end of the test moves.
  await button('Edit').click();
  await keyField.fill('wrong');
  const form = document.querySelector('form.form-card');
  await button('Save').click();
  await expect.element(keyField).toHaveAttribute('aria-invalid', 'true');
  await expect.element(keyField).toHaveFocus();
  expect(document.querySelector('form.form-card')).toBe(form);
  await expect.poll(() => states()[0]).toBe('connect failed');
  await expect
    .element(card.getByRole('link', { name: 'Connections' }))
    .toHaveAttribute('href', '#connections');
});

test('locked keys were sent nowhere: no step has failed, nothing was checked, and no dialect is to blame', async () => {
  options([fresh()], { 'connections.test': () => fail({ kind: 'locked' }) });
  await press('Test connection');
  await expect.element(page.getByRole('heading', { name: /keys are locked/iu })).toBeVisible();
  expect(states()[0]).toBe('connect next');
  await expect.element(page.getByText(/^Checked/iu)).not.toBeInTheDocument();
  await expect.element(button('Find out how this server expects requests')).not.toBeInTheDocument();
});

describe('one fault has one message and one button', () => {
  const buttons = (): string[] =>
    [...document.querySelectorAll('[data-step="connect"] .button.primary')].map(({ textContent }) =>
      textContent.trim(),
    );

  test.each<[string, Partial<ConnectionState>, Script, RegExp, string[]]>([
    [
      'a wrong key',
      {},
      { 'connections.test': () => fail({ kind: 'refused', about: 'key', msg: 'Invalid key' }) },
      /does not accept the API key/,
      ['Edit'],
    ],
    [
      'an address without an API',
      {},
      { 'connections.test': () => fail({ kind: 'api-off' }) },
      /no seller API/i,
      ['Edit'],
    ],
    [
      'a server that is not reached',
      {},
      { 'connections.test': () => fail({ kind: 'unreachable' }) },
      /could not be reached/,
      ['Test connection'],
    ],
  ])('%s', async (_name, changes, script, message, expected) => {
    options([fresh(changes)], script);
    await press('Test connection');
    await expect.poll(states).toContain('connect failed');
    await expect.element(card.getByRole('heading', { name: message })).toBeVisible();
    expect(buttons()).toEqual(expected);
    expect(document.querySelectorAll('[data-step="connect"] .notice')).toHaveLength(0);
  });

  test('a permission that was refused is asked for again', async () => {
    const harness = options([fresh({ permitted: false })], {}, undefined, { granted: false });
    await expect.element(card.getByText(/has not been allowed to reach/)).toBeVisible();
    await press('Allow access');
    await press('Allow access');
    expect(harness.events.filter((event) => event.startsWith('access to'))).toHaveLength(2);
    expect(card.getByText(/allowed/).elements()).toHaveLength(1);
  });

  test('a key that a relay holds is had by signing in there', async () => {
    options([fresh({ hasKey: false, throughRelay: true })]);
    await expect
      .element(card.getByText(/^You are not signed in at your team’s relay\. Sign in again/u))
      .toBeVisible();
    await expect
      .element(card.getByRole('link', { name: 'Sign in again' }))
      .toHaveAttribute('href', '#sign-in');
    await expect.element(card.getByText(/holds the key/u)).not.toBeInTheDocument();
    await expect
      .element(card.getByText(/This connection has no API key yet/))
      .not.toBeInTheDocument();
  });
});

test('a connection that joining a team has brought is done once the agent is signed in', async () => {
  options([fresh({ hasKey: true, throughRelay: true })]);
  await expect.element(card).toBeVisible();
  expect(states()).toEqual(['connect done', 'check next', 'pin open']);
});

describe('a sign-in at the team’s relay that has ended', () => {
  const ofTeam = fresh({ name: 'Team shop', hasKey: true, throughRelay: true });
  const joined: JoinedTeam = {
    id: 'team',
    relay: 'https://relay.test',
    name: 'Fenwick',
    email: '',
    version: 1,
    added: noEntries,
  };
  const ended: Script = {
    'team.state': () => ({ joined, signedIn: true, signIn: null }),
    'team.settings': () => fail({ kind: 'relay-sign-in', reason: 'revoked' }),
  };
  const said = card.getByRole('heading', { name: 'Your team’s relay has ended your sign-in' });

  test('is said once by the connection in the first step, and nothing is called connected', async () => {
    options([ofTeam], ended);
    await expect.poll(states).toContain('connect failed');
    await expect.element(said).toBeVisible();
    await expect.element(card.getByText(/holds the key|Connected/u)).not.toBeInTheDocument();
    await expect
      .element(button('Find out how this server expects requests'))
      .not.toBeInTheDocument();
  });

  test('is said by the first step when others are left, with what to do', async () => {
    options([{ ...ofTeam, dialect: proven.dialect }], ended);
    await expect.poll(states).toEqual(['connect failed', 'check done', 'pin next']);
    await expect.element(said).toBeVisible();
    await expect
      .element(card.getByRole('link', { name: 'Sign in again' }))
      .toHaveAttribute('href', '#sign-in');
    await expect.element(page.getByText(/holds the key|Connected/u)).not.toBeInTheDocument();
  });

  test('is said where this browser has no token left', async () => {
    options([{ ...ofTeam, dialect: proven.dialect, hasKey: false }]);
    await expect.poll(states).toContain('connect failed');
    await expect
      .element(card.getByText(/^You are not signed in at your team’s relay\. Sign in again/u))
      .toBeVisible();
    await expect.element(page.getByText(/holds the key|Connected/u)).not.toBeInTheDocument();
  });
});

test('a first step that is done names no connection that cannot be asked', async () => {
  options([{ ...proven, hasKey: false }]);
  await expect.poll(states).toContain('connect done');
  await expect.element(card.getByText('Connect your marketplace')).toBeVisible();
});

test('all connections that can be asked are named', async () => {
  options([
    proven,
    { ...proven, id: 'two', name: 'Studio' },
    fresh({ id: 'three', hasKey: false }),
  ]);
  await expect.element(card.getByText('Connected: Market and Studio')).toBeVisible();
});

describe('the focus', () => {
  test('goes on to the field for a code when the connection is made', async () => {
    options([fresh()]);
    await press('Test connection');
    await expect.poll(states).toContain('connect done');
    await expect.element(card.getByText('Connected: Market')).toBeVisible();
    await expect.element(card.getByLabelText('Purchase code')).toHaveFocus();
    await expect.element(page.getByRole('heading', { name: 'Connections' })).toBeVisible();
  });

  test('is not taken by the field for a code when the page opens', async () => {
    options([fresh({ revision: 3 })], {}, { firstSteps: 'tested:market:3' });
    await expect.element(card.getByLabelText('Purchase code')).toBeVisible();
    expect(document.activeElement).toBe(document.body);
  });

  test('stays in a step that is skipped, and in one that is taken up', async () => {
    const harness = options([proven]);
    await press('Skip');
    await expect.element(button('Show them again')).toHaveFocus();
    expect(harness.written.at(-1)).toMatchObject({ firstSteps: 'pin' });
    await userEvent.keyboard('{Enter}');
    await expect.poll(states).toContain('pin next');

    options([fresh({ revision: 3 })], {}, { firstSteps: 'tested:market:3 check' });
    await press('Do it after all');
    await expect.poll(states).toContain('check next');
    await expect.poll(() => document.activeElement?.closest('[data-step="check"]')).not.toBeNull();
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

  test('is on Undo when the last connection is deleted, and after it on the way to another one', async () => {
    options([fresh()], {}, {});
    await expect.element(card).toBeVisible();
    await press('Delete');
    await expect.poll(states).toContain('connect next');
    await expect.element(button('Undo')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(button('Add connection')).toHaveFocus();
  });
});

test('a first code is looked up in the step, and its answer stays when the step is done', async () => {
  let changed: () => void = () => undefined;
  let entries: never[] = [];
  options(
    [fresh({ revision: 3 })],
    { check: (asked) => genuine(asked) },
    { firstSteps: 'tested:market:3' },
    {
      ports: (app) =>
        app
          .provide(historyPort, { ...noHistory, latest: () => Promise.resolve(entries) })
          .provide(answersPort, (then) => {
            changed = then;
            return () => undefined;
          }),
    },
  );
  await card.getByLabelText('Purchase code').fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.element(card.getByText(/^Supported until/).first()).toBeVisible();
  entries = [{ connectionId: 'market' } as never];
  changed();
  await expect.poll(states).toEqual(['connect done', 'check done', 'pin next']);
  await expect.element(card.getByText(/^Supported until/).first()).toBeVisible();
  await expect.element(card.getByRole('link', { name: 'Open the verifier' })).toBeVisible();
  // What is typed next takes away neither the field nor the focus.
  const field = card.getByLabelText('Purchase code');
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard('x');
  await expect.element(field).toHaveFocus();
  expect((field.element() as HTMLTextAreaElement).value).toContain('x');
});

test('a code that has waited for the first connection is checked once there is one', async () => {
  const harness = options(
    [fresh({ revision: 3 })],
    { check: (asked) => genuine(asked) },
    undefined,
    {
      ports: (app) =>
        app.provide(waitingTextPort, {
          put: () => Promise.resolve(),
          take: () => Promise.resolve(code),
        }),
    },
  );
  await expect.poll(() => harness.bodies('check')).toMatchObject([{ code }]);
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
    await expect.element(card.getByRole('status').first()).toHaveTextContent('2 of 3 done');
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
    expect(states()).toContain('connect done');
  });

  test('remember a test that passed, until the connection is changed', async () => {
    const harness = options([fresh({ revision: 3 })], {}, { firstSteps: 'pin' });
    await press('Test connection');
    await expect.poll(states).toContain('connect done');
    const tested = { firstSteps: 'pin tested:market:3' };
    await expect.poll(() => harness.written.at(-1)).toMatchObject(tested);

    options([fresh({ revision: 3 })], {}, tested);
    await expect.poll(states).toContain('connect done');
    options([fresh({ revision: 4 })], {}, tested);
    await expect.poll(states).toContain('connect next');
  });

  test('remember a passed test no longer once the key was refused', async () => {
    const script: Script = {
      'connections.test': () => fail({ kind: 'refused', about: 'key', msg: 'Invalid key' }),
    };
    const harness = options([fresh()], script, { firstSteps: 'tested:market:1' });
    await expect.poll(states).toContain('connect done');
    await page.getByRole('button', { name: /^Test connection/ }).click();
    await expect.poll(states).toContain('connect failed');
    await expect.poll(() => harness.written.at(-1)).toMatchObject({ firstSteps: '' });
  });

  test('keep a connection that worked in its place when its marketplace is out of order', async () => {
    const script: Script = {
      'connections.test': () => fail({ kind: 'server-error', status: 500 }),
    };
    const harness = options([fresh()], script, { firstSteps: 'tested:market:1' });
    await expect.poll(states).toEqual(['connect done', 'check next', 'pin open']);
    await page.getByRole('button', { name: /^Test connection/ }).click();
    await expect.element(page.getByText('Its server answered with error 500.')).toBeVisible();
    expect(states()).toEqual(['connect done', 'check next', 'pin open']);
    await expect.element(page.getByRole('button', { name: /^Test connection/ })).toHaveFocus();
    expect(harness.written).toEqual([]);
  });

  test('that are shown again keep the test that passed', async () => {
    const harness = options([fresh()], {}, { firstSteps: 'hidden pin tested:market:1' });
    await press('Show the first steps again');
    await expect.poll(states).toContain('connect done');
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

test('a form beside other connections has a frame and a heading, and the first of all has the step for both', async () => {
  const framed = (): string => {
    const form = document.querySelector('[data-step="connect"] form');
    const heading = form?.querySelector('h3');
    const border = form && getComputedStyle(form).borderTopWidth;
    return `${heading?.checkVisibility() === true ? heading.textContent : 'none'}, ${border ?? ''}`;
  };
  options();
  await press('Add connection');
  await expect.poll(framed).toBe('none, 0px');
  options([fresh()]);
  await press('Add connection');
  await expect.poll(framed).toBe('New connection, 1px');
  await press('Cancel');
  await press('Edit');
  await expect.poll(framed).toBe('Edit Market, 1px');
});
