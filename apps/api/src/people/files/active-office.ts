import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

export type OfficeFinding =
  | 'macros'
  | 'programs'
  | 'remote-template'
  | 'locked'
  | 'unreadable'
  | 'unpacks-too-large';
export type UnpackLimits = { maxBytes: number; maxRatio: number; ratioFrom: number };

const macros = /(^|\/)(vbaProject[^/]*\.bin|vbaData\.xml|attachedToolbars\.bin)$|(^|\/)macrosheets\//i;
/** Controls, and packed files that can hold anything; a chart's workbook is a plain one. */
const objects = /(^|\/)activeX\/|(^|\/)embeddings\/[^/]*\.(?!(xlsx|docx|pptx)$)[^/.]*$/i;
const macroTypes = /macroEnabled|vbaProject/i;
/** A template from elsewhere brings its macros along when the document opens. */
const isRemoteTemplate = (xml: string): boolean =>
  xml.split('>').some((tag) => /attachedTemplate/i.test(tag) && /TargetMode\s*=\s*["']External/i.test(tag));
const isEncrypted = (entry: Entry) => (entry.generalPurposeBitFlag & 1) === 1;
/** Readers tell the names of parts apart by their letters, not by their case. */
const isRead = (name: string) => /^\[Content_Types\]\.xml$|\.rels$/i.test(name);
/** As a reader sees it: a letter may be written as its number. */
const read = (xml: string) =>
  xml.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_written, hex, decimal) =>
    String.fromCodePoint(Math.min(Number.parseInt(hex ?? decimal, hex ? 16 : 10), 0x10ffff)),
  );
/** Another encoding than UTF-8, or names for its own texts, which hide what it says; Office writes neither. */
const isVeiled = (xml: string) =>
  xml.includes('\0') || xml.includes('\uFFFD') || /<!(?:ENTITY|DOCTYPE)/i.test(xml);

/** A document has some dozens of parts, and a long book with its pictures a thousand. */
export const partsMost = 5_000;
/** What all parts that are read have together: a hundred times what Office writes. */
const readBytes = 8 * 1024 * 1024;

/** What makes an Office document more than a document, or too large when unpacked. Null for a plain one. Every entry is unpacked, without keeping it. */
export async function findInOffice(bytes: Uint8Array, limits: UnpackLimits): Promise<OfficeFinding | null> {
  const zip = await openZip(bytes);
  if (zip === null) return 'unreadable';
  if (zip.entryCount > partsMost) {
    zip.close();
    return 'unreadable';
  }
  let total = 0;
  let reading = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      const name = entry.fileName;
      if (macros.test(name)) return 'macros';
      if (objects.test(name)) return 'programs';
      if (isEncrypted(entry)) return 'locked';
      const { size, text } = await unpack(zip, entry, limits.maxBytes - total, isRead(name));
      total += size;
      if (total > limits.maxBytes) return 'unpacks-too-large';
      if (total > limits.ratioFrom && total > bytes.byteLength * limits.maxRatio) return 'unpacks-too-large';
      reading += isRead(name) ? size : 0;
      if (reading > readBytes || isVeiled(text)) return 'unreadable';
      if (macroTypes.test(read(text))) return 'macros';
      if (isRemoteTemplate(read(text))) return 'remote-template';
    }
    return null;
  } catch {
    // A damaged archive fails in the reader.
    return 'unreadable';
  } finally {
    zip.close();
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

/** Stops after `room` bytes: what an archive says of its own sizes is not believed. */
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
      const kept: Buffer[] = [];
      const done = () => resolve({ size, text: Buffer.concat(kept).toString('utf8') });
      stream.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (keep) kept.push(chunk);
        if (size <= (keep ? Math.min(room, readBytes) : room)) return;
        stream.destroy();
        done();
      });
      stream.once('end', done).once('error', reject);
    });
  });
}
