import type { Language } from '@nearhand/contract/languages';
import { durationText } from '../../platform/mail/duration-words.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { ink, openPdf, page } from '../../platform/pdf/pdf-pen.ts';
import type { PrintedReceipt } from '../receipts/receipts.ts';
import { moneyText, timeText } from './print-words.ts';

const { margin, width } = page;
const whatText = {
  work: phrase('Work'),
  compensation: phrase('Late cancellation'),
  tip: phrase('Tip'),
  bonus: phrase('Bonus'),
} as const;

/** Renders a receipt as a PDF in the reader's language. */
export function receiptPdf(row: PrintedReceipt, language: Language = 'en'): NodeJS.ReadableStream {
  const text = (message: MailText) => phraseIn(language, message);
  const money = (minor: number) => moneyText(minor, currency, { language });
  const { content } = row;
  const currency = row.currency;
  const number = row.printedNumber;
  const title = text(phrase('Receipt'));
  const { pen, stream } = openPdf({ title: `${title} ${number}`, at: row.issuedAt, language });
  const second = { colour: ink.second } as const;
  pen.addPage();
  pen.brand(margin - 4, 36);
  for (const [at, line] of content.sender.slice(0, 5).entries())
    pen.text(line, width - margin - 240, 40 + at * 13, { ...second, width: 240, align: 'right' });

  pen.text(title, margin, 118, { size: 24, bold: true });
  pen.text(text(phrase('Number')), margin, 160, second);
  pen.text(number, margin + 70, 160, { bold: true });
  pen.text(text(phrase('Date')), margin, 175, second);
  pen.text(timeText(row.issuedAt, content.timeZone, false, language), margin + 70, 175);

  const { business } = content;
  pen.text(text(phrase('To')), margin, 206, second);
  pen.text(business.legalName || business.name, margin + 70, 206, { bold: true, width: 380 });
  const lines = [
    business.legalName && business.legalName !== business.name ? business.name : '',
    business.address,
    business.area,
    business.registrationNumber &&
      text(phrase('Registration {number}', { number: business.registrationNumber })),
  ].filter((line) => line !== '');
  for (const [at, line] of lines.entries())
    pen.text(line, margin + 70, 221 + at * 14, { ...second, width: 380 });

  const top = 310;
  pen.rule(top, ink.second);
  pen.text(`${text(whatText[content.kind])}: ${content.workerName}`, margin, top + 12, {
    bold: true,
    width: 390,
  });
  pen.text(content.jobTitle, margin, top + 27, { ...second, width: 390 });
  pen.text(workText(content, language), margin, top + 41, { ...second, width: 390 });
  const amount = { width: 110, align: 'right' } as const;
  const right = width - margin - amount.width;
  pen.text(money(row.amountMinor), right, top + 12, amount);
  pen.rule(top + 62);
  const y = top + 72;
  pen.text(text(phrase('Total')), margin, y + 2, { size: 12, bold: true });
  pen.text(money(row.amountMinor), right - 40, y + 2, {
    size: 12,
    bold: true,
    width: amount.width + 40,
    align: 'right',
  });
  pen.rule(y + 26, ink.second);
  pen.text(text(phrase('Paid. No action needed.')), margin, y + 38, second);
  pen.end();
  return stream;
}

function workText(content: PrintedReceipt['content'], language: Language): string {
  const when =
    content.startsAt === null
      ? phraseIn(language, phrase('Task'))
      : timeText(content.startsAt, content.timeZone, content.endsAt !== null, language);
  return content.paidMinutes === null
    ? when
    : phraseIn(
        language,
        phrase('{when}, {length} paid', { when, length: durationText(content.paidMinutes, language) }),
      );
}
