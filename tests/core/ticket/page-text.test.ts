import { describe, expect, it } from 'vitest';

import { planInput } from '#core/ticket/page-text';
import { sampleCodes } from '#sandbox/seed/sample-codes';

const { supported, lapsed } = sampleCodes('/demo');
const elsewhere = { allowed: false, selectionAtOnce: true, patterns: [] };
const onSite = { ...elsewhere, allowed: true };
const many = Array.from({ length: 80 }, (_, index) =>
  supported.replace(/^../, (index + 16).toString(16)),
);

describe('what is selected', () => {
  it('is asked about at once when it is one code, wherever the agent is', () => {
    const reading = { selection: ` Code: ${supported}. `, text: '' };
    expect(planInput(reading, elsewhere)).toEqual({ kind: 'fill', text: supported, atOnce: true });
  });

  it('waits for Enter when the agent has said so', () => {
    const reading = { selection: supported, text: '' };
    const terms = { ...elsewhere, selectionAtOnce: false };
    expect(planInput(reading, terms)).toMatchObject({ atOnce: false });
  });

  it('waits for Enter when it holds several codes, unless the site is allowed', () => {
    const reading = { selection: `${supported}\n${lapsed}`, text: '' };
    const fill = { kind: 'fill', text: `${supported}\n${lapsed}` };
    expect(planInput(reading, elsewhere)).toEqual({ ...fill, atOnce: false });
    expect(planInput(reading, onSite)).toEqual({ ...fill, atOnce: true });
  });

  it('is offered but never sent by itself when it is one odd word', () => {
    const reading = { selection: 'Schmidt-2024x', text: '' };
    expect(planInput(reading, onSite)).toEqual({
      kind: 'fill',
      text: 'Schmidt-2024x',
      atOnce: false,
    });
  });

  it('goes to the verifier when it is a license', () => {
    const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;
    expect(planInput({ selection: license, text: '' }, elsewhere).kind).toBe('license');
  });

  it('is too long at 5 MB', () => {
    const selection = 'x '.repeat(2_500_000);
    expect(planInput({ selection, text: '' }, elsewhere)).toEqual({ kind: 'too-long' });
  });
});

describe('what merely stands on the page', () => {
  it('waits for Enter, unless the site is allowed', () => {
    const reading = { selection: '', text: `Hello ${supported} and ${lapsed}` };
    expect(planInput(reading, elsewhere)).toMatchObject({ kind: 'fill', atOnce: false });
    expect(planInput(reading, onSite)).toMatchObject({ kind: 'fill', atOnce: true });
  });

  it('waits for Enter on an allowed site as well when it would cost many requests', () => {
    const plan = planInput({ selection: '', text: many.join('\n') }, onSite);
    expect(plan).toMatchObject({ kind: 'fill', atOnce: false });
    expect(plan.kind === 'fill' && plan.text.split('\n')).toHaveLength(50);
  });

  it('is offered when words without a code are selected', () => {
    const reading = { selection: 'please have a look at this', text: supported };
    expect(planInput(reading, elsewhere)).toMatchObject({ text: supported, atOnce: false });
  });

  it('is a license where there is no code, and it takes no selection', () => {
    const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;
    const text = `My license: ${license}`;
    for (const terms of [elsewhere, onSite])
      expect(planInput({ selection: '', text }, terms)).toEqual({
        kind: 'license-on-page',
        text: license,
      });
    const both = { selection: '', text: `${text}, my code: ${supported}` };
    expect(planInput(both, elsewhere)).toMatchObject({ kind: 'fill', text: supported });
  });

  it('is what is nearly a code, which waits for Enter', () => {
    const near = '8f14e45f-ceea-767f-9575-28c4dd4bb4aO';
    expect(planInput({ selection: '', text: `Purchase code: ${near}` }, onSite)).toEqual({
      kind: 'fill',
      text: near,
      atOnce: false,
    });
  });

  it('is nothing where there is no code', () => {
    expect(planInput({ selection: '', text: 'Hello' }, onSite)).toEqual({ kind: 'nothing' });
  });
});
