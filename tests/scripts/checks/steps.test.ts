import { describe, expect, test } from 'vitest';

import { addUp, formatRemarks, formatStep, formatTally } from '#scripts/checks/steps';

describe('the closing line', () => {
  test('names passed and failed always', () => {
    expect(formatTally({ passed: 0, failed: 0, skipped: 0 })).toBe('0 passed, 0 failed');
  });

  test('names the skipped where there are any', () => {
    expect(formatTally({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });

  test('adds up what each step saw', () => {
    const unit = { passed: 1, failed: 0, skipped: 0, failures: [], retried: ['a.test.ts: adds'] };
    const e2e = { passed: 20, failed: 1, skipped: 3, failures: ['popup'], retried: [] };
    expect(addUp([unit, e2e])).toEqual({
      passed: 21,
      failed: 1,
      skipped: 3,
      failures: ['popup'],
      retried: ['a.test.ts: adds'],
    });
    expect(addUp([])).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [], retried: [] });
  });

  test('comes after a line for each test that failed or needed a second try', () => {
    expect(
      formatRemarks({ passed: 1, failed: 1, skipped: 0, failures: ['lint'], retried: ['popup'] }),
    ).toEqual(['FAILED   lint', 'retried  popup']);
  });
});

describe('the end of a step', () => {
  const ended = { output: 'passed\nfailed: 1 is not 2\n', milliseconds: 1230 };
  const passed = { passed: 1, failed: 0, skipped: 0, failures: [], retried: [] };
  const failed = { ...passed, passed: 3, failed: 2, failures: ['a.test.ts: adds', 'b.test.ts'] };
  const report = { file: 'reports/unit.json', read: () => failed };

  test('is one line when all went well', () => {
    expect(formatStep({ script: 'lint' }, passed, ended)).toEqual(['ok       lint (1.2 s)']);
    expect(formatStep({ script: 'unit', report }, passed, ended)).toEqual([
      'ok       unit: 1 passed, 0 failed (1.2 s)',
    ]);
  });

  test('names the failed tests above what the step printed', () => {
    expect(formatStep({ script: 'unit', report }, failed, ended)).toEqual([
      'FAILED   unit: 3 passed, 2 failed (1.2 s)',
      '         a.test.ts: adds',
      '         b.test.ts',
      'passed\nfailed: 1 is not 2',
    ]);
  });

  test('leaves out what does not concern the failures', () => {
    const shorten = (output: string): string => output.replace('passed\n', '');
    const lines = formatStep({ script: 'unit', report: { ...report, shorten } }, failed, ended);
    expect(lines.at(-1)).toBe('failed: 1 is not 2');
  });

  test('of a script without tests does not repeat its name', () => {
    const result = { ...passed, failed: 1, failures: ['lint'] };
    expect(formatStep({ script: 'lint' }, result, ended)).toEqual([
      'FAILED   lint (1.2 s)',
      'passed\nfailed: 1 is not 2',
    ]);
  });

  test('does not show again what was shown while it ran', () => {
    expect(formatStep({ script: 'e2e', report, live: true }, failed, ended)).toEqual([
      'FAILED   e2e: 3 passed, 2 failed (1.2 s)',
      '         a.test.ts: adds',
      '         b.test.ts',
    ]);
  });
});
