import * as v from 'valibot';

import { authorityBounds, authorityFields, authorityIdSchema } from '#core/authority/authority';
import type { LicenseRequest } from '#core/installation/ports';
import { licenseLimitBytes } from '#core/license/document/document';
import { parseInstallationId } from '#core/license/document/installation-id';
import type { AuthorityCall, AuthorityDraft, AuthorityProtocol } from '#messaging/topics/authority';
import { boundedText, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import { optionsPage, verifierPage } from '#messaging/senders';

const id = authorityIdSchema;

const authorityDraftSchema: v.GenericSchema<unknown, AuthorityDraft> = v.strictObject({
  id: v.exactOptional(id),
  ...authorityFields,
  controlToken: v.exactOptional(boundedText(authorityBounds.controlToken)),
});

const licenseRequestSchema: v.GenericSchema<unknown, LicenseRequest> = v.strictObject({
  license: boundedText(licenseLimitBytes),
  domain: boundedText(253),
  productSlug: boundedText(200),
  installationId: v.pipe(
    v.string(),
    v.check((text) => parseInstallationId(text) === text),
  ),
});

export const authorityCallSchema: v.GenericSchema<unknown, AuthorityCall> = v.strictObject({
  authorityId: id,
  request: licenseRequestSchema,
});

export const authorityRules: RulesOf<AuthorityProtocol> = {
  'authorities.list': { from: [...optionsPage, 'verifier'], body: noBody },
  'authorities.save': { from: optionsPage, body: authorityDraftSchema },
  'authorities.set-control': {
    from: [...optionsPage, 'verifier'],
    body: v.strictObject({ id, token: boundedText(authorityBounds.controlToken) }),
  },
  'authorities.delete': { from: optionsPage, body: v.strictObject({ id }) },
  'authorities.restore': { from: optionsPage, body: v.strictObject({ id }) },
  // A license reaches the worker for this call and the rehearsal's alone.
  'authority.validate': { from: verifierPage, body: authorityCallSchema },
};
