import { constants, inflateSync } from 'node:zlib';

export type PdfFinding = 'scripts' | 'programs' | 'locked' | 'unreadable' | 'unpacks-too-large';

/** A name of PDF in any of its spellings: each letter may be written as `#` and two digits (ISO 32000, 7.3.5). */
const spelled = (name: string) =>
  `/${[...name]
    .map((letter) => {
      const code = letter.charCodeAt(0).toString(16);
      return `(?:${letter}|#${[...code].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('')})`;
    })
    .join('')}(?![\\w#])`;
/** White space and comments. Bounded, so that the time grows with the size only; more white space than that is a trick of its own. */
const gap = '[\\s\\0]{0,32}(?:%[^\\r\\n]{0,64}[\\r\\n][\\s\\0]{0,32}){0,2}';
/** To another object. Digits without end would be divided between its two numbers in every way; no object has a number that long. */
const reference = `(?:\\d{1,10}${gap}\\d{1,10}${gap}R|\\d{11})`;
const tooWide = '[\\s\\0]{33}';
/** An action's kind, in place or as an object that the action refers to. A text about JavaScript has neither form. */
const action = (kind: string) => new RegExp(`(?:${spelled('S')}${gap}|\\bobj${gap})${spelled(kind)}`);
const named = (name: string) => new RegExp(spelled(name));

/** A comment of any length can stand between an action and its kind, but the kind then begins its line. */
const alone = (kind: string) => new RegExp(`(?=/)(?<=[\\r\\n][\\s\\0]{0,32}|${tooWide})${spelled(kind)}`);
/** Forms of another kind (XFA), which bring scripts in XML of their own. */
const scriptedForm = new RegExp(`${spelled('XFA')}${gap}(?:\\[|${reference})`);

const scripts = [action('JavaScript'), alone('JavaScript'), scriptedForm];
const programs = [action('Launch'), alone('Launch')];
const hidden = new RegExp(`${spelled('S')}${tooWide}`);
const encrypted = new RegExp(`${spelled('Encrypt')}${gap}(?:${reference}|<<)`);
const packedObjects = named('ObjStm');
const everyPackedObjects = new RegExp(packedObjects, 'g');
/** Their bytes are not what a reader makes of them. */
const predicted = new RegExp(`${spelled('DecodeParms')}|${spelled('DP')}`);
const length = new RegExp(`${spelled('Length')}${gap}(\\d{1,9})(?!${gap}\\d+${gap}R)`);
const flate = new RegExp(`${spelled('FlateDecode')}|${spelled('Fl')}`);
const anyFilter = named('Filter');
/** In unpacked objects, outside their texts. */
const scriptsUnpacked = [named('JavaScript'), scriptedForm];
const programsUnpacked = named('Launch');

/** Streams of packed objects that are looked into. One has a hundred objects or more, and each costs the time of starting to unpack it. */
export const packedMost = 5_000;
/** A dictionary before its stream is far shorter. */
const dictionaryChars = 4_096;
/** Before `endstream`, which the length does not count. */
const lineEndChars = 2;

/**
 * What makes a PDF more than a document: scripts, and actions that start programs, also in packed objects. One with a password cannot be
 * checked. Null for a plain document.
 * @param maxBytes what its packed objects may unpack to
 */
export function findInPdf(bytes: Uint8Array, maxBytes: number): PdfFinding | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (encrypted.test(text)) return 'locked';
  if (hidden.test(text) || scripts.some((form) => form.test(text))) return 'scripts';
  if (programs.some((form) => form.test(text))) return 'programs';
  let room = maxBytes;
  let looked = 0;
  for (const packed of packedIn(text)) {
    looked += 1;
    if (looked > packedMost) return 'unreadable';
    const objects = objectsIn(bytes, { ...packed, room });
    if (typeof objects === 'string') return objects;
    room -= objects.byteLength;
    const outside = withoutTexts(objects).toString('latin1');
    if (scriptsUnpacked.some((form) => form.test(outside))) return 'scripts';
    if (programsUnpacked.test(outside)) return 'programs';
  }
  // A dictionary can be written so that it is taken for two, or for none.
  return looked < (text.match(everyPackedObjects)?.length ?? 0) ? 'unreadable' : null;
}

const [opening, closing, backslash] = Buffer.from('()\\');

/**
 * Objects without what is between two brackets. By hand: a regular expression takes seconds for millions of texts, and runs out of stack at a long
 * one.
 */
function withoutTexts(objects: Uint8Array): Buffer {
  const kept = Buffer.allocUnsafe(objects.byteLength);
  let length = 0;
  let textAt = -1;
  for (let at = 0; at < objects.byteLength; at += 1) {
    const byte = objects[at] ?? 0;
    if (byte === closing && textAt >= 0) {
      length = textAt;
      textAt = -1;
    }
    kept[length++] = byte;
    if (byte === opening) textAt = length;
    else if (byte === backslash && textAt >= 0 && at + 1 < objects.byteLength)
      kept[length++] = objects[++at] ?? 0;
  }
  return kept.subarray(0, length);
}

type Packed = { start: number; end: number; dictionary: string };

/** The streams of packed objects: where each starts and, from there, `endstream` is next, and its dictionary. */
function* packedIn(text: string): Generator<Packed> {
  let previous = 0;
  let end = 0;
  for (const { index } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const before = text.slice(Math.max(previous, index - dictionaryChars), index);
    const dictionary = before.slice(
      Math.max(0, before.lastIndexOf('endobj'), before.lastIndexOf('endstream')),
    );
    previous = index;
    if (!packedObjects.test(dictionary)) continue;
    const start = text.indexOf('\n', index) + 1;
    // Sought again only once passed: many streams may share an end that is far away.
    if (end !== -1 && end < start) end = text.indexOf('endstream', start);
    yield { start, end, dictionary };
  }
}

/** What a stream of packed objects has, or why it can't be known. */
function objectsIn(
  bytes: Uint8Array,
  { start, end, dictionary, room }: Packed & { room: number },
): Uint8Array | 'unreadable' | 'unpacks-too-large' {
  if (end === -1 || predicted.test(dictionary)) return 'unreadable';
  if (!flate.test(dictionary)) return anyFilter.test(dictionary) ? 'unreadable' : bytes.subarray(start, end);
  // It says itself where it ends: its bytes may spell `endstream` before that.
  const whole = unpacked(bytes.subarray(start), room);
  if (whole !== null) return whole;
  // Readers bear one that breaks off, so this does too, if its length agrees.
  const told = Number(length.exec(dictionary)?.[1]);
  return Math.abs(end - start - told) <= lineEndChars
    ? (unpacked(bytes.subarray(start, end), room) ?? 'unreadable')
    : 'unreadable';
}

/** Null for what isn't packed like this. */
function unpacked(packed: Uint8Array, maxOutputLength: number): Uint8Array | 'unpacks-too-large' | null {
  try {
    return inflateSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'unpacks-too-large' : null;
  }
}
