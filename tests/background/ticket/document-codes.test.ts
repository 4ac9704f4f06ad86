import { describe, expect, test } from 'vitest';

import { createDocumentCodes } from '#background/ticket/document-codes';
import type { CheckReport } from '#core/check/index';
import { fail, succeed } from '#core/result';

const document = { origin: 'https://desk.test', tabId: 1, frameId: 0, documentId: 'A' };
const report = (connectionId: string, outcome: unknown, code = 'code'): CheckReport =>
  ({ connectionId, code, checkedAt: 0, cached: false, outcome }) as CheckReport;
const purchase = succeed({ kind: 'purchase', purchase: {} });
const missing = succeed({ kind: 'not-found', msg: '', key: 'good', proven: true });
const offline = fail({ kind: 'offline' });

function asked(connectionIds: readonly string[]) {
  const codes = createDocumentCodes();
  codes.add({ document, code: 'code', connectionIds, reports: [] });
  return codes;
}

describe('a code that a document shows', () => {
  test('is found by its document, and by no other', () => {
    const codes = asked(['a']);
    expect(codes.find(document, 'code')).toMatchObject({ connectionIds: ['a'], reports: [] });
    expect(codes.find(document, 'other')).toBeUndefined();
    for (const other of [
      { documentId: 'B' },
      { documentId: undefined },
      { origin: 'https://other.test' },
      { tabId: 2 },
      { frameId: 2 },
    ])
      expect(codes.find({ ...document, ...other }, 'code')).toBeUndefined();
  });

  test('has its verdict once every connection has answered', () => {
    const codes = asked(['a', 'b']);
    expect(codes.addReport(report('a', missing))).toEqual([]);
    const [complete, ...more] = codes.addReport(report('b', offline));
    expect(complete?.reports.map(({ connectionId }) => connectionId)).toEqual(['a', 'b']);
    expect(more).toEqual([]);
  });

  test('has its verdict with a purchase, even of a connection that was not asked', () => {
    expect(asked(['a', 'b']).addReport(report('b', purchase))).toHaveLength(1);
    expect(asked(['a', 'b']).addReport(report('c', purchase))).toHaveLength(1);
    const codes = asked(['a']);
    expect(codes.addReport(report('c', missing))).toEqual([]);
    expect(codes.find(document, 'code')?.reports).toEqual([]);
  });

  test('keeps an answer over a later fault, and the latest answer', () => {
    const codes = asked(['a']);
    codes.addReport(report('a', purchase));
    expect(codes.addReport(report('a', offline))).toEqual([]);
    expect(codes.find(document, 'code')?.reports).toEqual([report('a', purchase)]);
    expect(codes.addReport(report('a', missing))).toMatchObject([
      { reports: [report('a', missing)] },
    ]);
    const faulty = asked(['a']);
    faulty.addReport(report('a', offline));
    expect(faulty.addReport(report('a', offline))).toMatchObject([
      { reports: [report('a', offline)] },
    ]);
  });

  test('learns nothing from a report about another code', () => {
    const codes = asked(['a']);
    expect(codes.addReport(report('a', purchase, 'other'))).toEqual([]);
    expect(codes.find(document, 'code')?.reports).toEqual([]);
  });

  test('is remembered without its answers once those are to be forgotten', () => {
    const codes = asked(['a', 'b']);
    codes.addReport(report('a', missing));
    codes.forgetReports();
    expect(codes.find(document, 'code')).toMatchObject({ connectionIds: ['a', 'b'], reports: [] });
    expect(codes.addReport(report('b', missing))).toEqual([]);
  });
});

test('300 codes are remembered; the one added first goes first, and adding again makes it the last', () => {
  const codes = createDocumentCodes();
  const add = (code: string): void => {
    codes.add({ document, code, connectionIds: [], reports: [] });
  };
  for (let at = 0; at < 300; at += 1) add(String(at));
  expect(codes.find(document, '0')).toBeDefined();
  add('0');
  add('one more');
  expect(codes.find(document, '0')).toBeDefined();
  expect(codes.find(document, '1')).toBeUndefined();
  expect(codes.find(document, '2')).toBeDefined();
});
