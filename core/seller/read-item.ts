import * as v from 'valibot';

import { omitUndefined } from '#core/omit-undefined';
import type { Item } from '#core/seller/item';
import { lenientFields } from '#core/seller/lenient-fields';
import { identifier, text } from '#core/seller/wire';

/** Reads an item (spec section 2, "Item" and "Item media"). Only its id and name must be readable. */
export const itemSchema = v.pipe(
  v.looseObject({ id: identifier, name: text }),
  v.transform((wire): Item => {
    const fields = lenientFields(wire);
    const media = fields.within('media');
    const price = fields.within('price');
    const item = omitUndefined({
      id: wire.id,
      name: wire.name,
      description: fields.text('description'),
      category: fields.text('category'),
      subCategory: fields.text('sub_category'),
      options: fields.texts('options'),
      version: fields.text('version'),
      demoLink: fields.link('demo_link'),
      tags: fields.texts('tags'),
      media: omitUndefined({
        thumbnail: media.link('thumbnail'),
        previewImage: media.link('preview_image'),
        previewVideo: media.link('preview_video'),
        previewAudio: media.link('preview_audio'),
        screenshots: media.links('screenshots'),
      }),
      price: omitUndefined({
        regular: price.amount('regular'),
        extended: price.amount('extended'),
      }),
      currency: fields.text('currency'),
      publishedAt: fields.moment('published_at'),
    });
    const { unreadable } = fields;
    return unreadable.length === 0 ? item : { ...item, unreadable };
  }),
);
