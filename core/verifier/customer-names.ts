import type { Inspection } from '#core/license/inspect/inspection';

/**
 * Lists what documents name of the customer whose they are: licenses, installations and domains, genuine or not. Documents that
 * share one of these names are taken for one customer's.
 */
export function customerNamesOf(inspections: readonly Inspection[]): Set<string> {
  return new Set(
    inspections.flatMap(({ license, certificate, stated }) => {
      const [licensed, certified] = [license?.says, certificate?.says];
      return Object.entries({
        license: [licensed?.licenseId, certified?.licenseId],
        installation: [certified?.installationId, stated.installationId],
        domain: [licensed?.domain, certified?.domain, stated.domain],
      }).flatMap(([kind, names]) =>
        names.flatMap((name) => (name === undefined ? [] : [`${kind} ${name.toLowerCase()}`])),
      );
    }),
  );
}
