import { parseSync, Visitor } from 'oxc-parser';

/** Attributes and component properties whose values people read or hear. */
const textAttribute =
  /^(alt|title|placeholder|label|heading|lead|note|hint|caption|summary|description|question|answer|button|aria-(label|description|roledescription|valuetext|placeholder))$/;
/** The same in objects: options, alerts, mails. */
const spokenKey =
  /^(title|label|heading|lead|note|hint|caption|summary|text|body|message|placeholder|subject|footnote)$/;
/** Calls whose literals are shown or printed as they are. */
const speaking = /^(showToast|setRefusal|pen\.(text|lines))$/;
const letters = /\p{L}{2}/u;

type Node = { type: string } & Record<string, unknown>;

/** Literals that an expression can evaluate to: `a ? 'Yes' : 'No'`, `name || 'No name'`. */
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

const nameOf = ({ type, name, object, property }: Node): string =>
  type === 'MemberExpression'
    ? `${String((object as Node).name)}.${String((property as Node).name)}`
    : String(name);

/**
 * Texts that are shown but not translated, and lists with a Latin comma. They belong in `t` or `<Trans>` (ADR 227) and
 * in `joined`.
 */
export function textsInCode(filename: string, code: string): string[] {
  const untranslated: string[] = [];
  let markedCount = 0;
  const note = (texts: readonly string[]) => {
    if (markedCount === 0)
      untranslated.push(...texts.map((text) => text.trim()).filter((text) => letters.test(text)));
  };
  const isMarked = (node: Node) => (node.openingElement as { name: { name?: string } }).name.name === 'Trans';
  // The objects of `msg({ message: … })` and `t({ … })` are translated.
  const described = new Set<unknown>();
  new Visitor({
    CallExpression(node) {
      const called = nameOf(node.callee as unknown as Node);
      if (called === 'msg' || called === 't') described.add(node.arguments[0]);
      const [argument] = node.arguments as unknown as (Node | undefined)[];
      const property = (node.callee as unknown as Node).property as Node | undefined;
      if (property?.name === 'join' && argument?.value === ', ') untranslated.push("join(', ')");
      if (speaking.test(called))
        for (const argument of node.arguments) note(literalsOf(argument as unknown as Node));
    },
    ObjectExpression(node) {
      if (described.has(node)) return;
      for (const property of node.properties as unknown as Node[]) {
        const key = property.key as Node | undefined;
        if (key && !property.computed && spokenKey.test(String(key.name ?? key.value)))
          note(literalsOf(property.value as Node));
      }
    },
    JSXElement(node) {
      const element = node as unknown as Node;
      for (const child of element.children as Node[])
        if (child.type === 'JSXExpressionContainer' && !isMarked(element)) note(literalsOf(child));
      if (isMarked(element)) markedCount += 1;
    },
    'JSXElement:exit'(node) {
      if (isMarked(node as unknown as Node)) markedCount -= 1;
    },
    JSXText(node) {
      note([node.value]);
    },
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && textAttribute.test(name.name) && value)
        note(literalsOf(value as unknown as Node));
    },
  }).visit(parseSync(filename, code).program);
  return untranslated;
}
