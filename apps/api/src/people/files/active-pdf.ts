import { inflateSync } from 'node:zlib';

export type PdfFinding =
  | 'scripts'
  | 'programs'
  | 'attachments'
  | 'external'
  | 'locked'
  | 'unreadable'
  | 'unpacks-too-large';

/** Names (keys, types and actions) that no plain document has. Font and picture names have other forms. */
const refusedNames = new Map<string, PdfFinding>([
  ['JavaScript', 'scripts'],
  ['JS', 'scripts'],
  ['Rendition', 'scripts'],
  ['XFA', 'scripts'],
  ['Launch', 'programs'],
  ['RichMedia', 'programs'],
  ['RichMediaExecute', 'programs'],
  ['Movie', 'programs'],
  ['Sound', 'programs'],
  ['3D', 'programs'],
  ['GoTo3DView', 'programs'],
  ['EmbeddedFile', 'attachments'],
  ['EmbeddedFiles', 'attachments'],
  ['EF', 'attachments'],
  ['FileAttachment', 'attachments'],
  ['GoToE', 'attachments'],
  ['Filespec', 'external'],
  ['GoToR', 'external'],
  ['SubmitForm', 'external'],
  ['ImportData', 'external'],
  // Actions on opening a page, leaving a field or printing.
  ['AA', 'external'],
  ['OPI', 'external'],
  ['Encrypt', 'locked'],
  ['Crypt', 'locked'],
]);
const knownFilters = new Set([
  'FlateDecode',
  'LZWDecode',
  'ASCII85Decode',
  'ASCIIHexDecode',
  'RunLengthDecode',
  'DCTDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'JPXDecode',
]);
/** Stream keys that refer to bytes or a picture in another file. */
const externalStreamKeys = ['F', 'FFilter', 'FDecodeParms', 'Ref'];
const deepest = 256;
/** Cuts longer addresses; their scheme is at the start. */
const textMax = 4_096;

class ActiveContentError extends Error {
  readonly finding: PdfFinding;
  constructor(finding: PdfFinding) {
    super(finding);
    this.finding = finding;
  }
}
const refuse = (finding: PdfFinding = 'unreadable'): never => {
  throw new ActiveContentError(finding);
};

/**
 * Finds active content in a PDF (ISO 32000-1, 7.5); null if plain. Rejects whatever readers may parse
 * differently: bytes outside objects, and objects hidden in streams, text or comments.
 */
export function findInPdf(bytes: Uint8Array, maxBytes: number): PdfFinding | null {
  try {
    readFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), maxBytes);
    return null;
  } catch (error) {
    if (error instanceof ActiveContentError) return error.finding;
    throw error;
  }
}

function readFile(bytes: Buffer, maxBytes: number): void {
  const lexer = createLexer(bytes);
  const texts: Texts = { objects: new Map(), references: [], acting: new Set() };
  let objects = 0;
  let room = maxBytes;
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) {
    if (token.kind === 'number') {
      if (lexer.next().kind !== 'number' || lexer.next().text !== 'obj') refuse();
      objects += 1;
      const value = readObject(lexer, texts, token.text);
      let end = lexer.at;
      let after = lexer.next();
      if (after.text === 'stream' && value.kind === 'dictionary') {
        room -= readStream(lexer, bytes, value, texts, room);
        end = lexer.at;
        after = lexer.next();
      }
      // Some PDF writers omit `endobj`.
      if (after.text !== 'endobj') lexer.at = end;
    } else if (token.text === 'xref') {
      let entry = lexer.next();
      while (entry.kind === 'number' || entry.text === 'n' || entry.text === 'f') entry = lexer.next();
      if (entry.text !== 'trailer') refuse();
      readValue(lexer, texts);
    } else if (token.text === 'startxref') {
      if (lexer.next().kind !== 'number') refuse();
    } else refuse();
  }
  if (objects === 0 || countObjects(bytes) !== objects) refuse();
  for (const { key, object } of texts.references) {
    for (const text of texts.objects.get(object) ?? []) checkText(key, text);
    if (key === 'OpenAction' && texts.acting.has(object)) refuse('external');
  }
}

type Token = { kind: 'name' | 'string' | 'number' | 'word' | 'mark' | 'end'; text: string };
type Lexer = { at: number; next(): Token; skipReference(): boolean };

const blanks = new Set([0, 9, 10, 12, 13, 32]);
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;
const [percent, slash, open, close, less, greater, backslash] = Buffer.from(
  '%/()<>\\',
) as unknown as number[];
const capitalR = 'R'.charCodeAt(0);
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57;
const marks = new Set(Buffer.from('[]'));
const delimiters = new Set(Buffer.from('()<>[]{}/%'));
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function createLexer(bytes: Buffer): Lexer {
  const lexer = { at: 0, next, skipReference };
  const isRegular = (byte: number | undefined) =>
    byte !== undefined && !blanks.has(byte) && !delimiters.has(byte);

  function next(): Token {
    for (;;) {
      while (blanks.has(bytes[lexer.at] ?? -1)) lexer.at += 1;
      if (bytes[lexer.at] !== percent) break;
      while (lexer.at < bytes.length && bytes[lexer.at] !== lineFeed && bytes[lexer.at] !== carriageReturn)
        lexer.at += 1;
    }
    const first = bytes[lexer.at];
    if (first === undefined) return { kind: 'end', text: '' };
    if (first === slash) return { kind: 'name', text: readName() };
    if (first === open) return { kind: 'string', text: readText() };
    if (marks.has(first)) return mark(1);
    if (first === less && bytes[lexer.at + 1] === less) return mark(2);
    if (first === greater && bytes[lexer.at + 1] === greater) return mark(2);
    if (first === less) return { kind: 'string', text: readHex() };
    const start = lexer.at;
    while (isRegular(bytes[lexer.at])) lexer.at += 1;
    if (lexer.at === start) return refuse();
    const text = bytes.toString('latin1', start, Math.min(lexer.at, start + textMax));
    return { kind: /^[+\-.\d]+$/.test(text) ? 'number' : 'word', text };
  }

  /** Skips the ` G R` of a reference, by bytes because an array may have millions of numbers. */
  function skipReference(): boolean {
    let at = lexer.at;
    while (blanks.has(bytes[at] ?? -1)) at += 1;
    const digits = at;
    while (isDigit(bytes[at])) at += 1;
    const afterDigits = at;
    while (blanks.has(bytes[at] ?? -1)) at += 1;
    if (afterDigits === digits || at === afterDigits || bytes[at] !== capitalR || isRegular(bytes[at + 1]))
      return false;
    lexer.at = at + 1;
    return true;
  }

  function mark(length: number): Token {
    const start = lexer.at;
    lexer.at += length;
    return { kind: 'mark', text: bytes.toString('latin1', start, lexer.at) };
  }

  /** Any letter may be written as `#` and two digits (7.3.5). */
  function readName(): string {
    const start = lexer.at + 1;
    lexer.at = start;
    while (isRegular(bytes[lexer.at])) lexer.at += 1;
    const raw = bytes.toString('latin1', start, Math.min(lexer.at, start + textMax));
    if (!raw.includes('#')) return raw;
    return raw.replace(/#([\da-f]{2})/gi, (_written, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }

  function readText(): string {
    let text = '';
    let depth = 0;
    for (; lexer.at < bytes.length; lexer.at += 1) {
      const byte = bytes[lexer.at];
      if (byte === close) depth -= 1;
      if (depth === 0 && byte === close) {
        lexer.at += 1;
        return text;
      }
      if (byte === open && depth++ === 0) continue;
      if (byte === backslash) {
        const octal = /^[0-7]{1,3}/.exec(bytes.toString('latin1', lexer.at + 1, lexer.at + 4))?.[0];
        const letter = String.fromCharCode(bytes[lexer.at + 1] ?? 0);
        if (text.length < textMax)
          text += octal ? String.fromCharCode(Number.parseInt(octal, 8) & 255) : (escapes[letter] ?? letter);
        lexer.at += octal?.length ?? 1;
      } else if (text.length < textMax) text += String.fromCharCode(byte ?? 0);
    }
    return refuse();
  }

  function readHex(): string {
    const end = bytes.indexOf('>', lexer.at);
    if (end === -1) return refuse();
    const digits = bytes
      .toString('latin1', lexer.at + 1, Math.min(end, lexer.at + textMax))
      .replace(/[\s\0]/g, '');
    lexer.at = end + 1;
    return /^[\da-f]*$/i.test(digits) ? Buffer.from(digits, 'hex').toString('latin1') : refuse();
  }
  return lexer;
}

/** Collected text objects, keys that may refer to them, and dictionaries with an active action. */
type Texts = {
  objects: Map<string, string[]>;
  references: { key: string; object: string }[];
  acting: Set<string>;
};
type Value = {
  kind: 'name' | 'string' | 'number' | 'reference' | 'array' | 'dictionary' | 'other';
  text: string;
};
type Dictionary = Value & {
  kind: 'dictionary';
  entries: Map<string, Value & { names?: string[] }>;
  doubled: boolean;
};

/** Rejects an object that is only a reference: no writer makes one, and readers follow it differently. */
function readObject(lexer: Lexer, texts: Texts, number: string): Value | Dictionary {
  const value = readValue(lexer, texts);
  if (value.kind === 'reference') refuse();
  if (value.kind === 'string') {
    const object = objectNumber(number);
    texts.objects.set(object, [...(texts.objects.get(object) ?? []), value.text]);
  }
  if (isActing(value)) texts.acting.add(objectNumber(number));
  return value;
}

/** True if an action or its chain does more than navigate within the document. */
function isActing(value: Value | Dictionary): boolean {
  if (value.kind !== 'dictionary') return false;
  const { entries, doubled } = value as Dictionary;
  return doubled || entries.get('S')?.text !== 'GoTo' || entries.has('Next');
}

/** Some readers accept `007` for 7, and some `+7`. */
const objectNumber = (text: string): string => (/^\d{1,10}$/.test(text) ? String(Number(text)) : refuse());

function readValue(lexer: Lexer, texts: Texts): Value | Dictionary {
  const stack: {
    entries: Dictionary['entries'] | null;
    names: string[];
    key: string | null;
    doubled: boolean;
  }[] = [];
  for (;;) {
    const token = lexer.next();
    const frame = stack.at(-1);
    if (frame?.entries && frame.key === null) {
      if (token.kind === 'name') {
        frame.key = token.text;
        frame.doubled ||= frame.entries.has(token.text);
        continue;
      }
      if (token.text !== '>>') refuse();
    } else if (token.kind === 'name') {
      // A named destination may be any word: its value is an array, or a link refers to it.
      const finding = refusedNames.get(token.text);
      if (finding && frame?.key !== 'Dest' && frame?.key !== 'D') refuse(finding);
    }
    if (token.kind === 'mark' && (token.text === '<<' || token.text === '[')) {
      if (stack.length === deepest) refuse();
      stack.push({ entries: token.text === '<<' ? new Map() : null, names: [], key: null, doubled: false });
      continue;
    }
    let value: Value & { names?: string[] };
    if (token.kind === 'mark') {
      const isDictionary = token.text === '>>';
      if (!frame || isDictionary !== (frame.entries !== null) || frame.key !== null) refuse();
      stack.pop();
      value = frame?.entries
        ? ({ kind: 'dictionary', text: '', entries: frame.entries, doubled: frame.doubled } as Dictionary)
        : { kind: 'array', text: '', names: frame?.names ?? [] };
    } else if (token.kind === 'number') value = readReference(lexer, token.text);
    else if (token.kind === 'word') {
      if (token.text === 'endobj' && stack.length === 0) lexer.at -= token.text.length;
      else if (!['true', 'false', 'null'].includes(token.text)) refuse();
      value = { kind: 'other', text: token.text };
    } else if (token.kind === 'end') return refuse();
    else value = { kind: token.kind, text: token.text };

    const parent = stack.at(-1);
    if (!parent) return value;
    if (parent.entries && parent.key !== null) {
      const finding = refusedNames.get(parent.key);
      if (finding && (value.kind !== 'array' || parent.key === 'XFA')) refuse(finding);
      // Some PDF readers accept a name object where a URI string belongs.
      if (value.kind === 'string' || (value.kind === 'name' && parent.key === 'URI'))
        checkText(parent.key, value.text);
      if (parent.key === 'OpenAction' && isActing(value)) refuse('external');
      if (value.kind === 'reference') texts.references.push({ key: parent.key, object: value.text });
      parent.entries.set(parent.key, value);
      parent.key = null;
    } else if (value.kind === 'name') parent.names.push(value.text);
    else parent.names.push('');
  }
}

function readReference(lexer: Lexer, text: string): Value {
  return lexer.skipReference() ? { kind: 'reference', text: objectNumber(text) } : { kind: 'number', text };
}

function checkText(key: string, text: string): void {
  if (key === 'F' || key === 'UF') refuse('external');
  if (key !== 'URI' && key !== 'Base') return;
  if (!isPlainLink(decodedText(text))) refuse('external');
}

/** Decodes text (7.9.2.2), whose first bytes may declare UTF-16 in either order, or UTF-8. */
function decodedText(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (text.startsWith('\xfe\xff'))
    return bytes
      .subarray(2, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le');
  if (text.startsWith('\xff\xfe')) return bytes.subarray(2).toString('utf16le');
  return text.startsWith('\xef\xbb\xbf') ? bytes.subarray(3).toString() : text;
}

/**
 * Moves the lexer past the stream.
 * @returns the bytes of its objects
 */
function readStream(lexer: Lexer, bytes: Buffer, value: Value, texts: Texts, room: number): number {
  const { entries, doubled } = value as Dictionary;
  let start = lexer.at;
  while (bytes[start] === space || bytes[start] === tab) start += 1;
  if (bytes[start] === carriageReturn) start += 1;
  if (bytes[start] === lineFeed) start += 1;
  const end = bytes.indexOf('endstream', start);
  if (end === -1) refuse();
  lexer.at = end + 'endstream'.length;

  if (externalStreamKeys.some((key) => entries.has(key))) refuse('external');
  const filter = entries.get('Filter');
  const filters = filter?.kind === 'name' ? [filter.text] : (filter?.names ?? (filter ? refuse() : []));
  if (filters.some((name) => !knownFilters.has(name))) refuse();
  if (entries.get('Subtype')?.text === 'PS') refuse('programs');

  // Readers look at the keys, not at the type.
  const hasObjects = entries.has('First') || entries.get('Type')?.text === 'ObjStm';
  if (!hasObjects) return 0;
  const [length, count, first] = ['Length', 'N', 'First'].map((key) => {
    const number = entries.get(key);
    return number?.kind === 'number' && /^\d{1,9}$/.test(number.text) ? Number(number.text) : refuse();
  }) as [number, number, number];
  const rest = bytes.toString('latin1', start + length, end);
  if (doubled || entries.has('DecodeParms') || start + length > end || !/^\r?\n?$/.test(rest)) refuse();
  if (filters.length > 1 || (filters.length === 1 && filters[0] !== 'FlateDecode')) refuse();
  const packed = bytes.subarray(start, start + length);
  const objects = filters.length === 0 ? packed : unpack(packed, room);
  readObjects(objects, count, first, texts);
  return objects.byteLength;
}

function unpack(packed: Buffer, room: number): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    return refuse(
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'unpacks-too-large' : 'unreadable',
    );
  }
}

/** Reads the objects at the indexed places, which must increase (7.5.7) and not overlap. */
function readObjects(objects: Buffer, count: number, first: number, texts: Texts): void {
  const lexer = createLexer(objects);
  const places: { object: string; at: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const object = lexer.next();
    const offset = lexer.next();
    if (object.kind !== 'number' || !/^\d{1,9}$/.test(offset.text)) refuse();
    places.push({ object: object.text, at: first + Number(offset.text) });
  }
  for (const { object, at } of places) {
    if (at < lexer.at) refuse();
    lexer.at = at;
    readObject(lexer, texts, object);
  }
}

/** Counts `N G obj` in the whole file, as readers do to repair a damaged object table. */
function countObjects(bytes: Buffer): number {
  let count = 0;
  for (let position = bytes.indexOf('obj'); position !== -1; position = bytes.indexOf('obj', position + 1)) {
    let at = position - 1;
    let lineEnd = -1;
    const skip = (isSkipped: (byte: number | undefined) => boolean) => {
      const from = at;
      while (isSkipped(bytes[at])) {
        if (bytes[at] === lineFeed || bytes[at] === carriageReturn) lineEnd = at;
        at -= 1;
      }
      return from - at;
    };
    const isBlank = (byte: number | undefined) => byte !== undefined && blanks.has(byte);
    skip(isBlank);
    const digits = skip(isDigit);
    const between = digits > 0 ? skip(isBlank) : 0;
    if (between > 0 && isDigit(bytes[at])) count += 1;
    // The syntax allows a comment here, but no PDF writer emits one.
    else if (lineEnd !== -1 && endsInComment(bytes, lineEnd)) refuse();
  }
  return count;
}

function endsInComment(bytes: Buffer, lineEnd: number): boolean {
  for (let at = lineEnd - 1; at >= 0; at -= 1) {
    if (bytes[at] === percent) return true;
    if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return false;
    if (lineEnd - at > textMax) return true;
  }
  return false;
}

const schemes = ['http', 'https', 'mailto', 'tel'];

/** Allows web, mail, phone and internal links. Without a scheme, only what readers open as a web page. */
export function isPlainLink(address: string): boolean {
  // Readers ignore blanks and control characters, and accept either slash.
  const text = address.replace(/[\s\p{Cc}\p{Cf}]/gu, '').replaceAll('\\', '/');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  return scheme
    ? schemes.includes(scheme.toLowerCase())
    : text === '' || /^(#|www\.[^/]+\.[^/]+)/i.test(text);
}
