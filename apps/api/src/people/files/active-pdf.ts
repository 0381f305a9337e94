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
const tooWide = '[\\s\\0]{33}';
/** An action's kind, in place or as an object that the action refers to. A text about JavaScript has neither form. */
const action = (kind: string) => new RegExp(`(?:${spelled('S')}${gap}|\\bobj${gap})${spelled(kind)}`);
const named = (name: string) => new RegExp(spelled(name));

const scripts = action('JavaScript');
const programs = action('Launch');
const hidden = new RegExp(`${spelled('S')}${tooWide}`);
const encrypted = new RegExp(`${spelled('Encrypt')}${gap}(?:\\d+${gap}\\d+${gap}R|<<)`);
const packedObjects = named('ObjStm');
const flate = new RegExp(`${spelled('FlateDecode')}|${spelled('Fl')}`);
const anyFilter = named('Filter');
/** In unpacked objects, outside their texts. */
const scriptsUnpacked = named('JavaScript');
const programsUnpacked = named('Launch');

/** A dictionary before its stream is far shorter. */
const dictionaryChars = 4_096;

/**
 * What makes a PDF more than a document: scripts, and actions that start programs, also in packed objects. One with a password cannot be
 * checked. Null for a plain document.
 * @param maxBytes what its packed objects may unpack to
 */
export function findInPdf(bytes: Uint8Array, maxBytes: number): PdfFinding | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (encrypted.test(text)) return 'locked';
  if (scripts.test(text) || hidden.test(text)) return 'scripts';
  if (programs.test(text)) return 'programs';
  let room = maxBytes;
  let previous = 0;
  for (const { index } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const before = text.slice(Math.max(previous, index - dictionaryChars), index);
    const dictionary = before.slice(
      Math.max(0, before.lastIndexOf('endobj'), before.lastIndexOf('endstream')),
    );
    previous = index;
    if (!packedObjects.test(dictionary)) continue;
    const start = text.indexOf('\n', index) + 1;
    const end = text.indexOf('endstream', start);
    if (end === -1) return 'unreadable';
    const packed = bytes.subarray(start, end);
    const objects = flate.test(dictionary)
      ? unpacked(packed, room)
      : anyFilter.test(dictionary)
        ? null
        : packed;
    if (objects === null) return 'unreadable';
    if (objects === 'too-large') return 'unpacks-too-large';
    room -= objects.byteLength;
    const outside = Buffer.from(objects)
      .toString('latin1')
      .replace(/\((?:\\[\s\S]|[^\\()])*\)/g, '()');
    if (scriptsUnpacked.test(outside)) return 'scripts';
    if (programsUnpacked.test(outside)) return 'programs';
  }
  return null;
}

function unpacked(packed: Uint8Array, maxOutputLength: number): Uint8Array | 'too-large' | null {
  try {
    // Readers bear a stream that ends early, so this does too.
    return inflateSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : null;
  }
}
