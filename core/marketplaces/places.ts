import { matchShape, parseCodePattern } from '#core/check/code-shape';
import type { Connection } from '#core/connections/connection';
import { envatoPlace } from '#core/marketplaces/envato';
import { gumroadPlace } from '#core/marketplaces/gumroad';
import { lemonSqueezyPlace } from '#core/marketplaces/lemon-squeezy';
import type { Place } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

/** Says of each marketplace what a page must know before it is asked. */
const places: Readonly<Record<MarketplaceId, Place>> = {
  envato: envatoPlace,
  gumroad: gumroadPlace,
  'lemon-squeezy': lemonSqueezyPlace,
};

type Asked = Pick<Connection, 'marketplace' | 'dialect'>;

/** Returns the patterns by which codes of these connections are found in a text, beside the common form. */
export function codePatternsOf(connections: readonly Asked[]): string[] {
  const patterns = connections.flatMap(({ marketplace, dialect }) => [
    ...(dialect.codePattern === undefined ? [] : [dialect.codePattern]),
    ...(marketplace === undefined ? [] : [places[marketplace].codeForm]),
  ]);
  return [...new Set(patterns)];
}

/**
 * Returns the connections that a code is asked at: those whose codes may have its form, dashes and O for 0 apart. Where it fits
 * none, all are asked, since it may be mistyped.
 */
export function connectionsFor<C extends Asked>(code: string, connections: readonly C[]): C[] {
  const fitting = connections.filter(({ marketplace, dialect }) => {
    if (marketplace === undefined) return true;
    const { codePattern } = dialect;
    return [places[marketplace].codeForm, codePattern].some(
      (form) => form !== undefined && fits(code.replaceAll(/o/giu, '0'), form),
    );
  });
  return fitting.length === 0 ? [...connections] : fitting;
}

function fits(code: string, form: string): boolean {
  const hasDashes = code.includes('-');
  const shape = parseCodePattern(hasDashes ? form : form.replaceAll('-', ''));
  return shape.ok && matchShape(shape.value, code, 0)?.end === code.length;
}
