/**
 * Reads a property of an element. A form's fields hide its members with the same name, even from our scripts, so
 * properties are never read directly from an element of a page. Methods are called on the prototype for the same
 * reason, as in `Element.prototype.closest.call(element, selector)`.
 */
export function memberOf<K extends keyof Element>(element: Element, name: K): Element[K] {
  return Reflect.get(Element.prototype, name, element);
}

/** Returns the rectangle of an element in the viewport. */
export function rectOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

/** Returns the element around a node, also across shadow trees. */
export function parentOf(node: Node): Element | null {
  const parentNode = Reflect.get(Node.prototype, 'parentNode', node);
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return parentNode instanceof Element ? parentNode : null;
}

/** Tells whether a node is an element itself, or inside it or a shadow tree in it. */
export function isWithin(element: Element, node: Node): boolean {
  for (let each: Node | null = node; each !== null; each = parentOf(each))
    if (each === element) return true;
  return false;
}
