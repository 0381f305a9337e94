import { describe, expect, it } from 'vitest';
import { composeMail } from './mail-layout.ts';

const page = {
  subject: 'Noor applied\r\nBcc: everyone@example.test',
  heading: 'Noor <script>alert(1)</script> applied',
  paragraphs: [
    'For “Barista”.',
    'Two\nlines & an ampersand',
    { lead: 'They wrote', quoted: 'First <b>line</b>\n\nسلام' },
  ],
  facts: [
    { label: 'When', value: 'Sat 5 Dec, 08:00–14:00' },
    { label: 'Answer by', value: 'Thu 3 Dec, 18:40' },
  ],
  action: { label: 'See the applicant', url: 'https://nearhand.example/job-applicants/1?a="b"' },
  footnote: 'You get this because you hire at Café Noord.',
};

describe('composeMail', () => {
  const mail = composeMail('noor@example.test', 'key', page);

  it('keeps the subject on one line', () => {
    expect(mail.subject).toBe('Noor applied Bcc: everyone@example.test');
  });

  it('contains everything in plain text', () => {
    expect(mail.text).toContain('Two\nlines & an ampersand');
    expect(mail.text).toContain('Answer by: Thu 3 Dec, 18:40');
    expect(mail.text).toContain('https://nearhand.example/job-applicants/1?a="b"');
  });

  it('has a space before colons in French', () => {
    const { text, html } = mail.in('fr');
    for (const words of ['Answer by\u00A0: Thu', 'They wrote\u00A0:\n', 'See the applicant\u00A0:\n'])
      expect(text).toContain(words);
    expect(html).toContain('They wrote\u00A0:</p>');
    expect(mail.in('de').text).toContain('They wrote:\n');
  });

  it('escapes user input', () => {
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('Noor &lt;script&gt;alert(1)&lt;/script&gt; applied');
    expect(mail.html).toContain('a=&quot;b&quot;');
    expect(mail.html).toContain('Two<br>lines &amp; an ampersand');
  });

  it('quotes multi-line user text line by line, in both parts', () => {
    expect(mail.text).toContain('\n\nThey wrote:\n\n> First <b>line</b>\n>\n> سلام\n\n');
    expect(mail.html).toMatch(
      /<p [^>]*>They wrote:<\/p>\n<blockquote [^>]*><div dir="auto">First &lt;b&gt;line&lt;\/b&gt;<\/div><div dir="auto">&nbsp;<\/div><div dir="auto">سلام<\/div><\/blockquote>/,
    );
  });

  it('loads nothing from outside', () => {
    expect(mail.html).not.toMatch(/<(img|link|script)\b|url\(/);
  });
});
