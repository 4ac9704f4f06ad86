import * as v from 'valibot';

import type { Account } from '#core/seller/account';
import { omitUndefined } from '#core/omit-undefined';
import { safeUrl } from '#core/seller/safe-url';
import { amount, group, link, optionalMoment, optionalText, pairs, text } from '#core/seller/wire';

/** Spec section 2, "Account" and "Profile". */
export const accountSchema = v.pipe(
  v.object({
    name: group({
      firstname: optionalText,
      lastname: optionalText,
      full_name: optionalText,
    }),
    username: text,
    email: optionalText,
    balance: amount,
    currency: text,
    profile: group({
      heading: optionalText,
      description: optionalText,
      contact: group({ email: optionalText }),
      social_links: pairs,
      media: group({ avatar: link, cover: link }),
    }),
    registered_at: optionalMoment,
  }),
  v.transform((wire): Account =>
    omitUndefined({
      username: wire.username,
      email: wire.email,
      name: { first: wire.name.firstname, last: wire.name.lastname, full: wire.name.full_name },
      balance: wire.balance,
      currency: wire.currency,
      registeredAt: wire.registered_at ?? undefined,
      profile: omitUndefined({
        heading: wire.profile.heading,
        description: wire.profile.description,
        contactEmail: wire.profile.contact.email === '' ? undefined : wire.profile.contact.email,
        socialLinks: wire.profile.social_links.flatMap(([network, value]) => {
          const url = typeof value === 'string' ? safeUrl(value) : undefined;
          return url === undefined ? [] : [{ network, url }];
        }),
        avatar: wire.profile.media.avatar,
        cover: wire.profile.media.cover,
      }),
    }),
  ),
);
