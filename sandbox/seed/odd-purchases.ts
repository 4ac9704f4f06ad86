import { day, type SeedPurchase } from '#sandbox/seed/shape';

/** Lists genuine purchases whose codes do not look like a UUID: other sellers' forms. */
export const oddPurchases: readonly SeedPurchase[] = [
  {
    code: '7P6P7G3E2C-9BWGH-9P4X3-AAGFD-Q8BHT6Z6KH',
    item: 2001,
    license: 'Regular',
    bought: day(-28, '21:15:00'),
    supportedUntil: day(154, '21:15:00'),
    downloaded: true,
  },
  {
    code: 'MWJPVDT5SG-7XB8A-TP6BG-37D3E-MN6Q9QG5JN',
    item: 2104,
    license: 'Regular',
    bought: day(-205, '09:26:48'),
    supportedUntil: day(-23, '09:26:48'),
    downloaded: true,
  },
  {
    code: 'LIC-MK9R-YDZS-ED3J-JSTF',
    item: 2010,
    license: 'Regular',
    bought: day(-10, '15:53:14'),
    supportedUntil: day(172, '15:53:14'),
    downloaded: true,
  },
  {
    code: 'CSC-BXHDTZGLJGVN',
    item: 2002,
    license: 'Extended',
    bought: day(-100, '11:29:22'),
    supportedUntil: day(82, '11:29:22'),
    downloaded: true,
  },
  {
    code: 'TBL8DBFL6YQJS8UFHXLGWABL',
    item: 2009,
    license: 'Regular',
    bought: day(-55, '18:15:58'),
    downloaded: true,
  },
  {
    code: 'ZEE99ERU25MDM8Z64USZFMVQL9HJED9P',
    item: 2003,
    license: 'Regular',
    bought: day(-17, '13:54:15'),
    supportedUntil: day(165, '13:54:15'),
    downloaded: false,
  },
  {
    code: 'ADJYXFXA2NUZSDC67NGD9CTW5A7EUSX9GJPA',
    item: 2105,
    license: 'Regular',
    bought: day(-70, '06:40:21'),
    supportedUntil: day(112, '06:40:21'),
    downloaded: true,
  },
];
