import { expect, test } from 'vitest';

import { createObserver } from '#relay/observe/observer';

function logged(write: (log: ReturnType<typeof createObserver>) => void): string {
  let text = '';
  write(createObserver('debug', { write: (line) => (text += line) }));
  return text;
}

test('a field that is not listed is not written, whoever hands it in', () => {
  const call = { status: 200, result: 'asked', milliseconds: 3 };
  const careless = { ...call, url: '/?api_key=canary', headers: { authorization: 'canary' } };
  const text = logged((log) => {
    log.call(careless);
  });
  expect(text).toContain('"result":"asked"');
  expect(text).not.toContain('canary');
});

test('of an error the name and the code are written, and not its message', () => {
  const error = Object.assign(new TypeError('canary'), { code: 'ERR_SQLITE_ERROR' });
  const text = logged((log) => {
    log.storeFault('call', error);
  });
  expect(text).toContain('"errorName":"TypeError","errorCode":"ERR_SQLITE_ERROR"');
  expect(text).not.toContain('canary');
});
