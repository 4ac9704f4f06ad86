import * as v from 'valibot';

import { omitUndefined } from '#core/omit-undefined';
import { lenientFields } from '#core/seller/lenient-fields';
import type { Purchase } from '#core/seller/purchase';
import { itemSchema } from '#core/seller/read-item';
import { code, moment, optionalMoment, text } from '#core/seller/wire';

/** Reads a purchase (spec section 2, "Purchase"). The fields that a verdict needs must be readable; other unreadable fields are left out. */
export const purchaseSchema = v.pipe(
  v.looseObject({
    purchase_code: code,
    license_type: text,
    item: itemSchema,
    supported_until: optionalMoment,
    date: moment,
  }),
  v.transform((wire): Purchase => {
    const fields = lenientFields(wire);
    const purchase = omitUndefined({
      purchaseCode: wire.purchase_code,
      licenseType: wire.license_type,
      price: fields.amount('price'),
      currency: fields.text('currency'),
      item: wire.item,
      supportedUntil: wire.supported_until ?? undefined,
      downloaded: fields.flag('downloaded'),
      date: wire.date,
    });
    const { unreadable } = fields;
    return unreadable.length === 0 ? purchase : { ...purchase, unreadable };
  }),
);
