/** A component's own markup and styles. */
export interface View {
  readonly file: string;
  readonly template: string;
  readonly styles: readonly { readonly scoped: boolean; readonly content: string }[];
}

/** Returns the classes that the selectors of a style sheet name. */
function styledClasses(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]*)\{/g);
  return new Set(
    [...selectors].flatMap(([, selector = '']) =>
      [...selector.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  );
}

/** Returns the classes that a template gives its elements; those of an expression as far as they stand in it. */
function usedClasses(template: string): Set<string> {
  const fixed = [...template.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(/\s+/),
  );
  const bound = [...template.matchAll(/:class="([^"]*)"/g)].flatMap(([, expression = '']) =>
    [...expression.matchAll(/'([\w -]+)'|[{,]\s*(\w+)\s*(?=[:,}])/g)].flatMap(
      ([, quoted, key]) => quoted?.split(' ') ?? key ?? [],
    ),
  );
  return new Set([...fixed, ...bound].filter((name) => name !== ''));
}

/** Names each style and class that reaches beyond its component. */
export function styleProblems(views: readonly View[], sharedCss: string): string[] {
  const shared = styledClasses(sharedCss);
  const parts = views.map(({ file, template, styles }) => ({
    file,
    template,
    styles,
    used: usedClasses(template),
    styled: styledClasses(styles.map(({ content }) => content).join('\n')),
  }));
  return parts.flatMap(({ file, template, styles, used, styled }) => [
    ...styles.filter(({ scoped }) => !scoped).map(() => `${file}: a style without "scoped"`),
    ...styles
      .filter(({ content }) => /:deep\(|:global\(/.test(content))
      .map(() => `${file}: reaches into other components`),
    ...[...styled]
      .filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(template))
      .map((name) => `${file}: styles .${name}, which its own template does not have`),
    ...[...used]
      .filter((name) => !styled.has(name) && !shared.has(name))
      .filter((name) => parts.some((other) => other.styled.has(name)))
      .map((name) => `${file}: uses .${name}, which only another component styles`),
  ]);
}
