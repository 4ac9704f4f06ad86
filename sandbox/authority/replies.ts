import * as v from 'valibot';

const Certificate = v.pipe(
  v.union([
    v.pipe(v.string(), v.nonEmpty(), v.description('Envelope or compact JWS.')),
    v.pipe(
      v.strictObject({ payload: v.string(), signature: v.string() }),
      v.description('Two base64url members.'),
    ),
    v.pipe(
      v.looseObject({
        domain: v.string(),
        installation_id: v.string(),
        next_validation_at: v.union([v.string(), v.number()]),
        grace_until: v.union([v.string(), v.number()]),
        signature: v.string(),
      }),
      v.description('Claims with a signature over their RFC 8785 form.'),
    ),
  ]),
  v.title('Activation certificate'),
  v.description(
    'Signed by the authority. Holds the bound domain, the installation id, next_validation_at and grace_until.',
  ),
);

/** Describes the reply to a successful activate or validate. */
export const CertificateReply = v.strictObject({
  status: v.literal('success'),
  activation_certificate: Certificate,
});

export const IssueReply = v.strictObject({
  status: v.literal('success'),
  license_id: v.string(),
  license: v.string(),
});

export const RevokeReply = v.strictObject({
  status: v.literal('success'),
  license_id: v.string(),
  revoked_at: v.pipe(v.string(), v.isoTimestamp()),
});

/** Describes the body of every error that the authority answers itself. */
export const ErrorReply = v.pipe(
  v.strictObject({ status: v.literal('error'), msg: v.pipe(v.string(), v.nonEmpty()) }),
  v.title('Error'),
);
