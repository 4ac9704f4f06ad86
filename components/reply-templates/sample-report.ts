import type { CheckReport } from '#core/check/check-report';
import type { ReplyVerdict } from '#core/reply-templates/template';
import { dayMs } from '#core/time/units';

/**
 * Makes a sample report, for the preview of a template.
 *
 * @param now epoch milliseconds
 */
export function sampleReport(verdict: ReplyVerdict, now: number, itemName: string): CheckReport {
  const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
  const base = { connectionId: '', code, checkedAt: now, cached: false };
  if (verdict === 'not-found') {
    const value = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
    return { ...base, outcome: { ok: true, value } };
  }
  const supportedUntil = verdict === 'supported' ? now + 120 * dayMs : now - 30 * dayMs;
  const purchase = {
    ...{ purchaseCode: code, licenseType: 'Regular', price: 49, currency: 'EUR' },
    ...{ downloaded: true, date: now - 210 * dayMs },
    ...(verdict === 'no-support' ? {} : { supportedUntil }),
    item: {
      ...{ id: 101, name: itemName, description: '', category: '', subCategory: '' },
      ...{ options: [], version: '3.2.1', tags: [], media: { screenshots: [] } },
      ...{ price: { regular: 49, extended: 249 }, currency: 'EUR' },
    },
  };
  return { ...base, outcome: { ok: true, value: { kind: 'purchase', purchase } } };
}
