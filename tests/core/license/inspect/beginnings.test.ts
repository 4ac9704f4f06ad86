import { describe, expect, it, test } from 'vitest';

import { LICENSE_CLAIMS, token } from '#tests/core/license/documents';
import { inspection, leads, signer } from '#tests/core/license/inspect/inspecting';

const license = token(signer, LICENSE_CLAIMS);
/** Its payload was cut to 41 letters, which no base64 has. */
const damaged = license.replace(/(?<=^.{41})[^.]*/, '');
/** Base64 of these bytes holds the letters that JSON begins with, and is none there. */
const bytes = Uint8Array.from(atob('QUJDeyJB/////w=='), (letter) => letter.charCodeAt(0));

describe('a genuine license whose payload is no JSON', () => {
  it.each([
    ['ends in an object', 'v1 {"license_id":"L-1"}'],
    ['ends in an object one letter on', 'v1: {"license_id":"L-1"}'],
    ['ends in an object two letters on', 'v1 - {"license_id":"L-1"}'],
    ['holds what looks like the beginning of one', 'Licensed to { "Jörg" }, order 4711'],
    ['holds such letters by chance', bytes],
  ])('is genuine where it %s', async (_name, content) => {
    const opaque = token(signer, content);
    const broken = opaque.replaceAll(/.{24}/g, '$&\n');
    for (const text of [
      opaque,
      `Key: ${opaque} thanks`,
      JSON.stringify({ a: opaque }),
      broken,
      `https://shop.example/new?q=Key%3A%0A${opaque}%0AThanks`,
      String.raw`Key:\n${opaque}\nThanks`,
    ]) {
      const report = await inspection(text);
      expect(report.license).toMatchObject({ genuine: true, raw: opaque });
      expect(leads(report)).toEqual(['not-activated']);
    }
  });
});

test('what is glued to the beginning of a genuine license is no part of it', async () => {
  for (const text of [`acme_${license}`, `https://shop.example/${license}`])
    expect((await inspection(text)).license).toMatchObject({ genuine: true, raw: license });
});

test('nor is a word that is glued to its end', async () => {
  for (const text of [
    `${license}Thanks`,
    `License:${license}Expires: 2027`,
    `${license}Regards\nAnn`,
  ]) {
    const { license: read, others } = await inspection(text);
    expect(read).toMatchObject({ genuine: true, raw: license });
    expect(others).toEqual([]);
  }
});

test('a damaged license that stands free as well is not called by what is glued to it elsewhere', async () => {
  for (const text of [`${damaged}\nacme/${damaged}`, `acme/${damaged}\n${damaged}`]) {
    const report = await inspection(text);
    expect(leads(report)).toEqual(['license-unreadable']);
    expect(report.others).toEqual([]);
  }
});

test('a damaged license with something glued to it is not called false', async () => {
  for (const text of [`acme/${damaged}`, `${damaged}Thanks`]) {
    const report = await inspection(text);
    expect(leads(report)).toEqual(['license-glued']);
    expect(report.headline.tone).toBe('unknown');
  }
});
