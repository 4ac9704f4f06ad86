import type { Formats } from '#components/formats';
import { isolated } from '#core/text/isolate';
import { visibleText } from '#core/text/visible-text';
import type { Facts } from '#core/license/inspect/inspection';

/**
 * Returns the values a sentence is filled with. A moment (`nextValidationAt`) is given as a day, or with its hour when it is near; as
 * `nextValidationAtAgo` ("in 3 days", "3 days ago"); and exactly, as `nextValidationAtUtc`, isolated. Text from a file shows what is not drawn.
 * @param moment what "ago" counts from, epoch milliseconds
 */
export function fillOf(
  data: Facts,
  moment: number,
  formats: Formats,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, string | number][] => {
      if (typeof value === 'string') return [[name, visibleText(value)]];
      if (!/(?:At|Until)$|^(?:since|now|latestSeen)$/u.test(name)) return [[name, value]];
      return [
        [name, formats.nearDate(value, moment)],
        [`${name}Ago`, formats.relative(value, moment)],
        [`${name}Utc`, isolated(formats.utc(value))],
      ];
    }),
  );
}
