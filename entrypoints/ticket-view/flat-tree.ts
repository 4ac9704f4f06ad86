/** Returns the element around a node, out of shadow trees as well. */
export function parentOf({ parentNode }: Node): Element | null {
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return parentNode instanceof Element ? parentNode : null;
}

/** Tells whether a node lies in an element or in a shadow tree in it, or is the element itself. */
export function isWithin(element: Element, node: Node): boolean {
  for (let each: Node | null = node; each !== null; each = parentOf(each))
    if (each === element) return true;
  return false;
}
