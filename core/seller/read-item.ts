import * as v from 'valibot';

import type { Item } from '#core/seller/item';
import { omitUndefined } from '#core/omit-undefined';
import {
  amount,
  group,
  identifier,
  link,
  linkList,
  optionalMoment,
  optionalText,
  text,
  textList,
} from '#core/seller/wire';

/** Spec section 2, "Item" and "Item media". */
export const itemSchema = v.pipe(
  v.object({
    id: identifier,
    name: text,
    description: optionalText,
    category: optionalText,
    sub_category: optionalText,
    options: textList,
    version: optionalText,
    demo_link: link,
    tags: textList,
    media: group({
      thumbnail: link,
      preview_image: link,
      preview_video: link,
      preview_audio: link,
      screenshots: linkList,
    }),
    price: v.object({ regular: amount, extended: amount }),
    currency: text,
    published_at: optionalMoment,
  }),
  v.transform((wire): Item =>
    omitUndefined({
      id: wire.id,
      name: wire.name,
      description: wire.description,
      category: wire.category,
      subCategory: wire.sub_category,
      options: wire.options,
      version: wire.version,
      demoLink: wire.demo_link,
      tags: wire.tags,
      media: omitUndefined({
        thumbnail: wire.media.thumbnail,
        previewImage: wire.media.preview_image,
        previewVideo: wire.media.preview_video,
        previewAudio: wire.media.preview_audio,
        screenshots: wire.media.screenshots,
      }),
      price: wire.price,
      currency: wire.currency,
      publishedAt: wire.published_at ?? undefined,
    }),
  ),
);
