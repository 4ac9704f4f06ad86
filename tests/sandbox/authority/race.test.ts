import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AuthorityProcess, startProcess } from '#tests/sandbox/authority/authority-process';
import { callsTo, claimsOf, licenseRequest } from '#tests/sandbox/authority/authority-harness';

let folder: string;
let db: string;
let first: AuthorityProcess;
let second: AuthorityProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'authority-'));
  db = join(folder, 'race.db');
  // Both begin on an empty file: the first key and the tokens are made once, whoever comes first.
  [first, second] = await Promise.all([startProcess(db), startProcess(db)]);
}, 30_000);
afterAll(async () => {
  await Promise.all([first.kill(), second.kill()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('two authority processes over one database', () => {
  it('have one key and one set of tokens', () => {
    expect(second.publicKey).toEqual(first.publicKey);
    expect(second.tokens).toEqual(first.tokens);
    expect(second.controlToken).toBe(first.controlToken);
  });

  it('let one of two hundred racing installations win, and say so in the audit trail', async () => {
    const calls = [callsTo(first), callsTo(second)] as const;
    const license = await calls[0].issue();
    const requests = Array.from({ length: 200 }, () => licenseRequest(license));
    const answers = await Promise.all(
      requests.map((request, index) =>
        calls[index % 2 === 0 ? 0 : 1].post('/api/license/v1/activate', request),
      ),
    );

    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(199);
    const winner = claimsOf(won[0]?.body['activation_certificate'])['installation_id'];

    const licenseId = String(claimsOf(license)['license_id']);
    const { body } = await calls[1].control(`audit?licenseId=${licenseId}`, {}, 'GET');
    const entries = body['entries'] as {
      action: string;
      outcome: string;
      installationId: string;
    }[];
    const activations = entries.filter(({ action }) => action === 'activate');
    expect(activations).toHaveLength(200);
    expect(activations.filter(({ outcome }) => outcome === 'granted')).toEqual([
      expect.objectContaining({ installationId: winner }),
    ]);
  }, 30_000);

  it('are consistent after a kill -9 in the middle of a race', async () => {
    const calls = callsTo(first);
    const licenses = await Promise.all(Array.from({ length: 40 }, () => calls.issue()));
    const racing = licenses.flatMap((license) =>
      Array.from({ length: 5 }, () => ({ license, request: licenseRequest(license) })),
    );
    let answered = 0;
    const seen: { license: string; installation: unknown }[] = [];
    await Promise.all(
      racing.map(async ({ license, request }) => {
        const answer = await calls.post('/api/license/v1/activate', request).catch(() => undefined);
        answered += 1;
        if (answer?.status === 200)
          seen.push({ license, installation: request['installation_id'] });
        if (answered === 60) await first.kill();
      }),
    );

    const database = new DatabaseSync(db);
    const all = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(all('PRAGMA foreign_key_check')).toEqual([]);
    const torn = `SELECT a.license_id FROM activations a
      WHERE (SELECT count(*) FROM certificates c WHERE c.license_id = a.license_id) <>
            (SELECT count(*) FROM audit_trail t WHERE t.license_id = a.license_id
               AND t.action IN ('activate', 'validate') AND t.outcome = 'granted')`;
    expect(all(torn)).toEqual([]);
    database.close();

    // Whoever was told that they won still holds it, at an authority that was started again.
    first = await startProcess(db);
    const again = callsTo(first);
    for (const { license, installation } of seen) {
      const request = licenseRequest(license, { installation_id: installation });
      expect((await again.post('/api/license/v1/validate', request)).status).toBe(200);
    }
    expect(seen.length).toBeGreaterThan(0);
  }, 30_000);
});
