import { crc32 } from 'node:zlib';
import type { FilePurpose, StoredFile } from '@nearhand/contract/people/files';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { prepareUpload, uploadFile } from './files.ts';

export function pdfBytes(text = 'Curriculum vitae'): Uint8Array<ArrayBuffer> {
  const content = `BT /F1 18 Tf 72 760 Td (${text.replace(/[^\x20-\x7e]|[()\\]/g, '?')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = body.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(body, 'latin1'));
}

export function docxBytes(): Uint8Array<ArrayBuffer> {
  const name = Buffer.from('[Content_Types].xml');
  const part = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const data = Buffer.from(`<Types><Override PartName="/word/document.xml" ContentType="${part}"/></Types>`);
  const sizes = (header: Buffer, at: number) => {
    header.writeUInt32LE(crc32(data), at);
    header.writeUInt32LE(data.length, at + 4);
    header.writeUInt32LE(data.length, at + 8);
    header.writeUInt16LE(name.length, at + 12);
    return header;
  };
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  const directory = Buffer.alloc(46);
  directory.write('PK\x01\x02', 'latin1');
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return new Uint8Array(Buffer.concat([sizes(local, 14), name, data, sizes(directory, 16), name, end]));
}

export async function makeFile(
  db: Db,
  scope: Scope,
  options: { purpose?: FilePurpose; name?: string; bytes?: Uint8Array<ArrayBuffer> } = {},
): Promise<StoredFile> {
  const { purpose = 'cv', name = 'CV.pdf', bytes = pdfBytes() } = options;
  const input = { purpose, file: new File([bytes], name) };
  const row = await prepareUpload(scope, input, db);
  return db.transaction().execute((tx) => uploadFile(tx, scope, input, row));
}
