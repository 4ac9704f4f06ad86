import { readMoment } from '#core/license/document/document';
import type { JsonObject, JsonValue } from '#core/license/encoding/strict-json';

export interface ClaimRow {
  readonly name: string;
  readonly value: string;
  /** Epoch milliseconds, where the claim is a date by its name and can be read. */
  readonly moment?: number;
}

/** Names that say "a moment": `issued_at`, `grace_until`, `exp` and the like. */
const momentName = /(?:_at|_until|_on|_date)$|^(?:iat|exp|nbf)$/u;

/** Lists a payload's members as rows, in their order. */
export function claimRows(claims: JsonObject): ClaimRow[] {
  return Object.entries(claims).map(([name, value]) => {
    const read = momentName.test(name) ? readMoment(value) : undefined;
    return {
      name,
      value: textOf(value),
      ...(read?.ok === true && { moment: read.value }),
    };
  });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
