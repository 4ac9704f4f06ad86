import { fileURLToPath } from 'node:url';

import Icons from 'unplugin-icons/vite';

const helper = fileURLToPath(new URL('../../components/ui/icon.ts', import.meta.url));

/** The attributes that `components/ui/base.css` gives every icon. */
const shared = new Set(['fill', 'stroke', 'stroke-linecap', 'stroke-linejoin', 'stroke-width']);

/** Compiles icons to components, each of them a call with what is its own: there are dozens. */
export function icons(): ReturnType<typeof Icons> {
  return Icons({ compiler: { compiler: compileIcon, extension: 'js' } });
}

/** Turns the drawing of an icon into a module. What all icons share is left out. */
export function compileIcon(svg: string): string {
  const parts = [...svg.matchAll(/<(\w+) ([^>]*?)\s*\/>/g)].map(([, tag, attributes = '']) => {
    const own = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
      .map(([, name = '', value]) => [name, value] as const)
      .filter(([name]) => !shared.has(name));
    const { d, ...others } = Object.fromEntries(own);
    const isPath = tag === 'path' && Object.keys(others).length === 0;
    return JSON.stringify(isPath ? d : [tag, Object.fromEntries(own)]);
  });
  return `import { createIcon } from ${JSON.stringify(helper)};
export default /* @__PURE__ */ createIcon(${parts.join()});`;
}
