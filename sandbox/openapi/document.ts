import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

import { IssueRequest, ReceivedLicenseRequest, RevokeRequest } from '#sandbox/authority/requests';

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
const AccountReply = v.strictObject({ status: success, data: Account });
const ItemsReply = v.strictObject({ status: success, items: v.array(Item) });
const ItemReply = v.strictObject({ status: success, item: Item });
const PurchaseReply = v.strictObject({
  status: success,
  data: v.strictObject({ purchase: Purchase }),
});

/** Describes what the POST of a purchase code carries: the key and the code. */
const PurchaseRequest = v.pipe(
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

/** The reply to a successful activate or validate. */
const CertificateReply = v.strictObject({
  status: success,
  activation_certificate: Certificate,
});

const IssueReply = v.strictObject({
  status: success,
  license_id: v.string(),
  license: v.string(),
});

const RevokeReply = v.strictObject({
  status: success,
  license_id: v.string(),
  revoked_at: v.pipe(Text, v.isoTimestamp()),
});

/** Describes the body of every error that the authority answers itself. */
const ErrorReply = v.pipe(
  v.strictObject({ status: v.literal('error'), msg: v.pipe(v.string(), v.nonEmpty()) }),
  v.title('Error'),
);

interface Operation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly half: 'seller' | 'authority';
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { name: string; description: string; schema: JsonSchema }[];
  readonly security: 'apiKey' | 'marketplace' | 'administrator' | 'none';
  readonly request?: { readonly schema: v.GenericSchema; readonly types: readonly string[] };
  readonly reply: v.GenericSchema;
  /** Status → what it means. */
  readonly errors: Readonly<Record<string, string>>;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

const json = ['application/json'];
const badBody = {
  413: 'The body is larger than 32 KiB.',
  415: 'The body is not declared as application/json.',
  422: 'The body lacks a field, or one is not in its form.',
};

/** The eight endpoints of spec section 4. */
export const operations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/account/details',
    half: 'seller',
    summary: 'The account tied to the API key',
    security: 'apiKey',
    reply: AccountReply,
    errors: { default: '“Invalid request”: the API key is missing or wrong.' },
  },
  {
    method: 'get',
    path: '/api/items/all',
    half: 'seller',
    summary: 'All items tied to the API key',
    security: 'apiKey',
    reply: ItemsReply,
    errors: {
      default: '“No items found”: the account has none, or the API key is missing or wrong.',
    },
  },
  {
    method: 'get',
    path: '/api/items/item',
    half: 'seller',
    summary: 'One item',
    parameters: [{ name: 'item_id', description: 'Id of the item.', schema: { type: 'integer' } }],
    security: 'apiKey',
    reply: ItemReply,
    errors: {
      default:
        '“Item Not Found”: the account has no such item, or the API key is missing or wrong.',
    },
  },
  {
    method: 'post',
    path: '/api/purchases/validation',
    half: 'seller',
    summary: 'Validate a purchase code',
    security: 'apiKey',
    request: {
      schema: PurchaseRequest,
      types: ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'],
    },
    reply: PurchaseReply,
    errors: {
      default:
        '“Invalid purchase code”: the account has no such purchase, or the API key is missing or wrong.',
    },
  },
  {
    method: 'post',
    path: '/api/license/v1/activate',
    half: 'authority',
    summary: 'First activation, which binds the license to a domain and an installation',
    description: 'The same installation activating again gets a fresh certificate.',
    security: 'none',
    request: { schema: ReceivedLicenseRequest, types: json },
    reply: CertificateReply,
    errors: {
      403: 'Refused: forged, for another product or domain, expired or revoked.',
      409: 'Refused: bound to another domain or installation.',
      ...badBody,
    },
  },
  {
    method: 'post',
    path: '/api/license/v1/validate',
    half: 'authority',
    summary: 'Periodic entitlement and revocation check',
    description: '`installation_id` must equal the one used at activation.',
    security: 'none',
    request: { schema: ReceivedLicenseRequest, types: json },
    reply: CertificateReply,
    errors: {
      403: 'Refused: forged, never activated, for another product or domain, expired or revoked.',
      409: 'Refused: bound to another domain or installation.',
      ...badBody,
    },
  },
  {
    method: 'post',
    path: '/api/license/v1/issue',
    half: 'authority',
    summary: 'Issue a license (marketplace only; buyer installations must never call it)',
    security: 'marketplace',
    request: { schema: IssueRequest, types: json },
    reply: IssueReply,
    errors: { 401: 'No bearer token.', 403: 'Not the marketplace’s token.', ...badBody },
  },
  {
    method: 'post',
    path: '/api/license/v1/revoke',
    half: 'authority',
    summary: 'Revoke a license (administrators only)',
    security: 'administrator',
    request: { schema: RevokeRequest, types: json },
    reply: RevokeReply,
    errors: {
      401: 'No bearer token.',
      403: 'Not the administrator’s token.',
      404: 'No such license.',
      ...badBody,
    },
  },
];

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'A GET carries it in the query; the POST in its body.',
  },
  marketplace: { type: 'http', scheme: 'bearer', description: 'The marketplace’s token.' },
  administrator: { type: 'http', scheme: 'bearer', description: 'The administrator’s token.' },
};

/**
 * Describes the whole service in OpenAPI 3.1, from the schemas that the code itself uses.
 * @param servers the base addresses of the seller API, and the authority's
 */
export function openApiDocument(
  servers: Readonly<Record<Operation['half'], readonly string[]>>,
): object {
  const paths = operations.map((operation): [path: string, described: object] => [
    operation.path,
    {
      servers: servers[operation.half].map((url) => ({ url })),
      [operation.method]: describe(operation),
    },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marketplace seller API and hybrid licensing API',
      version: '1',
      description: 'As the sandbox serves them: four seller endpoints, four licensing endpoints.',
    },
    servers: servers.authority.map((url) => ({ url })),
    paths: Object.fromEntries(paths),
    components: { securitySchemes, schemas: { Error: schemaOf(ErrorReply) } },
  };
}

function describe(operation: Operation): object {
  const { summary, description, parameters = [], security, request, reply, errors } = operation;
  const keyInBody = request !== undefined;
  return {
    operationId: operation.path.split('/').slice(2).join('-'),
    tags: [operation.half === 'seller' ? 'Seller API' : 'Licensing API'],
    summary,
    ...(description === undefined ? {} : { description }),
    security:
      security === 'none' || (security === 'apiKey' && keyInBody) ? [] : [{ [security]: [] }],
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((one) => ({ ...one, in: 'query', required: true })) }),
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: content(schemaOf(request.schema), request.types),
          },
        }),
    responses: {
      200: { description: 'Success', content: content(schemaOf(reply), json) },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, meaning]) => [
          status,
          { description: meaning, content: content({ $ref: '#/components/schemas/Error' }, json) },
        ]),
      ),
    },
  };
}

function content(schema: JsonSchema, types: readonly string[]): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/**
 * Translates what a schema takes into the dialect of OpenAPI 3.1.
 * @throws on a schema or a validation without a counterpart there, since an incomplete description would be wrong
 */
function schemaOf(schema: v.GenericSchema): JsonSchema {
  const translated = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['to_lower_case'],
  });
  // The OpenAPI document already states the dialect of its schemas.
  delete translated.$schema;
  return translated;
}
