import { createPinia } from 'pinia';
import { type App, createApp } from 'vue';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import type { PinnedKey } from '#core/keys/index';
import { provideVerifier, useOpenedDocuments } from '#stores/verifier/index';
import VerifierApp from '#components/verifier/VerifierApp.vue';
import undo from '#locales/en/undo.json';
import verifier from '#locales/en/verifier.json';
import { clockPort, copyPort } from '#stores/ports';
import { useClock } from '#stores/clock';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createInProcessVerify, createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

let app: App | undefined;
afterEach(() => app?.unmount());

/** Shows the site's verifier with this key pinned, or none. */
function show(...keys: readonly PinnedKey[]) {
  const pinia = createPinia();
  const verify = createInProcessVerify();
  const clock = { now: NOW };
  app = createApp(VerifierApp)
    .use(pinia)
    .use(createCatalogue('en-GB', { ...verifier, ...undo }))
    .provide(clockPort, () => clock.now)
    .provide(copyPort, () => Promise.resolve(true))
    .provide(replyTemplatesPort, null);
  provideVerifier(app, {
    home: { name: 'site' },
    verify,
    keyRing: createMemoryKeyRing([...keys]),
    clockMemory: { note: (at) => Promise.resolve(at), reset: () => Promise.resolve() },
    sharedContent: { peek: () => Promise.resolve(undefined), drop: () => Promise.resolve() },
    saveFile: () => undefined,
  });
  document.body.replaceChildren(document.createElement('div'));
  app.mount(document.body.firstElementChild ?? document.body);
  return { pinia, verify, clock };
}

const sample = page.getByRole('button', { name: 'Try it with a made-up license' });

test('a made-up license is offered until a key is pinned, with the key that proves it once it is confirmed', async () => {
  show();
  await sample.click();
  const standing = (): string | null | undefined =>
    document.querySelector('[data-standing]')?.getAttribute('data-standing');
  await expect.poll(standing).toBe('unverified');
  await expect.element(sample).not.toBeInTheDocument();
  await expect.element(page.getByRole('radio', { name: 'Test' })).toBeChecked();
  await expect.element(page.getByText(/there is nothing to compare/)).toHaveFocus();
  await expect.element(page.getByText('Fingerprint (SHA-256)')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(standing).toBe('not-activated');
  await expect.poll(() => document.activeElement?.matches('.result')).toBe(true);
  // Beside what is open, the field for another key is put away.
  await expect.element(page.getByLabelText('Public key')).not.toBeVisible();
  await expect
    .poll(() => document.querySelector('[data-standing] h2')?.textContent)
    .toMatch(/Genuine, not activated yet\s*$/);
  app?.unmount();
  show(pinned(signer));
  await expect.element(page.getByText('Choose files')).toBeVisible();
  await expect.element(sample).not.toBeInTheDocument();
});

test('a verdict is announced once, and not each time that the minute brings a new one', async () => {
  const { pinia, verify, clock } = show(pinned(signer));
  const status = document.querySelector('.results [role=status]');
  const said = (): string => status?.textContent.trim() ?? '';
  const announced: string[] = [];
  if (status !== null)
    new MutationObserver(() => announced.push(said())).observe(status, {
      characterData: true,
      childList: true,
      subtree: true,
    });

  const opened = useOpenedDocuments(pinia);
  opened.openText(`${token(signer, LICENSE_CLAIMS)}\n${token(signer, CERTIFICATE_CLAIMS)}`);
  await expect.poll(() => announced).toEqual(['1 file checked']);
  const asked = verify.requests.length;
  clock.now += 60_000;
  useClock(pinia).refresh();
  await vi.waitFor(() => {
    expect(verify.requests.length).toBeGreaterThan(asked);
    expect(opened.documents[0]?.busy).toBe(false);
  });
  expect(opened.documents[0]?.judgedAt).toBe(clock.now);
  expect(announced).toEqual(['1 file checked']);

  opened.openText(token(signer, LICENSE_CLAIMS));
  await expect.poll(() => announced).toEqual(['1 file checked', '', '1 file checked']);
});

test('a file that replaces the result with the focus has the focus in its place', async () => {
  const { pinia } = show(pinned(signer));
  const open = (name: string, ...texts: string[]): void => {
    useOpenedDocuments(pinia).openFiles([{ name, file: new File([texts.join('\n')], name) }]);
  };
  const license = token(signer, LICENSE_CLAIMS);
  const result = (name: string) => page.getByRole('region', { name });
  open('1.lic', license);
  await expect.element(result('1.lic')).toBeVisible();
  (result('1.lic').element() as HTMLElement).focus();
  open('2.lic', license, token(signer, CERTIFICATE_CLAIMS));
  await expect.element(result('2.lic')).toHaveFocus();
  // The focus stays where the agent works.
  page.getByLabelText('License text').element().focus();
  open('1.lic', license);
  await expect.element(result('1.lic')).toBeVisible();
  await expect.element(page.getByLabelText('License text')).toHaveFocus();
});

test('a pasted text replaces the one that was pasted before, and is added to one that was typed', async () => {
  const { pinia } = show(pinned(signer));
  const opened = useOpenedDocuments(pinia);
  const field = page.getByLabelText('License text');
  const paste = async (text: string): Promise<void> => {
    const source = document.createElement('textarea');
    source.value = text;
    document.body.append(source);
    source.select();
    await userEvent.copy();
    source.remove();
    (field.element() as HTMLElement).focus();
    await userEvent.paste();
  };
  await paste('first');
  await expect.poll(() => opened.documents.length).toBe(1);
  await paste('second');
  expect(opened.text).toBe('second');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(opened.text).toBe('first');
  await userEvent.keyboard('{End}, ');
  await paste('second');
  expect(opened.text).toBe('first, second');
  await paste('third');
  expect(opened.text).toBe('third');
});

test('a claim that is being typed changes no verdict until the field is left', async () => {
  const { pinia, verify } = show(pinned(signer));
  const documents = `${token(signer, LICENSE_CLAIMS)}\n${token(signer, CERTIFICATE_CLAIMS)}`;
  useOpenedDocuments(pinia).openText(documents);
  const outcome = (): string | null | undefined =>
    document.querySelector('[data-check="domain"]')?.getAttribute('data-outcome');
  const compared = () =>
    verify.requests.flatMap((asked) =>
      asked.ask === 'inspect' ? [asked.context.expected?.domain] : [],
    );
  await expect.poll(outcome).toBe('skip');
  await page.getByLabelText('Domain').click();
  await userEvent.keyboard('other.exam');
  expect(outcome()).toBe('skip');
  expect(document.querySelector('[data-outcome="fail"]')).toBeNull();
  await userEvent.keyboard('ple');
  await userEvent.tab();
  await expect.poll(outcome).toBe('fail');
  expect([...new Set(compared())]).toEqual(['', 'other.example']);
});

test('with no key pinned, one headline and one step say so, and nothing else of the page', async () => {
  const { pinia } = show();
  useOpenedDocuments(pinia).openText(token(signer, LICENSE_CLAIMS));
  await expect.element(page.getByText(/Not verified: no key is pinned yet/)).toBeVisible();
  await expect.element(page.getByText(/Pin the license server’s public key, and/)).toBeVisible();
  const obstacle = page.getByText(/No reply: nothing can be proven/);
  await expect.element(obstacle).toHaveClass('visually-hidden');
  await expect.element(page.getByText(/Nothing in this file is proven/)).not.toBeInTheDocument();
  await expect.element(page.getByText(/Until the license server’s key/)).not.toBeInTheDocument();
});

test('a text without a license says what was looked for, and what to try', async () => {
  const { pinia } = show(pinned(signer));
  useOpenedDocuments(pinia).openText('Dear support, it does not work.');
  await expect.element(page.getByText(/There is no license in this/)).toBeVisible();
  await expect
    .element(page.getByText(/Ask for the license file, or paste the whole/))
    .toBeVisible();
});

test('what several files wait for is said once above them, and what one waits for beside it', async () => {
  const { pinia } = show();
  const opened = useOpenedDocuments(pinia);
  const file = (name: string, text: string) => ({ name, file: new File([text], name) });
  const license = token(signer, LICENSE_CLAIMS);
  opened.openFiles([file('1.lic', license), file('notes.txt', 'Hello'), file('2.lic', license)]);
  const steps = (): readonly string[] =>
    [...document.querySelectorAll('.next-step')].map(
      (step) =>
        `${step.closest('[data-standing]')?.getAttribute('aria-label') ?? 'above'}: ${step.querySelector('p')?.textContent ?? ''}`,
    );
  await expect
    .poll(steps)
    .toEqual(['above: Pin the license server’s public key, and these files will be checked.']);
  expect(document.querySelectorAll('[data-standing="unverified"]')).toHaveLength(3);

  opened.openFiles([file('1.lic', license), file('notes.txt', 'Hello')]);
  await expect.poll(() => steps().map((step) => step.split(':')[0])).toEqual(['1.lic']);
});

test('how several files stand is counted above them, the worst first as they stand, and each card holds all of its own result', async () => {
  const { pinia } = show(pinned(signer));
  const opened = useOpenedDocuments(pinia);
  const file = (name: string, ...texts: string[]) => ({
    name,
    file: new File([texts.join('\n')], name),
  });
  const stranger = makeSigner(2);
  const unknown = [LICENSE_CLAIMS, CERTIFICATE_CLAIMS].map((claims) =>
    token(stranger, { ...claims, kid: 'k9' }),
  );
  const license = token(signer, LICENSE_CLAIMS);
  opened.openFiles([
    file('1.lic', license, token(signer, CERTIFICATE_CLAIMS)),
    file('2.lic', ...unknown),
    file('3.lic', license),
    file('notes.txt', 'Hello'),
    file('forged.lic', token(stranger, LICENSE_CLAIMS)),
  ]);
  const counted = (): readonly string[] =>
    [...document.querySelectorAll('.counts > li')].map(({ textContent }) => textContent.trim());
  await expect
    .poll(counted)
    .toEqual(['Invalid 1', 'Not activated 1', 'Not verified 1', 'No license 1', 'Active 1']);
  await expect
    .poll(() => document.querySelectorAll('article > div > div > details').length)
    .toBe(4);
  expect(document.querySelectorAll('[data-standing] .primary')).toHaveLength(0);
  expect(
    [...document.querySelectorAll('[data-standing]')].map((card) =>
      card.getAttribute('aria-label'),
    ),
  ).toEqual(['forged.lic', '3.lic', '2.lic', 'notes.txt', '1.lic']);
  const said = document.querySelector('[aria-label="2.lic"] h2')?.textContent;
  expect(said).toContain('License and certificate are signed with key k9');
  expect(document.querySelectorAll('[aria-label="2.lic"] .result-reason')).toHaveLength(0);
});

test('a card does not say again what the step in it, or above the cards, says', async () => {
  const { pinia } = show();
  const license = token(signer, LICENSE_CLAIMS);
  const obstacles = () =>
    [...document.querySelectorAll('[id$="-obstacle"]')].map(({ className }) => className);
  useOpenedDocuments(pinia).openFiles(
    ['1.lic', '2.lic'].map((name) => ({ name, file: new File([license], name) })),
  );
  await expect.poll(obstacles).toEqual(['visually-hidden', 'visually-hidden']);
  useOpenedDocuments(pinia).openText(license);
  await expect.poll(obstacles).toEqual(['visually-hidden']);
});

test('on a phone the results of many files come before what they are compared with, which one button leads to', async () => {
  await page.viewport(360, 740);
  const { pinia } = show(pinned(signer));
  const license = token(signer, LICENSE_CLAIMS);
  useOpenedDocuments(pinia).openFiles(
    Array.from({ length: 60 }, (_, at) => ({
      name: `${String(at)}.lic`,
      file: new File([license], `${String(at)}.lic`),
    })),
  );
  await expect.element(page.getByRole('heading', { name: '60 documents' })).toBeVisible();
  const topOf = (selector: string): number =>
    document.querySelector(selector)?.getBoundingClientRect().top ?? NaN;
  await expect.poll(() => topOf('.batch')).toBeLessThan(topOf('.keys'));
  expect(topOf('.keys')).toBeLessThan(topOf('.expected'));
  await page.getByRole('button', { name: 'From the ticket, and pinned keys' }).click();
  await expect.poll(() => document.activeElement?.matches('.keys > summary')).toBe(true);
  expect(topOf('.keys')).toBeLessThan(740);
});

test('on a phone a button leads from one result to what it is compared with, and one leads back', async () => {
  await page.viewport(360, 740);
  const { pinia } = show(pinned(signer));
  useOpenedDocuments(pinia).openText(token(signer, LICENSE_CLAIMS));
  const there = page.getByRole('button', { name: 'From the ticket, and pinned keys' });
  await there.click();
  await expect.poll(() => document.activeElement?.matches('.keys > summary')).toBe(true);
  await page.getByRole('button', { name: 'Results' }).click();
  await expect.poll(() => document.activeElement?.matches('.result')).toBe(true);
  await page.viewport(1280, 740);
  await expect.element(there).not.toBeInTheDocument();
});
