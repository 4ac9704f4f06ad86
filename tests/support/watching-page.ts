/** Watches everything that a page may be told; runs in the page before its content. */
export function watchEverything(): void {
  const seen: string[] = [];
  Object.assign(globalThis, { seen });
  const rectOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
    [x, y, width, height].map((value) => value.toFixed(1)).join(' ');
  for (const type of PerformanceObserver.supportedEntryTypes) {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { size, element, sources, identifier } = entry as PerformanceEntry & {
          readonly size?: number;
          readonly element?: Element | null;
          readonly identifier?: string;
          readonly sources?: readonly {
            readonly previousRect: DOMRectReadOnly;
            readonly currentRect: DOMRectReadOnly;
          }[];
        };
        const rects = sources?.map(
          (one) => `${rectOf(one.previousRect)} > ${rectOf(one.currentRect)}`,
        );
        // An element of the page's own is no news to it. How often something was painted or ran is the same for every
        // verdict, when it was is not.
        const isPaint = type === 'largest-contentful-paint' && element === null;
        if (isPaint || rects !== undefined || identifier !== undefined)
          seen.push([type, size, element?.tagName, identifier, ...(rects ?? [])].join(' '));
      }
    }).observe({ type, buffered: true });
  }
}

/** Measures all that a page can measure of the chips beside its codes; runs in the page. */
export function measureEverything(): string[] {
  const { seen } = globalThis as unknown as { readonly seen: readonly string[] };
  const host = document.documentElement.lastElementChild;
  const hits: string[] = [];
  for (let y = 0; y < 400; y += 8) {
    let row = '';
    for (let x = 0; x < 1280; x += 8) row += document.elementFromPoint(x, y) === host ? '#' : '.';
    hits.push(row);
  }
  getSelection()?.selectAllChildren(document.documentElement);
  const selected = getSelection()?.toString() ?? '';
  getSelection()?.removeAllRanges();
  const { scrollWidth, scrollHeight } = document.documentElement;
  const rects = [...(host?.getClientRects() ?? [])].map(
    ({ width, height }) => `${String(width)} ${String(height)}`,
  );
  return [
    ...seen,
    ...hits,
    selected.replaceAll(/[0-9a-f-]{36}/g, 'code'),
    String(scrollWidth),
    String(scrollHeight),
    ...rects,
  ];
}
