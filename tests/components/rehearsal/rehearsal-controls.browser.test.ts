import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { nextTick } from 'vue';

import RehearsalControls from '#components/rehearsal/RehearsalControls.vue';
import RehearsalTimeline from '#components/rehearsal/RehearsalTimeline.vue';
import { dayMs } from '#core/time/units';
import authority from '#locales/en/authority.json';
import verifier from '#locales/en/verifier.json';
import { useRehearsal } from '#stores/rehearsal/rehearsal';
import { mounting } from '#tests/components/mounted';
import { now } from '#tests/stores/check/samples';

const messages = { ...verifier, ...authority };

/** Shows the controls of a rehearsal whose certificate is due in a week. */
function controls(): ReturnType<typeof useRehearsal> {
  let rehearsal: ReturnType<typeof useRehearsal> | undefined;
  mounting(RehearsalControls, {
    script: {},
    messages,
    ports: (app) => {
      rehearsal = app.runWithContext(() => useRehearsal());
      rehearsal.now = now;
    },
  });
  if (rehearsal === undefined) throw new Error('The page was not mounted.');
  return rehearsal;
}

test('the controls keep the focus while a task runs, and start no other', async () => {
  const rehearsal = controls();
  for (const name of [
    'Activate',
    'Use the product',
    '+1 hour',
    'Turn it back a day',
    'End the rehearsal',
  ]) {
    const button = page.getByRole('button', { name, exact: true });
    button.element().focus();
    rehearsal.busy = true;
    await nextTick();
    await expect.element(button).toHaveFocus();
    await expect.element(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{Enter}');
    expect(rehearsal.now).toBe(now);
    rehearsal.busy = false;
    await nextTick();
    await expect.element(button).toHaveFocus();
    await expect.element(button).not.toHaveAttribute('aria-disabled');
  }
});

test('a moment that is reached keeps its button, and is not gone to again', async () => {
  const rehearsal = controls();
  const certificate = { issuedAt: now - dayMs, nextValidationAt: now, graceUntil: now + dayMs };
  rehearsal.permit = { certificate } as unknown as typeof rehearsal.permit;
  const due = page.getByRole('button', { name: 'To the check-in' });
  await expect.element(due).toHaveAttribute('aria-disabled', 'true');
  const later = page.getByRole('button', { name: 'To the end of grace' });
  await expect.element(later).not.toHaveAttribute('aria-disabled');
});

test('a moment that is typed is gone to once it is whole, at Enter or when the field is left', async () => {
  const rehearsal = controls();
  const field = page.getByLabelText(/^Or set it/);
  field.element().focus();
  const typed = (): number => Date.parse(`${(field.element() as HTMLInputElement).value}Z`);
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(typed()).not.toBe(now);
  expect(rehearsal.now).toBe(now);
  const first = typed();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => rehearsal.now).toBe(first);
  await userEvent.keyboard('{ArrowUp}');
  const second = typed();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.poll(() => rehearsal.now).toBe(second);
  expect(rehearsal.events).toHaveLength(2);
});

test.each([0, 5000])('a field that nobody typed in turns no clock back, at %i ms', async (ms) => {
  const rehearsal = controls();
  const moment = Math.floor(now / 60_000) * 60_000 + ms + 789;
  rehearsal.now = moment;
  page
    .getByLabelText(/^Or set it/)
    .element()
    .focus();
  await userEvent.keyboard('{Enter}{Shift>}{Tab}{/Shift}');
  await nextTick();
  expect(rehearsal.now).toBe(moment);
  expect(rehearsal.events).toEqual([]);
});

test('a date that is over is not struck through: nothing of it was undone', () => {
  const moments = {
    issuedAt: now - dayMs,
    nextValidationAt: now + dayMs,
    graceUntil: now + 2 * dayMs,
  };
  mounting(RehearsalTimeline, { script: {}, messages, props: { moments, now, turns: [] } });
  const issued = document.querySelector('.rehearsal-moments time');
  expect(getComputedStyle(issued ?? document.body).textDecorationLine).toBe('none');
});
