import * as v from 'valibot';

import { omitUndefined } from '#core/omit-undefined';
import type { Purchase } from '#core/seller/purchase';
import { itemSchema } from '#core/seller/read-item';
import { amount, code, flag, moment, optionalMoment, text } from '#core/seller/wire';

/** Spec section 2, "Purchase". */
export const purchaseSchema = v.pipe(
  v.object({
    purchase_code: code,
    license_type: text,
    price: amount,
    currency: text,
    item: itemSchema,
    supported_until: optionalMoment,
    downloaded: flag,
    date: moment,
  }),
  v.transform((wire): Purchase =>
    omitUndefined({
      purchaseCode: wire.purchase_code,
      licenseType: wire.license_type,
      price: wire.price,
      currency: wire.currency,
      item: wire.item,
      supportedUntil: wire.supported_until ?? undefined,
      downloaded: wire.downloaded,
      date: wire.date,
    }),
  ),
);
