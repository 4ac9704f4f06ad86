import type { Stored } from '#relay/store/records';

/** Holds a connection, as the administrator has set it up. */
export const shop: Stored<'connection'> = {
  id: 'shop',
  name: 'Shop',
  baseAddress: 'https://shop.test',
  keyPlacement: 'parameter',
  encoding: 'form',
  limit: 60,
  windowMs: 60_000,
  allowPrivate: false,
  roles: [],
};

/** Tells the audit of a check at it. */
export const checkAtShop: Stored<'auditSubject'> = {
  callId: 'call',
  agent: 'ada',
  token: 't1',
  connection: 'shop',
  call: 'validation',
  codeHmac: 'abc',
  codeLast4: '1234',
};
