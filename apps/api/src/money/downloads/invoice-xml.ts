import type { Currency } from '@nearhand/contract/currencies';
import { isCredit } from '@nearhand/contract/money/worker-invoices.rules';
import { escapeHtml } from '../../platform/escape-html.ts';
import type { InvoiceContent, InvoiceParty, PrintedInvoice } from '../invoices/invoices.ts';
import {
  selfBillingTerm,
  type VatCategory,
  type VatTreatment,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import type { PrintedWorkerInvoice, WorkLine } from '../worker-invoices/worker-invoices.ts';
import { decimalOf, hoursText, reasonSentence } from './print-words.ts';

type Xml = string;

/** Escaped text without the characters that XML 1.0 has no place for. */
const escapeXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML refuses
  escapeHtml(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu, ''));

const namespace = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** A basic component with its text; nothing for an empty one, which EN 16931 does not allow. */
const cbc = (name: string, text: string | null, attributes: Record<string, string> = {}): Xml => {
  if (text === null || text.trim() === '') return '';
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<cbc:${name}${written.join('')}>${escapeXml(text)}</cbc:${name}>`;
};

const cac = (name: string, ...children: Xml[]): Xml => {
  const inner = children.join('');
  return inner === '' ? '' : `<cac:${name}>${inner}</cac:${name}>`;
};

/** Codes of the CEF VATEX list; categories without one have their sentence only. */
const exemptionCodes: Partial<Record<VatCategory, string>> = { AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' };

const vatScheme = cac('TaxScheme', cbc('ID', 'VAT'));

/** Out of scope has no rate, others have one even if it is zero (BR-O-05, BR-AE-05). */
const percentOf = ({ category, rateBasisPoints }: VatTreatment): Xml =>
  category === 'O' ? '' : cbc('Percent', (rateBasisPoints / 100).toFixed(2));

/** The document of an invoice or credit note; amounts in minor units and never negative. */
type UblDocument = {
  number: string;
  isCredit: boolean;
  /** The document type (UNTDID 1001): 380 and 381, or 389 and 261 for self-billing. */
  typeCode: string;
  currency: Currency;
  content: Pick<InvoiceContent, 'seller' | 'buyer' | 'issuedOn' | 'from' | 'to' | 'vat' | 'corrects'>;
  notes: string[];
  /** The day and account of what is left to pay; null if nothing is. */
  due: { on: string; iban: string } | null;
  netMinor: number;
  vatMinor: number;
  prepaidMinor: number;
  lines: (VatTreatment & { name: string; description: string; netMinor: number })[];
};

/** An invoice or credit note for our fee as UBL 2.1 by EN 16931, from the same frozen content as its PDF. */
export function invoiceXml({ content, ...row }: PrintedInvoice): Xml {
  const isCredit = row.kind === 'credit_note';
  return ublXml({
    number: row.printedNumber,
    isCredit,
    typeCode: isCredit ? '381' : '380',
    currency: row.currency,
    content,
    notes: [],
    due: content.dueOn === null ? null : { on: content.dueOn, iban: content.iban },
    netMinor: row.netMinor,
    vatMinor: row.vatMinor,
    prepaidMinor: row.netMinor,
    lines: content.lines.map(({ branch, feeBasisPoints, ...line }) => ({
      ...line,
      name: branch === null ? 'Service fee' : `Service fee, ${branch}`,
      description: `${feeBasisPoints / 100}% of pay`,
    })),
  });
}

const workNames: Record<WorkLine['what'], string> = {
  work: 'Work',
  compensation: 'Compensation for a late cancellation',
  tip: 'Tip',
  bonus: 'Bonus',
};

/** A worker's self-billed invoice or credit note as UBL 2.1 by EN 16931. It is paid in full, VAT included. */
export function workerInvoiceXml({ content, ...row }: PrintedWorkerInvoice): Xml {
  const credit = isCredit(row);
  const currency = row.currency as Currency;
  const { selfBilling } = content;
  const legalTerm = selfBillingTerm(content);
  return ublXml({
    number: row.printedNumber,
    isCredit: credit,
    typeCode: credit ? '261' : '389',
    currency,
    content,
    notes: selfBilling
      ? [
          `Self-billing: ${selfBilling.issuer} issued this for the buyer and in the seller's name, under the agreement of ${selfBilling.agreedOn}, version ${selfBilling.version}.`,
          legalTerm === undefined ? '' : `(${legalTerm})`,
        ].filter((note) => note !== '')
      : [],
    due: null,
    netMinor: row.netMinor,
    vatMinor: row.vatMinor,
    prepaidMinor: row.paidMinor,
    lines: content.lines.map((line) => ({
      ...line,
      name: `${workNames[line.what]}: ${line.title}`,
      description: [
        line.workedOn,
        line.branch,
        line.minutes === null ? null : `${hoursText(line.minutes)} h`,
        line.hourMinor === null
          ? null
          : `${decimalOf(withoutVatMinor(line.hourMinor, line.rateBasisPoints), currency)} ${currency} an hour without VAT`,
        line.breakMinutes ? `${line.breakMinutes} min break` : null,
        `paid on ${line.paidOn}`,
      ]
        .filter((part) => part !== null)
        .join(', '),
    })),
  });
}

/** Elements are in the order of the UBL schema, and what is empty is left out. */
function ublXml(document: UblDocument): Xml {
  const { content, currency, isCredit, due, netMinor, vatMinor, prepaidMinor } = document;
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const money = (name: string, minor: number) =>
    cbc(name, decimalOf(minor, currency), { currencyID: currency });
  const isOutOfScope = content.vat.some(({ category }) => category === 'O');
  const sentences = content.vat.flatMap(({ reason }) =>
    reason === null ? [] : [reasonSentence(reason, content, 'en')],
  );
  const payableMinor = due === null ? 0 : netMinor + vatMinor - prepaidMinor;
  // VAT that is split off a whole amount can leave a cent (BT-114).
  const roundingMinor = payableMinor - (netMinor + vatMinor - prepaidMinor);
  const children = [
    cbc('CustomizationID', 'urn:cen.eu:en16931:2017'),
    cbc('ID', document.number),
    cbc('IssueDate', content.issuedOn),
    isCredit ? '' : cbc('DueDate', due?.on ?? null),
    cbc(`${root}TypeCode`, document.typeCode),
    cbc('Note', [...document.notes, ...sentences].join(' ')),
    cbc('DocumentCurrencyCode', currency),
    cac('InvoicePeriod', cbc('StartDate', content.from), cbc('EndDate', content.to)),
    content.corrects === null
      ? ''
      : cac(
          'BillingReference',
          cac(
            'InvoiceDocumentReference',
            cbc('ID', content.corrects.number),
            cbc('IssueDate', content.corrects.issuedOn),
          ),
        ),
    cac('AccountingSupplierParty', party(content.seller, { isSeller: true, isOutOfScope })),
    cac('AccountingCustomerParty', party(content.buyer, { isSeller: false, isOutOfScope })),
    due && !isCredit && due.iban !== ''
      ? cac(
          'PaymentMeans',
          cbc('PaymentMeansCode', '30'),
          cbc('PaymentID', document.number),
          cac('PayeeFinancialAccount', cbc('ID', due.iban)),
        )
      : '',
    due && isCredit ? cac('PaymentTerms', cbc('Note', `Returned by ${due.on}.`)) : '',
    cac(
      'TaxTotal',
      money('TaxAmount', vatMinor),
      ...content.vat.map((sum) =>
        cac(
          'TaxSubtotal',
          money('TaxableAmount', sum.taxableMinor),
          money('TaxAmount', sum.vatMinor),
          cac(
            'TaxCategory',
            cbc('ID', sum.category),
            percentOf(sum),
            cbc('TaxExemptionReasonCode', exemptionCodes[sum.category] ?? null),
            // Zero-rated has no exemption (BR-Z-10); its sentence is in the note.
            sum.reason === null || sum.category === 'Z'
              ? ''
              : cbc('TaxExemptionReason', reasonSentence(sum.reason, content, 'en')),
            vatScheme,
          ),
        ),
      ),
    ),
    cac(
      'LegalMonetaryTotal',
      money('LineExtensionAmount', netMinor),
      money('TaxExclusiveAmount', netMinor),
      money('TaxInclusiveAmount', netMinor + vatMinor),
      money('PrepaidAmount', prepaidMinor),
      roundingMinor === 0 ? '' : money('PayableRoundingAmount', roundingMinor),
      money('PayableAmount', payableMinor),
    ),
    ...document.lines.map((line, at) => lineOf(line, at, { isCredit, money })),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}${root}-2" xmlns:cac="${namespace}CommonAggregateComponents-2" xmlns:cbc="${namespace}CommonBasicComponents-2">${children.join('')}</${root}>\n`;
}

/**
 * Out of scope names no VAT id (BR-O-02). A seller without one is known to the tax office by its registration
 * (BT-32).
 */
function party(
  company: InvoiceParty,
  { isSeller, isOutOfScope }: { isSeller: boolean; isOutOfScope: boolean },
): Xml {
  const vatId = isOutOfScope ? '' : company.vatId;
  const taxNumber = isSeller && !isOutOfScope && company.vatId === '' ? company.registrationNumber : '';
  return cac(
    'Party',
    cac(
      'PostalAddress',
      cbc('StreetName', company.street),
      cbc('CityName', company.town),
      cbc('PostalZone', company.postcode),
      cac('Country', cbc('IdentificationCode', company.countryCode)),
    ),
    vatId === ''
      ? ''
      : cac('PartyTaxScheme', cbc('CompanyID', withCountryPrefix(company.countryCode, vatId)), vatScheme),
    taxNumber === ''
      ? ''
      : cac('PartyTaxScheme', cbc('CompanyID', taxNumber), cac('TaxScheme', cbc('ID', 'TAX'))),
    cac(
      'PartyLegalEntity',
      cbc('RegistrationName', company.name),
      cbc('CompanyID', company.registrationNumber),
      cbc('CompanyLegalForm', company.register),
    ),
    cac('Contact', cbc('ElectronicMail', company.email)),
  );
}

/** BR-CO-9 wants the country before every VAT id; a Norwegian one is printed without it. */
const withCountryPrefix = (countryCode: string, vatId: string): string =>
  countryCode === 'NO' ? `NO${vatId}` : vatId;

function lineOf(
  line: UblDocument['lines'][number],
  at: number,
  { isCredit, money }: { isCredit: boolean; money: (name: string, minor: number) => Xml },
): Xml {
  return cac(
    isCredit ? 'CreditNoteLine' : 'InvoiceLine',
    cbc('ID', String(at + 1)),
    cbc(isCredit ? 'CreditedQuantity' : 'InvoicedQuantity', '1', { unitCode: 'C62' }),
    money('LineExtensionAmount', line.netMinor),
    cac(
      'Item',
      cbc('Description', line.description),
      cbc('Name', line.name),
      cac('ClassifiedTaxCategory', cbc('ID', line.category), percentOf(line), vatScheme),
    ),
    cac('Price', money('PriceAmount', line.netMinor)),
  );
}
