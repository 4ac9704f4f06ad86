import * as v from 'valibot';

import { omitUndefined } from '#core/omit-undefined';
import type { Account } from '#core/seller/account';
import { lenientFields } from '#core/seller/lenient-fields';
import { isRecord } from '#core/seller/wire';
import { safeUrl } from '#core/seller/safe-url';

const known = ['username', 'name', 'email', 'balance', 'currency', 'profile', 'registered_at'];

/**
 * Reads an account (spec section 2, "Account" and "Profile"). All fields are optional, since a relay may leave some out, but one
 * known field must be present so that another kind of answer is not read as an account.
 */
export const accountSchema = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => isRecord(value) && known.some((name) => Object.hasOwn(value, name)),
  ),
  v.transform((wire): Account => {
    const fields = lenientFields(wire);
    const name = fields.within('name');
    const profile = fields.within('profile');
    const media = profile.within('media');
    const contactEmail = profile.within('contact').text('email');
    const account = omitUndefined({
      username: fields.text('username'),
      email: fields.text('email'),
      name: {
        first: name.text('firstname'),
        last: name.text('lastname'),
        full: name.text('full_name'),
      },
      balance: fields.amount('balance'),
      currency: fields.text('currency'),
      registeredAt: fields.moment('registered_at'),
      profile: omitUndefined({
        heading: profile.text('heading'),
        description: profile.text('description'),
        contactEmail: contactEmail === '' ? undefined : contactEmail,
        socialLinks: profile.pairs('social_links').flatMap(([network, value]) => {
          const url = safeUrl(value);
          return url === undefined ? [] : [{ network, url }];
        }),
        avatar: media.link('avatar'),
        cover: media.link('cover'),
      }),
    });
    const { unreadable } = fields;
    return unreadable.length === 0 ? account : { ...account, unreadable };
  }),
);
