import { describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import {
  forSharedSwitches,
  readSettingsFile,
  readWrittenSettings,
} from '#core/settings/settings-file';
import { defaultHistorySettings } from '#core/preferences/index';

const format = 'counterfoil-settings';
const connection = {
  id: 'a',
  name: 'A',
  baseAddress: 'https://shop.example',
  dialect: defaultDialect,
};
const authority = {
  id: 'l',
  name: 'L',
  address: 'https://licenses.example',
  kind: 'live',
  products: [],
};
const privacy = {
  pictures: false,
  maskCodes: true,
  selectionAtOnce: true,
  history: defaultHistorySettings,
};
const whole = {
  format,
  version: 2,
  connections: [connection],
  authorities: [authority],
  sites: [{ origin: 'https://desk.example', automatic: false }],
  keys: [],
  templates: { format: 'plain' },
  privacy,
};

describe('a settings file', () => {
  it('is read whole', () => {
    expect(readSettingsFile(whole)).toEqual(succeed(whole));
  });

  it('may leave out every part but what it is', () => {
    expect(readSettingsFile({ format, version: 2 })).toEqual(
      succeed({ format, version: 2, connections: [], authorities: [], sites: [], keys: [] }),
    );
  });

  it.each(Object.keys(forSharedSwitches(String)))(
    'may say of its privacy no more than %s',
    (name) => {
      const part = { privacy: { [name]: false } };
      expect(readSettingsFile({ ...whole, ...part })).toEqual(succeed({ ...whole, ...part }));
    },
  );

  it('may expect an item by its id alone, or one of its own connections', () => {
    const item = { itemId: 7, name: 'Lantern' };
    for (const expectedItem of [item, { connectionId: 'a', ...item }]) {
      const sites = [{ origin: 'https://desk.example', automatic: true, expectedItem }];
      expect(readSettingsFile({ ...whole, sites })).toMatchObject(succeed({ sites }));
    }
  });

  it('of a newer version is left alone', () => {
    expect(readSettingsFile({ format, version: 3, anything: 1 })).toEqual(
      fail({ kind: 'newer-version' }),
    );
  });

  it.each([
    ['nothing', null],
    ['a text', 'counterfoil-settings'],
    ['another format', { format: 'counterfoil-keys', version: 1, keys: [] }],
    ['no version', { format }],
    ['version nought', { format, version: 0, connections: [] }],
  ])('is not what %s is', (_, data) => {
    expect(readSettingsFile(data)).toEqual(fail({ kind: 'not-settings' }));
  });

  it.each([
    ['an API key', { connections: [{ ...connection, apiKey: 'k' }] }, 'connections.0.apiKey'],
    [
      'a control token',
      { authorities: [{ ...authority, controlToken: 't' }] },
      'authorities.0.controlToken',
    ],
    ['a member that nobody knows', { secret: 's' }, 'secret'],
    [
      'a site over the open net',
      { sites: [{ origin: 'http://a.example', automatic: true }] },
      'sites.0.origin',
    ],
    ['no readable privacy', { privacy: { ...privacy, pictures: 'yes' } }, 'privacy.pictures'],
  ])('is refused whole with %s', (_, part, path) => {
    expect(readSettingsFile({ ...whole, ...part })).toEqual(fail({ kind: 'unreadable', path }));
  });
});

it('an expected item of a connection that is not in the file is refused where a person writes it for others', () => {
  const expectedItem = { connectionId: 'other', itemId: 7, name: 'Lantern' };
  const sites = [{ origin: 'https://desk.example', automatic: true, expectedItem }];
  expect(readSettingsFile({ ...whole, sites })).toMatchObject(succeed({ sites }));
  expect(readWrittenSettings({ ...whole, sites })).toEqual(
    fail({ kind: 'unreadable', path: 'sites.0.expectedItem.connectionId' }),
  );
});
