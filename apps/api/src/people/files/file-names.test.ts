import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachmentHeader, cleanName } from './files.ts';

describe('cleanName', () => {
  it.each([
    ['Leila Haddad CV.pdf', 'Leila Haddad CV.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\Users\\me\\cv.docx', 'cv.pdf'],
    ['cv\u202Efdp.exe', 'cvfdp.pdf'],
    ['سيرة ذاتية.pdf', 'سيرة ذاتية.pdf'],
    ['👩🏽‍🍳 履歴書.PDF', '👩🏽‍🍳 履歴書.pdf'],
    ['a\u0000b\r\nc.pdf', 'abc.pdf'],
    ['.pdf', 'file.pdf'],
    ['...', 'file.pdf'],
    ['', 'file.pdf'],
    ['what? "this" <one>.pdf', 'what_ _this_ _one_.pdf'],
    ['\ud800.pdf', '_.pdf'],
  ])('%j becomes %j', (name, clean) => expect(cleanName(name, 'pdf')).toBe(clean));

  it('cuts a long name by whole characters', () => {
    const name = cleanName(`${'🎓'.repeat(300)}.pdf`, 'pdf');
    expect([...name]).toHaveLength(120);
    expect(name.isWellFormed()).toBe(true);
  });

  // In quadratic time it would take hours.
  it('handles a name of a million dots', () => {
    expect(cleanName(`a${'.'.repeat(1_000_000)}an-ending-that-is-none`, 'pdf')).toMatch(/\.pdf$/);
  });

  it('never yields a folder, a control character or an empty stem', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (rawName) => {
        const name = cleanName(rawName, 'webp');
        expect(name).toMatch(/^[^/\\\p{Cc}]+\.webp$/u);
      }),
    );
  });
});

describe('attachment', () => {
  it('contains any script for new clients and a plain name for old ones', () => {
    expect(attachmentHeader('Žofie "CV" (1).pdf')).toBe(
      'attachment; filename="_ofie _CV_ (1).pdf"; filename*=UTF-8\'\'%C5%BDofie%20%22CV%22%20%281%29.pdf',
    );
  });

  it('is always a valid header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (rawName) => {
        expect(attachmentHeader(cleanName(rawName, 'pdf'))).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});
