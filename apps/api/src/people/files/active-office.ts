import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { isPlainLink } from './active-pdf.ts';

export type OfficeFinding =
  | 'macros'
  | 'programs'
  | 'attachments'
  | 'external'
  | 'remote-template'
  | 'fields'
  | 'locked'
  | 'unreadable'
  | 'unpacks-too-large';
export type UnpackLimits = { maxBytes: number; maxRatio: number; ratioFrom: number };

/** A document has dozens of parts; a long illustrated book has a thousand. */
export const partsMax = 5_000;
/** Limits all XML parts together; a book needs a third of it. */
const readBytes = 16 * 1024 * 1024;

/** Parts that Word, LibreOffice, Google Docs and Pages write. A ZIP's folders have no bytes. */
const knownPart = /\.(xml|rels|vml|svg|png|jpe?g|jfif|gif|bmp|tiff?|webp|emf|wmf|wdp|odttf|ttf|otf)$|\/$/i;
const isXml = (name: string) => /\.(xml|rels|vml|svg)$/i.test(name);
/** Relationships of a plain document, by the last word of their address. */
const knownRelationships = new Set(
  `officeDocument extended-properties extendedProperties core-properties coreProperties custom-properties customProperties thumbnail
   styles stylesWithEffects settings webSettings fontTable font numbering theme themeOverride header footer footnotes endnotes comments
   commentsExtended commentsIds commentsExtensible people image hyperlink customXml customXmlProps glossaryDocument chart chartEx chartStyle
   chartColorStyle chartUserShapes diagramData diagramLayout diagramQuickStyle diagramColors diagramDrawing vmlDrawing hdphoto
   classificationlabels`.split(/\s+/),
);
const refusedRelationships: [RegExp, OfficeFinding][] = [
  [/attachedTemplate$/i, 'remote-template'],
  [
    /vbaProject|wordVbaData|macro|attachedToolbars|keyMapCustomizations|extensibility|userCustomization/i,
    'macros',
  ],
  [/oleObject|package$|aFChunk|subDocument/i, 'attachments'],
  [/control/i, 'programs'],
];
const knownTypes =
  /^(image\/[\w.+-]+|(application|text)\/([\w.-]+\+)?xml|application\/(x-fontdata|x-font-ttf|vnd\.openxmlformats-officedocument\.(obfuscatedFont|vmlDrawing)))$/i;
/** Elements that embed or run external content, in any namespace: readers ignore relationship kinds. */
const refusedElements = new Map<string, OfficeFinding>([
  ['altChunk', 'attachments'],
  ['subDoc', 'attachments'],
  ['OLEObject', 'attachments'],
  ['objectEmbed', 'attachments'],
  ['objectLink', 'external'],
  ['externalData', 'attachments'],
  ['control', 'programs'],
  ['ocx', 'programs'],
  ['script', 'programs'],
  ['foreignObject', 'programs'],
  ['iframe', 'external'],
  ['attachedTemplate', 'remote-template'],
  ['frameset', 'external'],
  ['sourceFileName', 'external'],
  ['movie', 'external'],
  ['mailMerge', 'external'],
  ['dataSource', 'external'],
  ['entryMacro', 'macros'],
  ['exitMacro', 'macros'],
]);
const links = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
const knownFields = new Set(
  `= ADVANCE ADDIN ADDRESSBLOCK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT BIBLIOGRAPHY CITATION COMMENTS CREATEDATE DATE DOCPROPERTY EDITTIME EQ
   FILENAME FILESIZE FORMCHECKBOX FORMDROPDOWN FORMTEXT GREETINGLINE HYPERLINK IF INDEX INFO KEYWORDS LASTSAVEDBY LISTNUM MERGEFIELD NOTEREF
   NUMCHARS NUMPAGES NUMWORDS PAGE PAGEREF PRINTDATE REF REVNUM SAVEDATE SECTION SECTIONPAGES SEQ SHAPE STYLEREF SUBJECT SYMBOL TA TC TIME
   TITLE TOA TOC USERADDRESS USERINITIALS USERNAME XE`.split(/\s+/),
);
/** Elements between a field's begin and its result that cannot add or hide letters of its code. */
const inCode = new Set(
  `p r instrText delInstrText t fldChar ins del proofErr bookmarkStart bookmarkEnd lastRenderedPageBreak tab br noBreakHyphen softHyphen
   commentRangeStart commentRangeEnd`.split(/\s+/),
);
const formatting = new Set(['rPr', 'pPr', 'ffData', 'fldData']);

class ActiveContentError extends Error {
  readonly finding: OfficeFinding;
  constructor(finding: OfficeFinding) {
    super(finding);
    this.finding = finding;
  }
}
const refuse = (finding: OfficeFinding = 'unreadable'): never => {
  throw new ActiveContentError(finding);
};

/** Finds active content in a DOCX; null if plain. Allows only known parts, relationships and fields. */
export async function findInOffice(bytes: Uint8Array, limits: UnpackLimits): Promise<OfficeFinding | null> {
  const zip = await openZip(bytes);
  if (zip === null) return 'unreadable';
  try {
    const parts = await readParts(zip, bytes, limits);
    for (const [name, xml] of parts) if (name.endsWith('.rels')) checkRelationships(xml);
    for (const [name, xml] of parts) if (!name.endsWith('.rels')) checkPart(name, xml, linksOf(parts, name));
    return null;
  } catch (error) {
    // A damaged archive fails in the reader.
    return error instanceof ActiveContentError ? error.finding : 'unreadable';
  } finally {
    zip.close();
  }
}

/** Unpacks every part and indexes the XML by lower-case name, since readers ignore case. */
async function readParts(
  zip: ZipFile,
  bytes: Uint8Array,
  limits: UnpackLimits,
): Promise<Map<string, string>> {
  if (zip.entryCount > partsMax) refuse();
  const parts = new Map<string, string>();
  const names = new Set<string>();
  let total = 0;
  let reading = 0;
  for await (const entry of entriesOf(zip)) {
    const name = entry.fileName.toLowerCase();
    if (names.has(name)) refuse();
    names.add(name);
    if ((entry.generalPurposeBitFlag & 1) === 1) refuse('locked');
    if (!isNamedInPlace(bytes, entry)) refuse();
    if (/vba|macro|attachedToolbars/i.test(name)) refuse('macros');
    if (/(^|\/)activex\//i.test(name)) refuse('programs');
    if (!knownPart.test(name)) refuse('attachments');
    const { size, text } = await unpack(zip, entry, limits.maxBytes - total, isXml(name));
    total += size;
    if (total > limits.maxBytes) refuse('unpacks-too-large');
    if (total > limits.ratioFrom && total > bytes.byteLength * limits.maxRatio) refuse('unpacks-too-large');
    if (!isXml(name)) continue;
    reading += size;
    if (reading > readBytes) refuse();
    parts.set(name, text);
  }
  return parts;
}

/** Some readers trust the local name, others the name in the directory. */
function isNamedInPlace(bytes: Uint8Array, entry: Entry): boolean {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + entry.relativeOffsetOfLocalHeader, 30);
  const length = header.readUInt16LE(26);
  const start = entry.relativeOffsetOfLocalHeader + 30;
  return Buffer.from(bytes.subarray(start, start + length)).equals(entry.fileNameRaw);
}

type Attribute = { prefix: string; name: string; value: string };
type Piece =
  | { kind: 'open' | 'close'; prefix: string; name: string; attributes: Attribute[]; empty: boolean }
  | { kind: 'text'; text: string };

const attribute = /\s+(?:([\w.-]+):)?([\w.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const tag = /<(\/?)(?:([\w.-]+):)?([\w.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const namedEntities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (_written, hex, decimal, name) =>
        name === undefined
          ? String.fromCodePoint(Math.min(Number.parseInt(hex ?? decimal, hex ? 16 : 10), 0x10ffff))
          : (namedEntities[name] ?? refuse()),
      )
    : text;

/** Tokenizes a part. Rejects encodings, entities and broken tags that parsers disagree on. */
function* piecesOf(xml: string): Generator<Piece> {
  const encoding = /^\uFEFF?<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)/.exec(xml)?.[1] ?? 'utf-8';
  if (xml.includes('\0') || xml.includes('\uFFFD') || !/^(utf-8|us-ascii)$/i.test(encoding)) refuse();
  const until = (end: string, from: number) => {
    const index = xml.indexOf(end, from);
    return index === -1 ? refuse() : index;
  };
  for (let at = 0; at < xml.length; ) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next === -1 ? xml.length : next;
      yield { kind: 'text', text: decoded(xml.slice(at, end)) };
      at = end;
    } else if (xml.startsWith('<!--', at)) at = until('-->', at + 4) + 3;
    else if (xml.startsWith('<?', at)) at = until('?>', at) + 2;
    else if (xml.startsWith('<![CDATA[', at)) {
      const end = until(']]>', at);
      yield { kind: 'text', text: xml.slice(at + 9, end) };
      at = end + 3;
    } else {
      tag.lastIndex = at;
      const [, closing, prefix = '', name = '', attributeText = '', empty] = tag.exec(xml) ?? refuse();
      at = tag.lastIndex;
      const attributes = Array.from(
        attributeText.matchAll(attribute),
        ([, space = '', key = '', double, single]) => ({
          prefix: space,
          name: key,
          value: decoded(double ?? single ?? ''),
        }),
      );
      yield { kind: closing ? 'close' : 'open', prefix, name, attributes, empty: empty !== '' };
    }
  }
}

type Relationship = { id: string; kind: string; target: string; external: boolean };

function* relationshipsIn(xml: string): Generator<Relationship> {
  for (const piece of piecesOf(xml)) {
    if (piece.kind !== 'open' || piece.name !== 'Relationship') continue;
    const attribute = (key: string) => piece.attributes.find(({ name }) => name === key)?.value ?? '';
    yield {
      id: attribute('Id'),
      kind: attribute('Type'),
      target: attribute('Target'),
      external: /external/i.test(attribute('TargetMode')),
    };
  }
}

function checkRelationships(xml: string): void {
  for (const { kind, target, external } of relationshipsIn(xml)) {
    const last = kind.split('/').at(-1) ?? '';
    for (const [pattern, finding] of refusedRelationships) if (pattern.test(kind)) refuse(finding);
    if (!knownRelationships.has(last)) refuse('external');
    if (
      external
        ? last !== 'hyperlink' || !isPlainLink(target)
        : /^[a-z][a-z0-9+.-]*:|^[\\/]{2}|\\/i.test(target.trim())
    )
      refuse('external');
  }
}

function linksOf(parts: ReadonlyMap<string, string>, name: string): ReadonlySet<string> {
  const slash = name.lastIndexOf('/') + 1;
  const xml = parts.get(`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`);
  const ids = new Set<string>();
  for (const { id, external } of xml ? relationshipsIn(xml) : []) if (external) ids.add(id);
  return ids;
}

function checkPart(name: string, xml: string, outside: ReadonlySet<string>): void {
  const isPicture = name.endsWith('.svg');
  const fields = createFieldReader();
  // Drawing programs put a doctype before a picture.
  const text = isPicture ? xml.replace(/<!DOCTYPE[^>[]*>/i, '') : xml;
  for (const piece of piecesOf(text)) {
    fields.read(piece);
    if (piece.kind !== 'open') continue;
    const finding = refusedElements.get(piece.name);
    if (finding) refuse(finding);
    for (const { prefix, name: key, value } of piece.attributes) {
      if (piece.name === 'Default' || piece.name === 'Override') checkType(key, value);
      if (prefix !== '' && outside.has(value) && !links.has(piece.name)) refuse('external');
      if (isPicture && /^on/i.test(key)) refuse('programs');
      // An id, a place in the document, or an inline picture.
      const isInside = /^(data:image\/|#|\w*$)/i.test(value);
      if (/^(href|src|althref)$/i.test(key) && !isInside && !isShapeLink(key, value)) refuse('external');
    }
  }
  fields.end();
}

/** Allows a link on a shape to a web page or address; a picture may only come from the document itself. */
const isShapeLink = (key: string, value: string) =>
  /^href$/i.test(key) && /^(https?|mailto|tel):/i.test(value);

function checkType(key: string, value: string): void {
  if (key !== 'ContentType') return;
  if (/macro|vba/i.test(value)) refuse('macros');
  if (/activeX/i.test(value)) refuse('programs');
  if (!knownTypes.test(value)) refuse('attachments');
}

type Field = { code: string; deleted: string; inResult: boolean };

/** Tracks a part's fields in text order. Rejects unknown fields and ambiguous code. */
function createFieldReader() {
  const stack: Field[] = [];
  let space: string | null = null;
  let meaning = '';
  let isText = false;
  let look: string | null = null;

  function close(field: Field): void {
    for (const code of field.deleted === field.code ? [field.code] : [field.code, field.deleted])
      if (code.trim() !== '') checkField(code);
  }

  function readTag(piece: Extract<Piece, { kind: 'open' | 'close' }>): void {
    const isRoot = space === null;
    if (isRoot) space = piece.prefix;
    const isOwnSpace = piece.prefix === space;
    for (const { prefix, name, value } of piece.attributes) {
      // The prefix of the text must mean the same everywhere.
      const declares =
        (prefix === 'xmlns' && name === space) || (space === '' && prefix === '' && name === 'xmlns');
      if (declares && isRoot) meaning = value;
      else if (declares && value !== meaning) refuse('fields');
    }
    const isField = /^(instrText|delInstrText|fldChar|fldSimple)$/.test(piece.name);
    if (isField && !isOwnSpace) refuse('fields');
    const field = stack.at(-1);
    isText =
      piece.kind === 'open' && !piece.empty && isOwnSpace && /^(instrText|delInstrText|t)$/.test(piece.name);
    if (field && !field.inResult) {
      if (look !== null) {
        if (isField) refuse('fields');
        if (piece.kind === 'close' && isOwnSpace && piece.name === look) look = null;
        return;
      }
      if (isOwnSpace && formatting.has(piece.name)) {
        if (piece.kind === 'open' && !piece.empty) look = piece.name;
        return;
      }
      if (!isOwnSpace || !inCode.has(piece.name)) refuse('fields');
    }
    if (piece.kind === 'close') return;
    const attributesOf = (key: string) => piece.attributes.filter(({ name }) => name === key);
    if (piece.name === 'fldSimple') for (const { value } of attributesOf('instr')) checkField(value);
    if (piece.name !== 'fldChar') return;
    const kind = attributesOf('fldCharType')[0]?.value;
    if (kind === 'begin') {
      // A nested field becomes part of the outer field's code.
      if (field && !field.inResult && !/^\s*(IF\s|=)/i.test(field.code)) refuse('fields');
      stack.push({ code: '', deleted: '', inResult: false });
    } else if (kind === 'separate' && field) field.inResult = true;
    else if (kind === 'end' && field) close(stack.pop() as Field);
  }

  let isDeleted = false;
  return {
    read(piece: Piece): void {
      if (piece.kind === 'text') {
        const field = stack.at(-1);
        if (!isText || !field || field.inResult || look !== null) return;
        if (!isDeleted) field.code += piece.text;
        field.deleted += piece.text;
        return;
      }
      readTag(piece);
      if (piece.name === 'delInstrText') isDeleted = piece.kind === 'open' && !piece.empty;
    },
    end: () => stack.forEach(close),
  };
}

function checkField(code: string): void {
  const name = /^\s*(=|[a-z]+)/i.exec(code)?.[1]?.toUpperCase() ?? '';
  const isPlaceholder = /^\s*MACROBUTTON\s+(NoMacro|DoFieldClick)\b/i.test(code);
  if (!knownFields.has(name) && !isPlaceholder) refuse('fields');
  if (name !== 'HYPERLINK') return;
  const targets = code
    .replace(/^\s*HYPERLINK/i, '')
    .replace(/\\[lotm]\s*("[^"]*"|[^\s"\\]+)/gi, '')
    .match(/"[^"]*"|[^\s"]+/g);
  for (const target of targets ?? []) {
    const address = target.replaceAll('"', '');
    if (!/^\\[a-z]$/i.test(address) && !isPlainLink(address)) refuse('external');
  }
}

const openZip = (bytes: Uint8Array): Promise<ZipFile | null> =>
  new Promise((resolve) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    fromBuffer(buffer, { lazyEntries: true }, (error, zip) => resolve(error ? null : zip));
  });

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip
        .once('entry', resolve)
        .once('end', () => resolve(null))
        .once('error', reject);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (entry === null) return;
    yield entry;
  }
}

/** Stops after `room` bytes, since an archive's declared sizes are untrusted. */
function unpack(
  zip: ZipFile,
  entry: Entry,
  room: number,
  keep: boolean,
): Promise<{ size: number; text: string }> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error);
      let size = 0;
      const chunks: Buffer[] = [];
      const finish = () => resolve({ size, text: Buffer.concat(chunks).toString('utf8') });
      stream.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (keep) chunks.push(chunk);
        if (size <= (keep ? Math.min(room, readBytes) : room)) return;
        stream.destroy();
        finish();
      });
      stream.once('end', finish).once('error', reject);
    });
  });
}
