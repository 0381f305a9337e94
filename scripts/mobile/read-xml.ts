export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string) => text.replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all);

/** Supports neither namespaces nor CDATA. An unclosed or stray tag throws. */
export function readXml(source: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const token =
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>]*>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)|</gy;
  for (const [all, closing, name, attributes = '', single, text] of source.matchAll(token)) {
    const current = open.at(-1) as Element;
    if (text !== undefined) current.text += unescaped(text).trim();
    else if (all === '<') throw new Error(`Not XML near ${source.slice(source.indexOf(all), 60)}`);
    else if (name === undefined) continue;
    else if (closing) {
      if (open.length < 2 || open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const pairs = [...attributes.matchAll(/([\w.:-]+)="([^"]*)"/g)];
      const element: Element = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unescaped(value)])),
        children: [],
        text: '',
      };
      current.children.push(element);
      if (!single) open.push(element);
    }
  }
  const [root] = top.children;
  if (open.length !== 1 || top.children.length !== 1 || !root) throw new Error('Not one closed element');
  return root;
}

export const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

export type Plist = string | boolean | Plist[] | { [key: string]: Plist };

export function readPlist(source: string): Plist {
  const [value] = readXml(source).children;
  if (!value) throw new Error('An empty property list');
  return plistValue(value);
}

function plistValue({ name, children, text }: Element): Plist {
  if (name === 'true' || name === 'false') return name === 'true';
  if (name === 'array') return children.map(plistValue);
  if (name === 'string') return text;
  if (name !== 'dict') throw new Error(`No value is called ${name}`);
  const entries: [string, Plist][] = [];
  for (let at = 0; at < children.length; at += 2) {
    const [key, value] = children.slice(at, at + 2);
    if (key?.name !== 'key' || !value) throw new Error('A dictionary needs keys with values');
    entries.push([key.text, plistValue(value)]);
  }
  return Object.fromEntries(entries);
}
