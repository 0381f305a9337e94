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
