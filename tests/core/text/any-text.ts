import fc from 'fast-check';

const unit = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0, max: 0x2fff }),
  fc.integer({ min: 0, max: 0xffff }),
);

/** Generates any sequence of UTF-16 units, lone surrogates and control characters among them. */
export const anyText: fc.Arbitrary<string> = fc
  .array(unit)
  .map((units) => String.fromCharCode(...units));
