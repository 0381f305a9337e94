import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { type FilePurpose, filePurposes } from '@nearhand/contract/people/files';
import PDFDocument from 'pdfkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { findInOffice } from './active-office.ts';
import { findInPdf } from './active-pdf.ts';
import { pdfBytes } from './files.fixtures.ts';

const app = useTestApp();
let leila: Person;
beforeAll(async () => {
  leila = await app.person();
});

type Bytes = Uint8Array<ArrayBuffer>;
const upload = (bytes: Bytes, name: string, purpose: FilePurpose = 'cv') =>
  leila.api.files.upload({ purpose, file: new File([bytes], name) });

const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (kind: string, target: string, rest = 'TargetMode="External"') =>
  `<Relationships><Relationship Id="rId1" Type="${officeTypes}/${kind}" Target="${target}" ${rest}/></Relationships>`;

/** A DOCX with these parts in addition to its content types and text. */
async function docx(parts: Record<string, string | Buffer> = {}, types = ''): Promise<Bytes> {
  const zip = new ZipFile();
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const all: Record<string, string | Buffer> = {
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${main}"/>${types}</Types>`,
    '_rels/.rels': relationships('officeDocument', 'word/document.xml', ''),
    'word/document.xml': '<w:document><w:body>Ten years behind the bar</w:body></w:document>',
    ...parts,
  };
  for (const [name, content] of Object.entries(all)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * A PDF with these objects, numbered from 10; optionally the last is in a compressed stream, with `rest` in
 * the stream's dictionary.
 */
function pdfWith(
  objects: string,
  packed?: string | Buffer,
  rest = '',
  type = '/Type /ObjStm ',
  filter = '/FlateDecode',
): Bytes {
  const plain = Buffer.from(pdfBytes()).toString('latin1');
  let more = `10 0 obj\n${objects}\nendobj\n`;
  if (packed !== undefined) {
    const bytes = typeof packed === 'string' ? deflateSync(Buffer.from(packed, 'latin1')) : packed;
    more += `11 0 obj\n<< ${type}/N 1 /First 5 ${rest}/Filter ${filter} /Length ${bytes.length} >>\nstream\n${bytes.toString('latin1')}\nendstream\nendobj\n`;
  }
  return new Uint8Array(Buffer.from(plain.replace('xref\n', `${more}xref\n`), 'latin1'));
}

const script = '10 0 << /S /JavaScript /JS (x) >>';
/** Compressed objects whose bytes spell `endstream` before their script. */
function spellingItsEnd(): Buffer {
  const start = Buffer.from('10 0 % endstream\n', 'latin1');
  const sizes = Buffer.from([0, start.length, 0, 255 - start.length, 255]);
  const sum = deflateSync(Buffer.concat([start, Buffer.from(script)])).subarray(-4);
  return Buffer.concat([Buffer.from([0x78, 0x01]), sizes, start, deflateRawSync(Buffer.from(script)), sum]);
}

type Hostile = [what: string, make: () => Bytes | Promise<Bytes>, found: string];
const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const word = (body: string) =>
  `<w:document xmlns:w="${space}"><w:body><w:p>${body}</w:p></w:body></w:document>`;
const run = (content: string) => `<w:r>${content}</w:r>`;
const mark = (kind: string) => run(`<w:fldChar w:fldCharType="${kind}"/>`);
const code = (text: string) =>
  run(`<w:rPr><w:b/></w:rPr><w:instrText xml:space="preserve">${text}</w:instrText>`);
/** A field whose code is split into these runs. */
const field = (...codes: string[]) =>
  `${mark('begin')}${codes.map((text) => (text.startsWith('<') ? text : code(text))).join('')}${mark('separate')}${run('<w:t>1</w:t>')}${mark('end')}`;
const hostileFields: [string, string, string?][] = [
  ...[
    'DDE',
    'DDEAUTO',
    'ddeauto',
    'INCLUDETEXT',
    'INCLUDEPICTURE',
    'IMPORT',
    'LINK',
    'RD',
    'DATABASE',
    'EMBED',
    'AUTOTEXT',
    'QUOTE',
  ].map((name): [string, string] => [name, field(` ${name} "c:\\x" `)]),
  ['split over runs', field(' DD', 'EAU', 'TO x')],
  ['letters as numbers', field(' &#68;DEAUTO x')],
  ['in a simple field', '<w:fldSimple w:instr="DDEAUTO x"/>'],
  ['in the code of another', field(' HYPERLINK ', field('QUOTE 68'))],
  ['calculated', field(field('= 68'), ' AUTO x')],
  [
    'under another prefix',
    `${mark('begin')}<x:instrText xmlns:x="${space}">DDEAUTO</x:instrText>${mark('end')}`,
  ],
  [
    'behind what readers leave out',
    field('<mc:Fallback><w:r><w:instrText>PAGE </w:instrText></w:r></mc:Fallback>', 'DDEAUTO x'),
  ],
  [
    'behind what is deleted',
    field('<w:del><w:r><w:delInstrText>PAGE </w:delInstrText></w:r></w:del>', 'DDEAUTO x'),
  ],
  ['without an end', `${mark('begin')}${code('DDEAUTO x')}`],
  [
    'in a box of text',
    `<w:pict><v:textbox><w:txbxContent><w:p>${field('DDEAUTO x')}</w:p></w:txbxContent></v:textbox></w:pict>`,
  ],
  ['a macro button', field('MACROBUTTON FileOpen x')],
  ['a link to a file', field('HYPERLINK "file://evil/a" \\o "web: page"'), 'external'],
  ['a link to another machine', field('HYPERLINK "\\\\\\\\evil\\\\a"'), 'external'],
];
const wordParts = {
  'docProps/app.xml':
    '<Properties xmlns="a" xmlns:vt="b"><Application>Microsoft Office Word</Application></Properties>',
  'word/_rels/document.xml.rels': `<Relationships>${[
    'https://x.example/?a=1&amp;b=2',
    'mailto:a@x.example',
    'tel:+31201234567',
    'www.x.example',
    '#top',
  ]
    .map(
      (target, index) =>
        `<Relationship Id="rId${index}" Type="${officeTypes}/hyperlink" Target="${target}" TargetMode="External"/>`,
    )
    .join(
      '',
    )}<Relationship Id="rId9" Type="${officeTypes}/image" Target="media/image1.png"/></Relationships>`,
  'word/document.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n${word(
    `<w:hyperlink r:id="rId0"><w:r><w:t>web</w:t></w:r></w:hyperlink><a:blip r:embed="rId9"/>${field(' PAGE ', ' \\* MERGEFORMAT ')}${field(' HYPERLINK "https://x.example" \\o "My site: home" ')}${field(' HYPERLINK \\l "_Toc1" ')}${field(' IF ', field(' PAGE '), ' = 1 "a" "b" ')}${field(' TOC \\o "1-3" \\h ')}<w:fldSimple w:instr=" NUMPAGES "/><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent><w:p>${field(' DATE ')}</w:p></w:txbxContent></mc:Choice><mc:Fallback><w:pict><v:shape href="https://x.example"/></w:pict></mc:Fallback></mc:AlternateContent>`,
  )}`,
  'word/footer1.xml': word(
    field('<w:r><w:rPr><w14:ligatures w14:val="none"/></w:rPr><w:instrText> PAGE </w:instrText></w:r>'),
  ),
  'word/media/image1.png': 'x',
  'word/media/image2.svg': '<!DOCTYPE svg PUBLIC "a" "b"><svg xmlns:xlink="c"><use xlink:href="#a"/></svg>',
  'customXml/item1.xml': '<b:Sources xmlns:b="a" xmlns="a" Version="6"/>',
};
const wordTypes =
  '<Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>';

describe('documents with active content', () => {
  it.each<[string, () => Bytes | Promise<Bytes>, string]>([
    ['macros', () => docx({ 'word/vbaProject.bin': Buffer.from('\xd0\xcf\x11\xe0', 'latin1') }), 'macros'],
    [
      'macros under another name',
      () =>
        docx(
          { 'word/other.png': 'x' },
          '<Default Extension="png" ContentType="application/vnd.ms-office.vbaProject"/>',
        ),
      'macros',
    ],
    ['a control', () => docx({ 'word/activeX/activeX1.xml': '<ax:ocx/>' }), 'programs'],
    ['a packed program', () => docx({ 'word/embeddings/oleObject1.bin': 'MZ' }), 'attachments'],
    ['a packed workbook', () => docx({ 'word/embeddings/Sheet1.xlsx': 'PK' }), 'attachments'],
    [
      'a page to insert',
      () => docx({ 'word/document.xml': word('<w:altChunk r:id="rId1"/>') }),
      'attachments',
    ],
    ...(['aFChunk', 'oleObject', 'package', 'subDocument'] as const).map(
      (kind): Hostile => [
        `a relationship of kind ${kind}`,
        () => docx({ 'word/_rels/document.xml.rels': relationships(kind, 'https://evil.example/a') }),
        'attachments',
      ],
    ),
    ...(['frame', 'image', 'mailMergeSource', 'externalLinkPath', 'video'] as const).map(
      (kind): Hostile => [
        `an address of kind ${kind}`,
        () => docx({ 'word/_rels/webSettings.xml.rels': relationships(kind, 'https://evil.example/a') }),
        'external',
      ],
    ),
    ...(
      [
        'file:///c:/a',
        '\\\\evil\\a.png',
        '//evil/a',
        'javascript:x',
        'ms-word:ofe|u|http://evil.example',
        ' &#x66;ile://evil/a',
      ] as const
    ).map(
      (target): Hostile => [
        `a link to ${target}`,
        () => docx({ 'word/_rels/document.xml.rels': relationships('hyperlink', target) }),
        'external',
      ],
    ),
    [
      "a folder of another machine in the document's own relationships",
      () => docx({ 'word/_rels/document.xml.rels': relationships('image', '\\\\evil\\a.png', '') }),
      'external',
    ],
    [
      'a picture from elsewhere by the relationship of a link',
      () =>
        docx({
          'word/_rels/document.xml.rels': relationships('hyperlink', 'https://evil.example/a.png'),
          'word/document.xml': word('<a:blip r:link="rId1"/>'),
        }),
      'external',
    ],
    [
      'a picture of another machine in an old drawing',
      () => docx({ 'word/document.xml': word('<v:imagedata src="\\\\evil\\a.png"/>') }),
      'external',
    ],
    [
      'a script in a picture',
      () => docx({ 'word/media/a.svg': '<svg><script>x</script></svg>' }),
      'programs',
    ],
    ...hostileFields.map(
      ([what, body, found = 'fields']): Hostile => [
        `a field: ${what}`,
        () => docx({ 'word/footnotes.xml': word(body) }),
        found,
      ],
    ),
    ...(['header1', 'footer1', 'comments', 'endnotes', 'glossary/document'] as const).map(
      (part): Hostile => [
        `a field in ${part}`,
        () => docx({ [`word/${part}.xml`]: word(field(' DDEAUTO c:\\x ')) }),
        'fields',
      ],
    ),
    ...(
      [
        '/URI (file:///c:/a)',
        '/URI (\\\\\\\\evil\\\\a)',
        '/URI <FEFF00660069006C0065003A002F002F0061>',
        '/URI <FEFF00660069006C0065003A002F002F006100>',
        '/URI (\\377\\376f\\000i\\000l\\000e\\000:\\000/\\000a\\000)',
        '/URI (\\357\\273\\277file:///c:/a)',
        '/URI /file:#2f#2fevil#2fa',
        '/URI 12 0 R',
        '/URI 012 0 R',
        '/F (a.pdf)',
        '/URI (..\\\\x.exe)',
        '/URI (x.exe)',
        '/URI (./x.exe)',
        '/Base (folder/)',
      ] as const
    ).map(
      (entry): Hostile => [
        `the address ${entry}`,
        () => pdfWith(`<< /S /URI ${entry} >>\nendobj\n12 0 obj\n(f\\151le:///c:/a)`),
        'external',
      ],
    ),
    ...(['GoToR', 'SubmitForm', 'ImportData'] as const).map(
      (kind): Hostile => [`the action ${kind}`, () => pdfWith('<< >>', `10 0 << /S /${kind} >>`), 'external'],
    ),
    ['a file in it', () => pdfWith('<< /Names << /EmbeddedFiles 12 0 R >> >>'), 'attachments'],
    [
      'a page that opens by itself',
      () => pdfWith('<< /OpenAction << /S /URI /URI (https://evil.example) >> >>'),
      'external',
    ],
    [
      'a page that opens by itself, by reference',
      () => pdfWith('<< /OpenAction 12 0 R >>\nendobj\n12 0 obj\n<< /S /URI /URI (https://evil.example) >>'),
      'external',
    ],
    [
      'a page that opens by itself, packed',
      () => pdfWith('<< /OpenAction 10 0 R >>', '10 0 << /S /URI /URI (https://evil.example) >>'),
      'external',
    ],
    [
      'a page that opens after a place of the document',
      () => pdfWith('<< /OpenAction << /S /GoTo /D [3 0 R /Fit] /Next 12 0 R >> >>'),
      'external',
    ],
    [
      'a page that opens with a page of it',
      () => pdfWith('<< /AA << /O << /S /URI /URI (https://evil.example) >> >> >>'),
      'external',
    ],
    ['a film', () => pdfWith('<< /Subtype /RichMedia >>'), 'programs'],
    ['a stream in another file', () => pdfWith('<< /F (a) /Length 1 >>\nstream\nx\nendstream'), 'external'],
    ['scripts in packed objects that do not say so', () => pdfWith('<< >>', script, '', ''), 'scripts'],
    [
      'a template from elsewhere',
      () =>
        docx({
          'word/_rels/settings.xml.rels':
            '<Relationships><Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="https://evil.example/t.dotm" TargetMode="External"/></Relationships>',
        }),
      'remote-template',
    ],
    ['scripts', () => pdfWith('<< /S /JavaScript /JS (app.alert\\(1\\)) >>'), 'scripts'],
    ['scripts in odd spelling', () => pdfWith('<</#53%\n/J#61va#53cript/JS(app.alert\\(1\\))>>'), 'scripts'],
    ['scripts in a packed object', () => pdfWith('<< >>', '10 0 << /S /JavaScript /JS (x) >>'), 'scripts'],
    ['scripts by reference', () => pdfWith('/JavaScript'), 'scripts'],
    ['scripts after a long comment', () => pdfWith(`<< /S %${'x'.repeat(90)}\n /JavaScript >>`), 'scripts'],
    ['scripts after comments', () => pdfWith(`<< /S ${'% x\n'.repeat(5)}/JavaScript >>`), 'scripts'],
    ['a form that brings scripts', () => pdfWith('<< /AcroForm << /XFA [(form) 12 0 R] >> >>'), 'scripts'],
    [
      'a template whose address is written in numbers',
      () =>
        docx({
          'word/_rels/settings.xml.RELS':
            '<Relationships><Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attached&#84;emplate" Target="https://evil.example/t.dotm" TargetMode="&#x45;xternal"/></Relationships>',
        }),
      'remote-template',
    ],
    ['a program to start', () => pdfWith('<< /S /Launch /F (calc.exe) >>'), 'programs'],
  ])('are refused: %s', async (_what, make, problem) => {
    expect(await failure(upload(await make(), 'cv'))).toMatchObject({
      status: 422,
      code: 'file/active-content',
      data: { found: problem },
    });
  });

  it.each<[string, () => Bytes | Promise<Bytes>]>([
    ['packed objects that seem to end', () => pdfWith('<< >>', spellingItsEnd())],
    [
      'packed objects with two filters',
      () =>
        pdfWith(
          '<< >>',
          deflateSync(deflateSync(Buffer.from(script))),
          '',
          '',
          '[/FlateDecode /FlateDecode]',
        ),
    ],
    [
      'packed objects as hexadecimal numbers',
      () =>
        pdfWith('<< >>', Buffer.from(`${Buffer.from(script).toString('hex')}>`), '', '', '/ASCIIHexDecode'),
    ],
    [
      'packed objects that break off',
      () => pdfWith('<< >>', deflateSync(Buffer.from(script)).subarray(0, -6)),
    ],
    ['packed objects that overlap', () => pdfWith('<< >>', '10 4 (<< >>) ')],
    ['a filter that nobody knows', () => pdfWith('<< /Filter /Rot13 /Length 1 >>\nstream\nx\nendstream')],
    ...['(', '% ', '<< /Length 1 >>\nstream\n'].map((start): [string, () => Bytes] => [
      `an object within ${start}`,
      () =>
        pdfWith(
          `${start}12 0 obj << /S /JavaScript >> ${{ '(': ')', '% ': '\n<< >>' }[start] ?? '\nendstream'}`,
        ),
    ]),
    ['an object whose head has a comment', () => pdfWith('<< >>\nendobj\n12 %\n0 obj << >>')],
    ['bytes after the end', () => new Uint8Array(Buffer.concat([pdfBytes(), Buffer.from('PK more')]))],
    ['a part twice, in two spellings', () => docx({ 'word/A.xml': '<a/>', 'word/a.xml': '<a/>' })],
    ['a broken tag', () => docx({ 'word/a.xml': '<a b=c/>' })],
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
    ['a number with a sign', () => pdfWith('<< /A +12 0 R >>')],
    [
      'an object that is a reference',
      () => pdfWith('<< /S /URI /URI 12 0 R >>\nendobj\n12 0 obj\n13 0 R\nendobj\n13 0 obj\n(file:///c:/a)'),
    ],
    ['names for its own texts', () => docx({ '_rels/.rels': '<!DOCTYPE x [<!ENTITY e "External">]><x/>' })],
  ])('are refused where they hide what they say: %s', async (_what, make) => {
    expect(await failure(upload(await make(), 'cv'))).toMatchObject({ status: 422, code: 'file/unreadable' });
  });

  it("are rejected with a password, since they can't be scanned", async () => {
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
    ['a DOCX as Word writes it', () => docx(wordParts, wordTypes)],
    ['a DOCX with a picture', () => docx({ 'word/media/a.png': 'x' })],
    [
      'a PDF with a place called JavaScript',
      () => pdfWith('<< /JavaScript [3 0 R /Fit] /A << /Dest /JavaScript >> >>'),
    ],
    [
      'a PDF with a form, a signature and a mailbox',
      () =>
        pdfWith(
          '<< /AcroForm << /Fields [] >> /S /URI /URI (mailto:a@b.example) /F 4 /OpenAction << /S /GoTo /D [3 0 R /Fit] >> >>',
        ),
    ],
    ['a PDF that opens at a page', () => pdfWith('<< /OpenAction [3 0 R /FitH 800] >>')],
    [
      'a PDF that opens at a page, by reference',
      () => pdfWith('<< /OpenAction 12 0 R >>\nendobj\n12 0 obj\n<< /S /GoTo /D [3 0 R /Fit] >>'),
    ],
    [
      'a PDF with links as people write them',
      () => pdfWith('<< /A << /URI (www.nearhand.example/a) >> /B << /URI (#page) >> >>'),
    ],
    ['a PDF that is about JavaScript', () => pdfBytes('HTML/JavaScript and /S')],
    ['a PDF with packed objects', () => pdfWith('<< >>', '10 0 << /Title (HTML/JavaScript) >>')],
    ['a PDF with a link', () => pdfWith('<< /S /URI /URI (https://nearhand.example/JavaScript) >>')],
  ])('are not what these are: %s', async (_what, make) => {
    expect(await upload(await make(), 'cv')).toMatchObject({ purpose: 'cv' });
  });

  it('pass when we generated them', async () => {
    const document = new PDFDocument();
    document.text('HTML/JavaScript').end();
    const chunks: Buffer[] = [];
    for await (const chunk of document) chunks.push(chunk as Buffer);
    expect(findInPdf(new Uint8Array(Buffer.concat(chunks)), 1_000_000)).toBeNull();
  });
});

describe('every way in', () => {
  it.each(filePurposes)('rejects hostile documents of purpose %s', async (purpose) => {
    const hostile = [
      pdfWith('<< /S /Launch >>'),
      await docx({ 'word/document.xml': word(field('DDEAUTO x')) }),
    ];
    for (const bytes of hostile)
      expect(await failure(upload(bytes, 'a', purpose))).toMatchObject({
        status: 422,
        code: expect.stringMatching(/^file\/(active-content|wrong-type)$/),
      });
  });

  it('runs the check: nothing else stores bytes or writes a file row', async () => {
    const source = path.resolve(import.meta.dirname, '../..');
    const callers = new Set<string>();
    for (const name of await readdir(source, { recursive: true })) {
      if (!name.endsWith('.ts') || /\.(test|fixtures)\.ts$/.test(name)) continue;
      const text = await readFile(path.join(source, name), 'utf8');
      if (
        /fileStore\.put(File)?\(|store\.put(File)?\(|insertFile\(|insertInto\('files'\)|insert into files/i.test(
          text,
        )
      )
        callers.add(name);
    }
    expect([...callers].sort()).toEqual([
      // Restores bytes that were checked when they were first stored.
      'backup/stored-files.ts',
      // Stores a ZIP of the person's own data, made by the server.
      'people/data-exports/data-exports.ts',
      // Its statement, which only `files.ts` runs.
      'people/files/files.sql.ts',
      'people/files/files.ts',
      // Stores the same bytes under another key.
      'people/files/re-encryption.ts',
      // This file counts the store's writes.
      'platform/file-store/file-store.ts',
      // At start, writes one byte of its own to check that the store works.
      'platform/process/start-checks.ts',
    ]);
  });
});

/** Variants of hostile documents, each of which must stay refused. */
describe('changed hostile documents', () => {
  const seeded = (seed: number) => {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
  };
  const spelledOut = (name: string, random: () => number) =>
    [...name].map((letter) => (random() < 0.4 ? `#${letter.charCodeAt(0).toString(16)}` : letter)).join('');
  const blanks = [' ', '\n', '\0', '\t ', ' % x\n', '\r\n'];
  const anyOf = <Item>(items: readonly Item[], random: () => number) =>
    items[Math.floor(random() * items.length)] as Item;

  function pdfOf(kind: string, random: () => number): Bytes {
    const gap = () => anyOf(blanks, random);
    const action = `<<${gap()}/S${gap()}/${spelledOut(kind, random)}${gap()}/X (a\\)b)${gap()}>>`;
    const nested = `[ ${'<< /A '.repeat(Math.floor(random() * 5))}`;
    const whole = `${nested}${action}${' >>'.repeat((nested.match(/<</g) ?? []).length)} ]`;
    if (random() < 0.4) return pdfWith(whole);
    const content = `10 0 ${whole}`;
    const level = Math.floor(random() * 10);
    const once = deflateSync(Buffer.from(content, 'latin1'), { level });
    if (random() < 0.3) return pdfWith('<< >>', deflateSync(once), '', '', '[/FlateDecode /FlateDecode]');
    return pdfWith('<< >>', once, '', anyOf(['', '/Type /ObjStm ', '/Type /X '], random));
  }

  function docxOf(name: string, random: () => number): Promise<Bytes> {
    const letters = [...` ${name} a `].map((letter) =>
      random() < 0.3 ? `&#${letter.charCodeAt(0)};` : letter,
    );
    const codes: string[] = [];
    while (letters.length > 0) codes.push(letters.splice(0, 1 + Math.floor(random() * 4)).join(''));
    const noise = () =>
      anyOf(
        ['', '<w:proofErr w:type="a"/>', '<!-- PAGE -->', '<w:bookmarkStart w:id="1"/>', '</w:p><w:p>'],
        random,
      );
    const parted = codes.flatMap((text) => [code(text), noise() || '<w:proofErr/>']);
    const part = anyOf(['document', 'header3', 'odd-name', 'A/B/c', 'footnotes'], random);
    return docx({ [`word/${part}.xml`]: word(field(...parted)) });
  }

  it('stay rejected, and the same changes to plain ones pass for most', async () => {
    let plain = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seeded(seed);
      const kind = anyOf(
        ['JavaScript', 'Launch', 'GoToR', 'SubmitForm', 'Rendition', 'ImportData', 'GoToE'],
        random,
      );
      expect(findInPdf(pdfOf(kind, seeded(seed)), 1e6), `PDF ${seed}`).not.toBeNull();
      if (findInPdf(pdfOf('GoTo', seeded(seed)), 1e6) === null) plain += 1;
    }
    // All PDFs except those with two filters.
    expect(plain).toBeGreaterThan(200);
    const limits = { maxBytes: 1e6, maxRatio: 20, ratioFrom: 1e6 };
    for (let seed = 1; seed <= 200; seed += 1) {
      const name = anyOf(['DDE', 'DDEAUTO', 'INCLUDETEXT', 'INCLUDEPICTURE', 'LINK', 'IMPORT'], seeded(seed));
      expect(await findInOffice(await docxOf(name, seeded(seed)), limits), `DOCX ${seed}`).toBe('fields');
      expect(await findInOffice(await docxOf('PAGE', seeded(seed)), limits), `plain ${seed}`).toBeNull();
    }
  });
});

describe('documents made to take long', () => {
  const tenMB = 10_000_000;
  it.each(['/S%', '/S ', '\n', '/\n', 'stream\n', '/ObjStm stream\n', 'obj%', '/#5'])(
    'are scanned in linear time: %j',
    (piece) => {
      const bytes = new Uint8Array(Buffer.from(piece.repeat(tenMB / piece.length)));
      const start = performance.now();
      expect(findInPdf(bytes, tenMB)).toBe('unreadable');
      // Takes at most a second on an idle machine; a quadratic algorithm takes hours.
      expect(performance.now() - start).toBeLessThan(15_000);
    },
  );

  // Ambiguous numbers and targets: these took 20 and 40 s of CPU.
  it.each([
    ['/Encrypt', 'locked'],
    ['/XFA', 'scripts'],
  ])('are rejected for an endless number after %s', (name, problem) => {
    const bytes = new Uint8Array(Buffer.from(`%PDF-1.4\n1 0 obj\n${name} ${'1'.repeat(100_000)}\n%%EOF`));
    const before = process.cpuUsage();
    expect(findInPdf(bytes, tenMB)).toBe(problem);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it.each(['attachedTemplate', 'TargetMode="External'])('are scanned in linear time: %j', async (piece) => {
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

  it('are rejected for any declared size', async () => {
    const honest = Buffer.from(await docx({ 'word/document.xml': Buffer.alloc(2 * MiB) }));
    for (
      let at = honest.indexOf('PK\x01\x02', 0, 'latin1');
      at !== -1;
      at = honest.indexOf('PK\x01\x02', at + 4, 'latin1')
    )
      honest.writeUInt32LE(100, at + 24);
    expect(await failure(upload(new Uint8Array(honest), 'cv'))).toMatchObject({ status: 422 });
  });

  it('exclude small, repetitive ones', async () => {
    const bytes = await docx({ 'word/styles.xml': '<w:style/>'.repeat(60_000) });
    expect(bytes.byteLength * 20).toBeLessThan(600_000);
    expect(await upload(bytes, 'cv.docx')).toMatchObject({ purpose: 'cv' });
  });
});
