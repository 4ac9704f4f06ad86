import { type FunctionalComponent, h } from 'vue';

/** One element of an icon: the `d` of a path, or a tag with its attributes. */
type IconPart = string | readonly [tag: string, attributes: Readonly<Record<string, string>>];

/** Creates a Lucide icon; the build turns each icon into a call of this (`scripts/build/icons.ts`). */
export function createIcon(...parts: readonly IconPart[]): FunctionalComponent {
  return (attributes) =>
    h(
      'svg',
      { viewBox: '0 0 24 24', width: '1.2em', height: '1.2em', ...attributes },
      parts.map((part) => (typeof part === 'string' ? h('path', { d: part }) : h(...part))),
    );
}
