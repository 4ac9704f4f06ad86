import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Model, graceMs, intervalMs } from '#tests/core/installation/model';
import { openSite, type Site } from '#tests/core/installation/site';
import { claimsOf, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
import { isUnderMutation } from '#tests/support/under-mutation';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 2, 9);

let rig: Rig;
let authorityNow = start;
/** How often each standing was compared. */
const seen = new Map<string, number>();
beforeAll(async () => {
  rig = await startRig(':memory:', () => authorityNow);
  await rig.control('config', {
    validationSeconds: intervalMs / 1000,
    graceSeconds: graceMs / 1000,
  });
});
afterAll(() => rig.close());

interface Real {
  site: Site;
  readonly license: string;
}
type Command = fc.AsyncCommand<Model, Real>;

/** A step that needs no comparison of its own. */
function step(name: string, run: (model: Model, real: Real) => unknown): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
    },
    toString: () => name,
  };
}

const permit = step('permit', async (model, { site }) => {
  const { standing, allowed } = await site.installation.permit(model.localNow);
  expect({ standing, allowed }).toEqual(model.permit());
  seen.set(standing, (seen.get(standing) ?? 0) + 1);
});
const activate = step('activate', async (model, { site, license }) => {
  const { ok } = await site.installation.activate(license, model.localNow);
  expect(ok).toBe(model.activate());
});
const pass = (hours: number): Command =>
  step(`pass ${String(hours)} h`, (model) => {
    model.localNow += hours * hour;
    model.authorityNow += hours * hour;
    authorityNow = model.authorityNow;
  });
const turnClock = (hours: number): Command =>
  step(`turn the clock by ${String(hours)} h`, (model) => {
    model.localNow += hours * hour;
  });
const setClockRight = step('set the clock right', (model) => {
  model.localNow = model.authorityNow;
});
const restart = step('restart', (_model, real) => {
  real.site = real.site.restart();
});
const revoke = (revoked: boolean): Command =>
  step(revoked ? 'revoke' : 'unrevoke', async (model, { license }) => {
    model.revoked = revoked;
    const licenseId = claimsOf(license)['license_id'];
    await rig.control(revoked ? 'revoke' : 'unrevoke', { licenseId });
  });
const behave = (kind: string): Command =>
  step(kind, async (model) => {
    model.mode = kind === 'up' || kind === 'down' ? kind : 'lying';
    await rig.control('availability', { available: kind !== 'down' });
    await rig.control('faults', {}, 'DELETE');
    if (model.mode === 'lying') await rig.control('faults', { kind, times: 1_000_000 });
  });

const evenHours = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min / 2, max: max / 2 }).map((half) => half * 2);
const mostlyActivated = fc.integer({ min: 0, max: 3 }).map((side) => side > 0);
const commands = fc.commands(
  [
    fc.constant(permit),
    fc.constant(permit),
    fc.constant(activate),
    evenHours(2, 40).map(pass),
    evenHours(2, 40).map(pass),
    evenHours(-40, -2).map(turnClock),
    evenHours(2, 200).map(turnClock),
    fc.constant(setClockRight),
    fc.constant(restart),
    fc.boolean().map(revoke),
    fc
      .constantFrom(
        'up',
        'up',
        'down',
        'wrong-key',
        'no-certificate',
        'other-domain',
        'other-installation',
      )
      .map(behave),
  ],
  { maxCommands: 60, size: 'max' },
);

describe('an installation', () => {
  it.skipIf(isUnderMutation)(
    'does what a tiny model of the table does, whatever happens around it',
    async () => {
      await fc.assert(
        fc.asyncProperty(mostlyActivated, commands, async (isActivated, story) => {
          authorityNow = start;
          await rig.control('availability', { available: true });
          await rig.control('faults', {}, 'DELETE');
          const real = { site: openSite(rig), license: await rig.issue() };
          const model = new Model(start);
          if (isActivated) await activate.run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), story);
        }),
        { numRuns: 40 },
      );
      for (const standing of ['not-activated', 'activated', 'validation-due', 'grace', 'denied']) {
        expect([standing, seen.has(standing)]).toEqual([standing, true]);
      }
    },
    120_000,
  );
});
