import { parseSync, Visitor } from 'oxc-parser';

/** Properties that people read or hear, of elements and of our own components. */
const spoken =
  /^(alt|title|placeholder|label|heading|lead|note|hint|caption|summary|description|question|answer|button|aria-(label|description|roledescription|valuetext|placeholder))$/;
const letters = /\p{L}{2}/u;

type Node = { type: string } & Record<string, unknown>;

/** Literals that an expression can turn out to be: `a ? 'Yes' : 'No'`, `name || 'No name'`. */
function literalsOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  if (node.type === 'ConditionalExpression')
    return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)];
  if (node.type === 'LogicalExpression')
    return [...literalsOf(node.left as Node), ...literalsOf(node.right as Node)];
  if (node.type === 'JSXExpressionContainer') return literalsOf(node.expression as Node);
  return [];
}

/**
 * Texts that a component shows as they are in the code, in English in every language: in an element, or in a property that people read. Texts belong in
 * `t` or `<Trans>` (ADR 227).
 */
export function textsInCode(filename: string, code: string): string[] {
  const found: string[] = [];
  let marked = 0;
  const note = (texts: readonly string[]) => {
    if (marked === 0) found.push(...texts.map((text) => text.trim()).filter((text) => letters.test(text)));
  };
  const isMarked = (node: Node) => (node.openingElement as { name: { name?: string } }).name.name === 'Trans';
  new Visitor({
    JSXElement(node) {
      const element = node as unknown as Node;
      for (const child of element.children as Node[])
        if (child.type === 'JSXExpressionContainer' && !isMarked(element)) note(literalsOf(child));
      if (isMarked(element)) marked += 1;
    },
    'JSXElement:exit'(node) {
      if (isMarked(node as unknown as Node)) marked -= 1;
    },
    JSXText(node) {
      note([node.value]);
    },
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && spoken.test(name.name) && value)
        note(literalsOf(value as unknown as Node));
    },
  }).visit(parseSync(filename, code).program);
  return found;
}
