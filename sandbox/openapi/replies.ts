import * as v from 'valibot';

const Link = v.pipe(v.string(), v.url());
const Moment = v.pipe(v.string(), v.isoTimestamp(), v.description('ISO 8601, UTC.'));
const Text = v.string();

/** Spec section 2, "Account". */
const Account = v.pipe(
  v.strictObject({
    name: v.strictObject({ firstname: Text, lastname: Text, full_name: Text }),
    username: Text,
    email: v.pipe(Text, v.email()),
    balance: v.pipe(v.number(), v.description('Decimal amount.')),
    currency: v.pipe(Text, v.description('Currency code.')),
    profile: v.strictObject({
      heading: Text,
      description: Text,
      contact: v.strictObject({ email: Text }),
      social_links: v.pipe(
        v.record(v.string(), v.string()),
        v.description('Network name to link; the set of names is open.'),
      ),
      media: v.strictObject({ avatar: Link, cover: Link }),
    }),
    registered_at: Moment,
  }),
  v.title('Account'),
);

/** Spec section 2, "Item" and "Item media". */
const Item = v.pipe(
  v.strictObject({
    id: v.pipe(v.number(), v.integer()),
    name: Text,
    description: Text,
    category: Text,
    sub_category: Text,
    options: v.array(Text),
    version: v.pipe(Text, v.regex(/^\d+\.\d+\.\d+$/)),
    demo_link: Link,
    tags: v.array(Text),
    media: v.strictObject({
      thumbnail: Link,
      preview_image: v.optional(v.pipe(Link, v.description('Omitted for audio items.'))),
      preview_video: v.optional(v.pipe(Link, v.description('Only for video items.'))),
      preview_audio: v.optional(v.pipe(Link, v.description('Only for audio items.'))),
      screenshots: v.optional(
        v.pipe(v.array(Link), v.description('Only when the item has screenshots.')),
      ),
    }),
    price: v.strictObject({ regular: v.number(), extended: v.number() }),
    currency: Text,
    published_at: Moment,
  }),
  v.title('Item'),
);

/** Spec section 2, "Purchase". */
const Purchase = v.pipe(
  v.strictObject({
    purchase_code: Text,
    license_type: v.pipe(Text, v.description('A license tier name; the set is open.')),
    price: v.number(),
    currency: Text,
    item: Item,
    supported_until: v.optional(
      v.pipe(
        Text,
        v.isoTimestamp(),
        v.description('Omitted when support is disabled or was not bought.'),
      ),
    ),
    downloaded: v.boolean(),
    date: Moment,
  }),
  v.title('Purchase'),
);

const success = v.literal('success');
export const AccountReply = v.strictObject({ status: success, data: Account });
export const ItemsReply = v.strictObject({ status: success, items: v.array(Item) });
export const ItemReply = v.strictObject({ status: success, item: Item });
export const PurchaseReply = v.strictObject({
  status: success,
  data: v.strictObject({ purchase: Purchase }),
});

/** Describes what the POST of a purchase code carries: the key and the code. */
export const PurchaseRequest = v.pipe(
  v.object({
    api_key: v.pipe(v.string(), v.nonEmpty()),
    purchase_code: v.pipe(v.string(), v.nonEmpty()),
  }),
  v.title('Purchase validation'),
);

/** Spec section 2, "Activation certificate", in each of its encodings. */
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
  status: success,
  activation_certificate: Certificate,
});

export const IssueReply = v.strictObject({
  status: success,
  license_id: v.string(),
  license: v.string(),
});

export const RevokeReply = v.strictObject({
  status: success,
  license_id: v.string(),
  revoked_at: v.pipe(Text, v.isoTimestamp()),
});

/** Describes the body of every error that the authority answers itself. */
export const ErrorReply = v.pipe(
  v.strictObject({ status: v.literal('error'), msg: v.pipe(v.string(), v.nonEmpty()) }),
  v.title('Error'),
);
