import { pinTestKey } from '#scripts/running/agent';
import { accessibilityProblems } from '#tests/support/accessibility';
import {
  addAuthorityQuietly,
  askAuthority,
  expect,
  sampleFile,
  setUpByForms,
  test,
} from '#tests/support/authority';
import {
  badgeOf,
  checkRow,
  chooseFiles,
  enterKey,
  expectOpenStanding,
  headlineOf,
  resultOf,
} from '#tests/support/pages/verifier-page';
import { addToStoredList } from '#tests/support/stored-lists';

test('a dialog says what is sent and where, and nothing is sent before', async ({
  authority,
  extension,
}) => {
  const verifier = await setUpByForms(extension, authority);
  await chooseFiles(verifier, ['state.json', await sampleFile(authority, 'activated-bundle.json')]);
  await verifier.getByRole('button', { name: 'Ask the license server' }).click();
  const dialog = verifier.getByRole('dialog');
  await expect(dialog).toContainText(`POST ${authority.origin}/api/license/v1/validate`);
  await expect(dialog).toContainText('shop.example.com');
  await expect(dialog).toContainText('aurora-theme');
  await expect(dialog).toContainText('sample-bundle');
  await expect(dialog).toContainText('the installation itself checking in');
  expect(await accessibilityProblems(verifier)).toEqual([]);
  const opener = verifier.getByRole('button', { name: 'Ask the license server' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await verifier.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await verifier.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  const { body } = await authority.control('audit', undefined, 'GET');
  expect(JSON.stringify(body)).not.toContain('"validate"');
  // The page itself may talk to nobody: the worker asks.
  const outcome = await verifier.evaluate(
    (url) => fetch(url).then(String, (error: unknown) => String(error)),
    `${authority.origin}/public-key.pem`,
  );
  expect(outcome).toContain('TypeError');
});

test('the question to the license server comes with the result, and moves nothing below it', async ({
  authority,
  verifier,
}) => {
  await verifier.waitForLoadState('networkidle');
  const tops = await verifier.evaluateHandle(() => {
    const seen = new Set<number>();
    const look = (): void => {
      const details = document.querySelector('.result-details');
      if (details !== null) seen.add(Math.round(details.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  await chooseFiles(verifier, ['state.json', await sampleFile(authority, 'activated-bundle.json')]);
  await expect(verifier.getByRole('button', { name: 'Ask the license server' })).toBeVisible();
  // A frame must have been drawn with it.
  await verifier.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))),
  );
  expect(await tops.evaluate((seen) => [...seen])).toHaveLength(1);
});

test('a refusal takes over headline, badge, timeline, report and print, and survives a look elsewhere', async ({
  authority,
  extension,
  verifier,
}) => {
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const revoked = await sampleFile(authority, 'activated-revoked-since.json');
  await chooseFiles(verifier, ['state.json', revoked]);
  await expectOpenStanding(verifier, 'activated');
  const answer = await askAuthority(verifier);
  await expect(answer).toHaveAttribute('data-authority-answer', 'refused');
  await expect(answer).toBeFocused();
  await expect(answer).toBeInViewport({ ratio: 1 });
  await expect(answer.locator('[data-when="before"]')).toContainText('Active');
  await expect(answer.locator('[data-when="after"]')).toContainText('Refused');

  const says =
    'Refused by the license server: “This license has been revoked: the purchase was refunded.”';
  const expectRefused = async (): Promise<void> => {
    await expectOpenStanding(verifier, 'denied');
    await expect(headlineOf(verifier, 'state.json')).toContainText(says);
    await expect(badgeOf(verifier, 'state.json')).toHaveText('Refused');
    const card = resultOf(verifier, 'state.json').locator('article').first();
    await expect(card).toHaveAttribute('data-tone', 'bad');
    await expect(card).toContainText(/Asked Sandbox at \d+:\d\d\s[AP]M\. A refusal/u);
    await expect(card).not.toContainText('a file cannot show');
  };
  await expectRefused();
  const exact = answer.getByTitle(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/u).first();
  await expect(exact).toContainText('HTTP 403');
  await expect(checkRow(verifier, 'grace')).toContainText('the license server refused');
  await expect(verifier.locator('.timeline svg')).toContainText('refused');

  await test.step('the report says it', async () => {
    await verifier.getByRole('button', { name: 'Copy report' }).click();
    await expect
      .poll(() => verifier.evaluate(() => navigator.clipboard.readText()))
      .toContain('Refused by the license server');
    await verifier.emulateMedia({ media: 'print' });
    await expect(verifier.locator('.print-foot')).toHaveText(/^Checked .* by Counterfoil\.$/u);
    await verifier.emulateMedia({ media: null });
  });

  await test.step('a moment before the refusal is judged without it', async () => {
    const slider = verifier.getByRole('slider');
    await slider.focus();
    await verifier.keyboard.press('Home');
    await expectOpenStanding(verifier, 'activated');
    await verifier.keyboard.press('Escape');
    await expectRefused();
  });

  await test.step('after another file and a change of the ticket', async () => {
    await verifier.getByLabel('Product').fill('aurora-theme');
    await expect(checkRow(verifier, 'product')).toHaveAttribute('data-outcome', 'pass');
    await expectRefused();
    await chooseFiles(verifier, [
      'other.json',
      await sampleFile(authority, 'activated-bundle.json'),
    ]);
    await expectOpenStanding(verifier, 'activated');
    await chooseFiles(verifier, ['state.json', revoked]);
    await expectRefused();
  });

  await test.step('no answer later takes nothing back', async () => {
    await authority.injectFault('error-500');
    await expect(await askAuthority(verifier)).toHaveAttribute(
      'data-authority-answer',
      'unavailable',
    );
    await expectRefused();
  });
});

test('what the authority says of a file is shown beside it, and a file that it cannot judge is not sent', async ({
  authority,
  verifier,
}) => {
  await test.step('a confirmation shows the certificate before and after', async () => {
    await chooseFiles(verifier, [
      'state.json',
      await sampleFile(authority, 'validation-due-bundle.json'),
    ]);
    await expectOpenStanding(verifier, 'validation-due');
    const answer = await askAuthority(verifier);
    await expect(answer).toHaveAttribute('data-authority-answer', 'granted');
    await expect(answer).toContainText('a new certificate arrived, and it verifies');
    await expect(answer.locator('[data-when="before"]')).toContainText('Check-in due');
    await expect(answer.locator('[data-when="after"]')).toContainText('Active');
    await expect(answer).toContainText('Genuine, active on shop.example.com.');
    // The file itself is judged as it was.
    await expectOpenStanding(verifier, 'validation-due');
    expect(await accessibilityProblems(verifier)).toEqual([]);
  });

  await verifier.reload();
  await test.step('an old certificate sent again is told from a new one', async () => {
    const state = JSON.parse(await sampleFile(authority, 'activated-bundle.json')) as Record<
      string,
      string
    >;
    const { body } = await authority.post('/api/license/v1/validate', {
      license: state['license'],
      domain: state['domain'],
      product_slug: state['product_slug'],
      installation_id: state['installation_id'],
    });
    await chooseFiles(verifier, [
      'state.json',
      JSON.stringify({ ...state, activation_certificate: body['activation_certificate'] }),
    ]);
    await authority.injectFault('older-certificate');
    const answer = await askAuthority(verifier);
    await expect(answer).toHaveAttribute('data-authority-answer', 'unavailable');
    await expect(answer).toContainText('an old answer, sent again');
  });

  await verifier.reload();
  await test.step('what is not genuine, or not whole, is asked about nowhere', async () => {
    const askButton = verifier.getByRole('button', { name: 'Ask the license server' });
    await chooseFiles(verifier, [
      'tampered.lic',
      await sampleFile(authority, 'unverified-tampered-license.lic'),
    ]);
    await expect(askButton).toBeDisabled();
    await expect(verifier.getByText('Only a license that is known to be genuine')).toBeVisible();
    await chooseFiles(verifier, [
      'license.lic',
      await sampleFile(authority, 'not-activated-license.lic'),
    ]);
    await expect(
      verifier.getByText('Missing from the file: Domain, Installation id.'),
    ).toBeVisible();
    await expect(askButton).toBeDisabled();
    await verifier.getByLabel('Domain', { exact: true }).fill('shop.example.com');
    await verifier.getByLabel('Installation id').fill('6F1B3C0E-0000-4000-8000-000000000001');
    await expect(askButton).toBeEnabled();
    const answer = await askAuthority(verifier);
    await expect(answer).toHaveAttribute('data-authority-answer', 'refused');
    await expect(
      verifier.getByText('“This license has not been activated.”').filter({ visible: true }),
    ).toHaveCount(1);
  });

  await verifier.reload();
  await test.step('a refusal that is asked for in a row of a table stands in the table as well', async () => {
    const revoked = await sampleFile(authority, 'activated-revoked-since.json');
    const others = Array.from(
      { length: 100 },
      (_, at) => [`${String(at)}.txt`, 'nothing'] as const,
    );
    await chooseFiles(verifier, ['a-state.json', revoked], ...others);
    await expect(verifier.getByText('101 documents')).toBeVisible();
    await verifier.getByRole('searchbox').fill('a-state');
    const row = verifier.getByRole('row').nth(1);
    await expect(row.locator('[data-standing]')).toHaveText('Active');
    await expect(row).toContainText('Test license');
    await expect(row).not.toContainText('Test license.');
    const detail = verifier.getByRole('dialog').first();
    const open = async (): Promise<void> => {
      await verifier.getByRole('grid').focus();
      await verifier.keyboard.press('Enter');
    };
    await open();
    await detail.getByRole('button', { name: 'Ask the license server' }).click();
    await verifier.getByRole('button', { name: 'Send' }).click();
    await expect(detail.locator('.result')).toHaveAttribute('data-standing', 'denied');
    await verifier.keyboard.press('Escape');
    await expect(row.locator('[data-standing]')).toHaveAttribute('data-standing', 'denied');
    await expect(row.locator('[data-standing]')).toHaveText('Refused');
    await open();
    await expect(detail.locator('.result')).toHaveAttribute('data-standing', 'denied');
  });
});

const outages = [
  ['captive-portal', 'the reply was not JSON (HTTP 200)'],
  ['blocked-page', 'the reply was not JSON (HTTP 403)'],
  ['redirect', 'The address redirects elsewhere'],
  ['unauthorized', 'HTTP 401, which says nothing about the license'],
  ['error-500', 'the reply was not JSON (HTTP 500)'],
  ['endless', 'was cut off'],
] as const;

const lies = [
  ['wrong-key', 'The certificate that it sent does not verify.'],
  ['no-certificate', 'A success alone is never proof.'],
  ['other-domain', 'The certificate that it sent is for another domain.'],
  ['other-installation', 'The certificate that it sent is for another installation.'],
  ['other-product', 'The certificate that it sent is for another product.'],
] as const;

test('whatever is no answer of the authority leaves the installation in grace at most, and whatever a lying one sends proves nothing', async ({
  authority,
  verifier,
}) => {
  await chooseFiles(verifier, [
    'state.json',
    await sampleFile(authority, 'validation-due-bundle.json'),
  ]);
  for (const [says, kinds] of [
    ['An answer came, but it proves nothing.', lies],
    ['No answer from the license server.', outages],
  ] as const)
    for (const [kind, sentence] of kinds) {
      await authority.injectFault(kind);
      const answer = await askAuthority(verifier);
      await expect(answer, kind).toHaveAttribute('data-authority-answer', 'unavailable');
      await expect(answer, kind).toContainText(says);
      await expect(answer, kind).toContainText(sentence);
      await expect(answer.locator('[data-when="after"]'), kind).toContainText('Grace');
    }
  await authority.close();
  await expect(await askAuthority(verifier)).toContainText('No connection could be made');
});

test('a live license goes to no test authority, and another product’s to none', async ({
  extension,
  authority,
}) => {
  await addAuthorityQuietly(extension, {
    name: 'Sandbox',
    address: authority.origin,
    kind: 'test',
  });
  const elsewhere = { address: 'http://127.0.0.1:9', products: ['other'] };
  await addAuthorityQuietly(extension, { name: 'Real', kind: 'live', ...elsewhere });
  const page = await extension.open('verifier.html');
  await enterKey(page, authority.publicKey.pem);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await chooseFiles(page, ['state.json', await sampleFile(authority, 'activated-bundle.json')]);
  await page.getByRole('button', { name: 'Ask the license server' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Sandbox: a license signed with a live key');
  await expect(dialog).toContainText('Real: it is not set up for this product.');
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveCount(0);
});

test('without permission nothing is sent, and the dialog offers to allow it', async ({
  extension,
  authority,
}) => {
  const page = await extension.open('verifier.html');
  await pinTestKey(page, authority.publicKey.pem);
  const { origin: address } = authority;
  await addToStoredList(page, 'authorities', [
    { id: 'a', name: 'Sandbox', address, kind: 'test', products: [] },
  ]);
  await page.reload();
  await chooseFiles(page, ['state.json', await sampleFile(authority, 'activated-bundle.json')]);
  await page.getByRole('button', { name: 'Ask the license server' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('has not been allowed to reach');
  await expect(dialog.getByRole('button', { name: 'Allow access' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveCount(0);
});
