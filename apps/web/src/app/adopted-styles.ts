/**
 * Ionic puts the styles of its components without a shadow root into the head as `<style>` elements, which the content security policy refuses
 * (`style-src 'self'`). The same text as a constructed style sheet needs neither 'unsafe-inline' nor a nonce, so the page stays a plain file.
 * Must run before the first Ionic component renders.
 */
export function adoptHeadStyles(head: HTMLHeadElement = document.head): void {
  const insert = head.insertBefore.bind(head);
  head.insertBefore = <Inserted extends Node>(node: Inserted, before: Node | null): Inserted => {
    if (!(node instanceof HTMLStyleElement)) return insert(node, before);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(node.textContent ?? '');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return node;
  };
}
