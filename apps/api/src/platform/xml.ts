import { escapeHtml } from './escape-html.ts';

export type Xml = string;

/** Escaped text without the characters that XML 1.0 forbids. */
const escapeXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML refuses
  escapeHtml(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu, ''));

/** An element with text; nothing for an empty one, which the published formats don't allow. */
export const xmlLeaf = (
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
): Xml => {
  if (text === null || text.trim() === '') return '';
  return `<${name}${attributesText(attributes)}>${escapeXml(text)}</${name}>`;
};

/** An element of elements; nothing if all of them are empty. */
export const xmlBranch = (name: string, ...children: Xml[]): Xml => xmlBranchWith(name, {}, ...children);

export const xmlBranchWith = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: Xml[]
): Xml => {
  const inner = children.join('');
  return inner === '' ? '' : `<${name}${attributesText(attributes)}>${inner}</${name}>`;
};

/** A whole document. The attributes of its root declare the namespaces. */
export const xmlDocument = (
  root: string,
  attributes: Readonly<Record<string, string>>,
  ...children: Xml[]
): Xml =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attributesText(attributes)}>${children.join('')}</${root}>\n`;

const attributesText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('');

export type XmlNode = {
  /** The name without its prefix. */
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlNode[];
};

/** The text is not XML, or contains something that we refuse. */
export class XmlError extends Error {}

const depthMax = 60;
const startTag = /<([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const endTag = /<\/([A-Za-z_][\w:.-]*)\s*>/y;
const attribute = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads a document of a known format. A document type, and with it every entity but the five of XML, is refused: it
 * could name files of this machine, or grow to any size.
 * @throws XmlError
 */
export function readXml(xml: string): XmlNode {
  const root: XmlNode = { name: '', attributes: {}, text: '', children: [] };
  const open: { node: XmlNode; tag: string }[] = [{ node: root, tag: '' }];
  const text = xml.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; ) {
    const parent = open.at(-1)?.node ?? root;
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      const words = text.slice(at, end < 0 ? text.length : end);
      if (parent === root && words.trim() !== '') throw new XmlError('text outside of the document');
      parent.text += plainText(words);
      at += words.length;
    } else if (text.startsWith('<!--', at)) at = markEnd(text, '-->', at);
    else if (text.startsWith('<?', at)) at = markEnd(text, '?>', at);
    else if (text.startsWith('<![CDATA[', at) && parent !== root) {
      const end = markEnd(text, ']]>', at);
      parent.text += text.slice(at + '<![CDATA['.length, end - ']]>'.length);
      at = end;
    } else if (text.startsWith('<!', at)) throw new XmlError('document types and entities are refused');
    else if (text.startsWith('</', at)) {
      endTag.lastIndex = at;
      const [tag, name] = endTag.exec(text) ?? [];
      if (tag === undefined || open.length < 2 || open.pop()?.tag !== name)
        throw new XmlError(`an element is not closed at ${at}`);
      at += tag.length;
    } else {
      startTag.lastIndex = at;
      const [tag, name = '', attributes = '', empty] = startTag.exec(text) ?? [];
      if (tag === undefined) throw new XmlError(`no element at ${at}`);
      if (parent === root && root.children.length > 0) throw new XmlError('more than one document');
      const node = {
        name: withoutPrefix(name),
        attributes: attributesIn(attributes),
        text: '',
        children: [],
      };
      parent.children.push(node);
      if (!empty) open.push({ node, tag: name });
      if (open.length > depthMax) throw new XmlError('elements are too deep');
      at += tag.length;
    }
  }
  const [document] = root.children;
  if (!document || open.length !== 1) throw new XmlError('the document is not complete');
  return document;
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

function markEnd(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  if (end < 0) throw new XmlError(`${mark} is missing`);
  return end + mark.length;
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name = '', double, single]) => [
      withoutPrefix(name),
      plainText(double ?? single ?? ''),
    ]),
  );

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const codeMax = 0x10ffff;

const plainText = (text: string): string =>
  text.replace(/&([^;\s]{0,10});?/g, (match, name: string) => {
    const sign = Object.hasOwn(entities, name) ? entities[name] : undefined;
    if (sign !== undefined && match.endsWith(';')) return sign;
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!match.endsWith(';') || !(code > 0 && code <= codeMax))
      throw new XmlError(`${match} is no entity of XML`);
    return String.fromCodePoint(code);
  });

/** The nodes at a path of names below a node. */
export const xmlNodes = (node: XmlNode, ...path: string[]): XmlNode[] =>
  path.reduce<XmlNode[]>(
    (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [node],
  );

/** The trimmed text of the first node at a path; empty without one. */
export const xmlText = (node: XmlNode, ...path: string[]): string =>
  xmlNodes(node, ...path)[0]?.text.trim() ?? '';
