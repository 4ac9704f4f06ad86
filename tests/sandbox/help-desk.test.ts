import { afterAll, beforeAll, expect, test } from 'vitest';

import { tickets } from '#sandbox/seed/tickets';
import { type Sandbox, startSandbox, startWholeSandbox } from '#sandbox/server';
import { send } from '#tests/sandbox/seller/client';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, db: ':memory:' });
});
afterAll(() => sandbox.close());

test('the queue links to every ticket', async () => {
  const { status, text } = await send(`${sandbox.origin}/desk`);
  expect(status).toBe(200);
  for (const { id } of tickets) expect(text).toContain(`href="/desk/tickets/${String(id)}"`);
});

test.each(tickets.map(({ id, messages }) => [id, messages.length] as const))(
  'ticket %i shows its %i messages',
  async (id, count) => {
    const { status, text } = await send(`${sandbox.origin}/desk/tickets/${String(id)}`);
    expect(status).toBe(200);
    expect(text.match(/<article/g)).toHaveLength(count);
  },
);

test('markup that a customer wrote stays text', async () => {
  for (const path of ['/desk', '/desk/tickets/1052']) {
    const { text } = await send(`${sandbox.origin}${path}`);
    expect(text).toContain('&lt;script&gt;alert(');
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img src=x');
  }
});

test('quoted mail is quoted as deep as it was', async () => {
  const { text } = await send(`${sandbox.origin}/desk/tickets/1046`);
  expect(text).toMatch(/<blockquote>\s*<blockquote>/);
});

test('attached files come from the desk’s own origin, where a license authority runs', async () => {
  const whole = await startWholeSandbox({ port: 0, authorityPort: 0, db: ':memory:' });
  const ticket = tickets.find(({ attached }) => attached !== undefined);
  const [name = ''] = ticket?.attached ?? [];
  const address = `${whole.seller.origin}/desk/files/${name}`;
  const { text } = await send(`${whole.seller.origin}/desk/tickets/${String(ticket?.id)}`);
  expect(text).toContain(`href="/desk/files/${name}"`);
  const file = await fetch(address);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  expect(await file.text()).not.toBe('');
  expect((await fetch(`${address}x`)).status).toBe(404);
  await whole.close();
  expect((await send(`${sandbox.origin}/desk/files/${name}`)).status).toBe(404);
});

test('an unknown ticket is not found', async () => {
  expect((await send(`${sandbox.origin}/desk/tickets/1`)).status).toBe(404);
});
