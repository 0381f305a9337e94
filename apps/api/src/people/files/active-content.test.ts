import { deflateRawSync, deflateSync } from 'node:zlib';
import type { FilePurpose } from '@nearhand/contract/people/files';
import PDFDocument from 'pdfkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { findInOffice } from './active-office.ts';
import { findInPdf, packedMost } from './active-pdf.ts';
import { pdfBytes } from './files.fixtures.ts';

const app = useTestApp();
let leila: Person;
beforeAll(async () => {
  leila = await app.person();
});

type Bytes = Uint8Array<ArrayBuffer>;
const upload = (bytes: Bytes, name: string, purpose: FilePurpose = 'cv') =>
  leila.api.files.upload({ purpose, file: new File([bytes], name) });

/** A DOCX with these parts besides its content types and its text. */
async function docx(parts: Record<string, string | Buffer> = {}, types = ''): Promise<Bytes> {
  const zip = new ZipFile();
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const all: Record<string, string | Buffer> = {
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${main}"/>${types}</Types>`,
    '_rels/.rels': '<Relationships><Relationship Target="word/document.xml"/></Relationships>',
    'word/document.xml': '<w:document><w:body>Ten years behind the bar</w:body></w:document>',
    ...parts,
  };
  for (const [name, content] of Object.entries(all)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

/** A PDF whose objects from 10 on are these, the last in a packed stream if asked; `rest` goes into that stream's dictionary. */
function pdfWith(objects: string, packed?: string | Buffer, rest = ''): Bytes {
  const plain = Buffer.from(pdfBytes()).toString('latin1');
  let more = `10 0 obj\n${objects}\nendobj\n`;
  if (packed !== undefined) {
    const bytes = typeof packed === 'string' ? deflateSync(Buffer.from(packed, 'latin1')) : packed;
    more += `11 0 obj\n<< /Type /ObjStm /N 1 /First 5 ${rest}/Filter /FlateDecode /Length ${bytes.length} >>\nstream\n${bytes.toString('latin1')}\nendstream\nendobj\n`;
  }
  return new Uint8Array(Buffer.from(plain.replace('xref\n', `${more}xref\n`), 'latin1'));
}

const script = '10 0 << /S /JavaScript /JS (x) >>';
/** Packed objects whose bytes spell `endstream` before their script. */
function spellingItsEnd(): Buffer {
  const start = Buffer.from('10 0 % endstream\n', 'latin1');
  const sizes = Buffer.from([0, start.length, 0, 255 - start.length, 255]);
  const sum = deflateSync(Buffer.concat([start, Buffer.from(script)])).subarray(-4);
  return Buffer.concat([Buffer.from([0x78, 0x01]), sizes, start, deflateRawSync(Buffer.from(script)), sum]);
}

describe('documents with active content', () => {
  it.each<[string, () => Bytes | Promise<Bytes>, string]>([
    ['macros', () => docx({ 'word/vbaProject.bin': Buffer.from('\xd0\xcf\x11\xe0', 'latin1') }), 'macros'],
    [
      'macros under another name',
      () =>
        docx(
          { 'word/other.bin': 'x' },
          '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>',
        ),
      'macros',
    ],
    ['a control', () => docx({ 'word/activeX/activeX1.xml': '<ax:ocx/>' }), 'programs'],
    ['a packed program', () => docx({ 'word/embeddings/oleObject1.bin': 'MZ' }), 'programs'],
    [
      'a template from elsewhere',
      () =>
        docx({
          'word/_rels/settings.xml.rels':
            '<Relationships><Relationship Type="http://schemas.example/attachedTemplate" Target="https://evil.example/t.dotm" TargetMode="External"/></Relationships>',
        }),
      'remote-template',
    ],
    ['scripts', () => pdfWith('<< /S /JavaScript /JS (app.alert\\(1\\)) >>'), 'scripts'],
    ['scripts in odd spelling', () => pdfWith('<</#53%\n/J#61va#53cript/JS(app.alert\\(1\\))>>'), 'scripts'],
    ['scripts in a packed object', () => pdfWith('<< >>', '10 0 << /S /JavaScript /JS (x) >>'), 'scripts'],
    ['scripts by reference', () => pdfWith('/JavaScript'), 'scripts'],
    ['scripts after a long comment', () => pdfWith(`<< /S %${'x'.repeat(90)}\n /JavaScript >>`), 'scripts'],
    ['scripts after comments', () => pdfWith(`<< /S ${'% x\n'.repeat(5)}/JavaScript >>`), 'scripts'],
    ['scripts after what looks like the end', () => pdfWith('<< >>', spellingItsEnd()), 'scripts'],
    ['a form that brings scripts', () => pdfWith('<< /AcroForm << /XFA [(form) 12 0 R] >> >>'), 'scripts'],
    [
      'a template whose address is written in numbers',
      () =>
        docx({
          'word/_rels/settings.xml.RELS':
            '<Relationships><Relationship Type="http://schemas.example/attached&#84;emplate" Target="https://evil.example/t.dotm" TargetMode="&#x45;xternal"/></Relationships>',
        }),
      'remote-template',
    ],
    ['a program to start', () => pdfWith('<< /S /Launch /F (calc.exe) >>'), 'programs'],
  ])('are refused: %s', async (_what, make, found) => {
    expect(await failure(upload(await make(), 'cv'))).toMatchObject({
      status: 422,
      code: 'file/active-content',
      data: { found },
    });
  });

  it.each<[string, () => Bytes | Promise<Bytes>]>([
    [
      'packed objects in a dictionary too long to see',
      () => pdfWith('<< >>', script, `/Pad (${'x'.repeat(5_000)}) `),
    ],
    ['packed objects in a dictionary that seems to end', () => pdfWith('<< >>', script, '/Pad (endobj) ')],
    [
      'packed objects that are told as differences',
      () => pdfWith('<< >>', '10 0 << >>', '/DecodeParms << /Predictor 12 /Columns 4 >> '),
    ],
    [
      'another encoding',
      () =>
        docx({
          'word/_rels/settings.xml.rels': Buffer.from(
            '\uFEFF<Relationships><Relationship Type="attachedTemplate" TargetMode="External"/></Relationships>',
            'utf16le',
          ),
        }),
    ],
    ['names for its own texts', () => docx({ '_rels/.rels': '<!DOCTYPE x [<!ENTITY e "External">]><x/>' })],
  ])('are refused where they hide what they say: %s', async (_what, make) => {
    expect(await failure(upload(await make(), 'cv'))).toMatchObject({ status: 422, code: 'file/unreadable' });
  });

  it('are refused with a password, since nobody can look inside', async () => {
    const chunks: Buffer[] = [];
    const document = new PDFDocument({ userPassword: 'secret', pdfVersion: '1.7' });
    document.text('Curriculum vitae').end();
    for await (const chunk of document) chunks.push(chunk as Buffer);
    expect(await failure(upload(new Uint8Array(Buffer.concat(chunks)), 'cv.pdf'))).toMatchObject({
      status: 422,
      code: 'file/locked',
    });
  });

  it.each<[string, () => Bytes | Promise<Bytes>]>([
    ['a DOCX', () => docx()],
    [
      'a DOCX with a chart and a picture',
      () => docx({ 'word/embeddings/Sheet1.xlsx': 'PK', 'word/media/a.png': 'x' }),
    ],
    ['a PDF that is about JavaScript', () => pdfBytes('HTML/JavaScript and /S')],
    ['a PDF with packed objects', () => pdfWith('<< >>', '10 0 << /Title (HTML/JavaScript) >>')],
    [
      'a PDF whose packed objects break off',
      () => pdfWith('<< >>', deflateSync(Buffer.from('10 0 << >>'.repeat(99))).subarray(0, -6)),
    ],
    ['a PDF with a link', () => pdfWith('<< /S /URI /URI (https://nearhand.example/JavaScript) >>')],
  ])('are not what these are: %s', async (_what, make) => {
    expect(await upload(await make(), 'cv')).toMatchObject({ purpose: 'cv' });
  });

  it('of our own making pass', async () => {
    const document = new PDFDocument();
    document.text('HTML/JavaScript').end();
    const chunks: Buffer[] = [];
    for await (const chunk of document) chunks.push(chunk as Buffer);
    expect(findInPdf(new Uint8Array(Buffer.concat(chunks)), 1_000_000)).toBeNull();
  });
});

describe('documents made to take long', () => {
  const tenMB = 10_000_000;
  it.each(['/S%', '/S ', '\n', '/\n', 'stream\n', '/ObjStm stream\n', 'obj%', '/#5'])(
    'take as long as others: %j',
    (piece) => {
      const bytes = new Uint8Array(Buffer.from(piece.repeat(tenMB / piece.length)));
      const start = performance.now();
      findInPdf(bytes, tenMB);
      // A second at most when the machine is quiet; what grows with the square takes hours.
      expect(performance.now() - start).toBeLessThan(15_000);
    },
  );

  // Numbers and targets that could be read in every way: these took 20 and 40 s of the processor.
  it.each([
    ['/Encrypt', 'locked'],
    ['/XFA', 'scripts'],
  ])('are refused for a number without end after %s', (name, found) => {
    const bytes = new Uint8Array(Buffer.from(`%PDF-1.4\n1 0 obj\n${name} ${'1'.repeat(100_000)}\n%%EOF`));
    const before = process.cpuUsage();
    expect(findInPdf(bytes, tenMB)).toBe(found);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('are refused for more packed streams than any document has', () => {
    const stream = Buffer.concat([
      Buffer.from('/ObjStm/Fl stream\n'),
      deflateSync(Buffer.from('x')),
      Buffer.from('\n'),
    ]);
    const withStreams = (count: number) =>
      findInPdf(
        Buffer.concat([...Array<Buffer>(count).fill(stream), Buffer.from('endstream\n%%EOF')]),
        tenMB,
      );
    expect(withStreams(packedMost)).toBeNull();
    expect(withStreams(packedMost + 1)).toBe('unreadable');
  });

  it.each(['attachedTemplate', 'TargetMode="External'])('take as long as others: %j', async (piece) => {
    const bytes = await docx({ 'word/_rels/settings.xml.rels': piece.repeat(900_000 / piece.length) });
    const before = process.cpuUsage();
    expect(await findInOffice(bytes, { maxBytes: tenMB, maxRatio: 20, ratioFrom: 1_048_576 })).toBeNull();
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

describe('archives that unpack to too much', () => {
  const MiB = 1024 * 1024;
  it.each<[string, () => Bytes | Promise<Bytes>]>([
    ['over 50 MB', () => docx({ 'word/document.xml': Buffer.alloc(51 * MiB) })],
    ['over 20 times their size', () => docx({ 'word/document.xml': Buffer.alloc(2 * MiB) })],
    ['in packed objects of a PDF', () => pdfWith('<< >>', ' '.repeat(51 * MiB))],
  ])('are refused: %s', async (_what, make) => {
    const bytes = await make();
    expect(bytes.byteLength).toBeLessThan(MiB);
    expect(await failure(upload(bytes, 'cv'))).toMatchObject({
      status: 422,
      code: 'file/unpacks-too-large',
      data: { maxBytes: 50 * MiB },
    });
  });

  it('are refused whatever they say of their sizes', async () => {
    const honest = Buffer.from(await docx({ 'word/document.xml': Buffer.alloc(2 * MiB) }));
    for (
      let at = honest.indexOf('PK\x01\x02', 0, 'latin1');
      at !== -1;
      at = honest.indexOf('PK\x01\x02', at + 4, 'latin1')
    )
      honest.writeUInt32LE(100, at + 24);
    expect(await failure(upload(new Uint8Array(honest), 'cv'))).toMatchObject({ status: 422 });
  });

  it('are not small ones that repeat themselves', async () => {
    const bytes = await docx({ 'word/styles.xml': '<w:style/>'.repeat(60_000) });
    expect(bytes.byteLength * 20).toBeLessThan(600_000);
    expect(await upload(bytes, 'cv.docx')).toMatchObject({ purpose: 'cv' });
  });
});
