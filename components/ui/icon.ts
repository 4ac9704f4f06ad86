import { type FunctionalComponent, h } from 'vue';

/** An element of an icon: the `d` of a path, or else its name and attributes. */
type IconPart = string | readonly [tag: string, attributes: Readonly<Record<string, string>>];

/** Creates an icon of Lucide; the build makes a call of this from each (`scripts/build/icons.ts`). */
export function createIcon(...parts: readonly IconPart[]): FunctionalComponent {
  return (attributes) =>
    h(
      'svg',
      { viewBox: '0 0 24 24', width: '1.2em', height: '1.2em', ...attributes },
      parts.map((part) => (typeof part === 'string' ? h('path', { d: part }) : h(...part))),
    );
}
