import type { Currency } from '@nearhand/contract/currencies';
import { isCredit } from '@nearhand/contract/money/worker-invoices.rules';
import { type Xml, xmlBranch, xmlDocument, xmlLeaf } from '../../platform/xml.ts';
import type { InvoiceContent, InvoiceParty, PrintedInvoice } from '../invoices/invoices.ts';
import {
  selfBillingTerm,
  type VatCategory,
  type VatTreatment,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import type { PrintedWorkerInvoice, WorkLine } from '../worker-invoices/worker-invoices.sql.ts';
import { decimalOf, hoursText, reasonSentence } from './print-words.ts';

const cbc = (name: string, ...rest: [text: string | null, attributes?: Record<string, string>]): Xml =>
  xmlLeaf(`cbc:${name}`, ...rest);
const cac = (name: string, ...children: Xml[]): Xml => xmlBranch(`cac:${name}`, ...children);

/** Codes of the CEF VATEX list; categories without one have their sentence only. */
const exemptionCodes: Partial<Record<VatCategory, string>> = { AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' };

const vatScheme = cac('TaxScheme', cbc('ID', 'VAT'));

/** Out of scope has no rate, others have one even if it is zero (BR-O-05, BR-AE-05). */
const percentOf = ({ category, rateBasisPoints }: VatTreatment): Xml =>
  category === 'O' ? '' : cbc('Percent', (rateBasisPoints / 100).toFixed(2));

/** An e-invoice or credit note, the same for both syntaxes; amounts in minor units and never negative. */
type EInvoice = {
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

/** UBL 2.1, or CII D16B, which German software and Factur-X read. Both are equivalent under EN 16931. */
export type Syntax = 'ubl' | 'cii';

const documentXml = (syntax: Syntax, document: EInvoice): Xml =>
  syntax === 'ubl' ? ublXml(document) : ciiXml(document);

/** An invoice or credit note for our fee by EN 16931, from the same frozen content as its PDF. */
export function invoiceXml({ content, ...row }: PrintedInvoice, syntax: Syntax = 'ubl'): Xml {
  const isCredit = row.kind === 'credit_note';
  return documentXml(syntax, {
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

const workNames: Record<WorkLine['kind'], string> = {
  work: 'Work',
  compensation: 'Compensation for a late cancellation',
  tip: 'Tip',
  bonus: 'Bonus',
};

/** A worker's self-billed invoice or credit note by EN 16931. It is paid in full, VAT included. */
export function workerInvoiceXml({ content, ...row }: PrintedWorkerInvoice, syntax: Syntax = 'ubl'): Xml {
  const credit = isCredit(row);
  const currency = row.currency;
  const { selfBilling } = content;
  const legalTerm = selfBillingTerm(content);
  return documentXml(syntax, {
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
      name: `${workNames[line.kind]}: ${line.title}`,
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

/** The amount due after the totals, and the sentences of the law, as both syntaxes write them. */
function factsOf({ content, due, netMinor, vatMinor, prepaidMinor, notes }: EInvoice) {
  const sentences = content.vat.flatMap(({ reason }) =>
    reason === null ? [] : [reasonSentence(reason, content, 'en')],
  );
  const payableMinor = due === null ? 0 : netMinor + vatMinor - prepaidMinor;
  return {
    isOutOfScope: content.vat.some(({ category }) => category === 'O'),
    note: [...notes, ...sentences].join(' '),
    payableMinor,
    // VAT that is split off a whole amount can leave a cent (BT-114).
    roundingMinor: payableMinor - (netMinor + vatMinor - prepaidMinor),
  };
}

/** Zero-rated has no exemption (BR-Z-10); its sentence is in the note. */
const exemptionOf = ({ category, reason }: VatTreatment, content: EInvoice['content']): string | null =>
  reason === null || category === 'Z' ? null : reasonSentence(reason, content, 'en');

const ublNamespace = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** Elements are in the order of the UBL schema, and what is empty is left out. */
function ublXml(document: EInvoice): Xml {
  const { content, currency, isCredit, due, netMinor, vatMinor, prepaidMinor } = document;
  const { isOutOfScope, note, payableMinor, roundingMinor } = factsOf(document);
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const money = (name: string, minor: number) =>
    cbc(name, decimalOf(minor, currency), { currencyID: currency });
  const children = [
    cbc('CustomizationID', 'urn:cen.eu:en16931:2017'),
    cbc('ID', document.number),
    cbc('IssueDate', content.issuedOn),
    isCredit ? '' : cbc('DueDate', due?.on ?? null),
    cbc(`${root}TypeCode`, document.typeCode),
    cbc('Note', note),
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
            cbc('TaxExemptionReason', exemptionOf(sum, content)),
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
    ...document.lines.map((line, at) => invoiceLine(line, at, { isCredit, money })),
  ];
  return xmlDocument(
    root,
    {
      xmlns: `${ublNamespace}${root}-2`,
      'xmlns:cac': `${ublNamespace}CommonAggregateComponents-2`,
      'xmlns:cbc': `${ublNamespace}CommonBasicComponents-2`,
    },
    ...children,
  );
}

/**
 * An invoice out of scope names no VAT id (BR-O-02). A seller without one is identified by its registration
 * (BT-32).
 */
function taxIdsOf(
  company: InvoiceParty,
  { isSeller, isOutOfScope }: PartyRole,
): { vatId: string; taxNumber: string } {
  if (isOutOfScope) return { vatId: '', taxNumber: '' };
  const { countryCode, vatId, registrationNumber } = company;
  return vatId === ''
    ? { vatId: '', taxNumber: isSeller ? registrationNumber : '' }
    : { vatId: withCountryPrefix(countryCode, vatId), taxNumber: '' };
}

type PartyRole = { isSeller: boolean; isOutOfScope: boolean };

function party(company: InvoiceParty, role: PartyRole): Xml {
  const { vatId, taxNumber } = taxIdsOf(company, role);
  return cac(
    'Party',
    cac(
      'PostalAddress',
      cbc('StreetName', company.street),
      cbc('CityName', company.town),
      cbc('PostalZone', company.postcode),
      cac('Country', cbc('IdentificationCode', company.countryCode)),
    ),
    vatId === '' ? '' : cac('PartyTaxScheme', cbc('CompanyID', vatId), vatScheme),
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

/** BR-CO-9 requires the country before every VAT id; a Norwegian one is printed without it. */
const withCountryPrefix = (countryCode: string, vatId: string): string =>
  countryCode === 'NO' ? `NO${vatId}` : vatId;

function invoiceLine(
  line: EInvoice['lines'][number],
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

const ciiNamespace = 'urn:un:unece:uncefact:data:standard:';

const ram = (name: string, ...children: Xml[]): Xml => xmlBranch(`ram:${name}`, ...children);
const ramText = (name: string, ...rest: [text: string | null, attributes?: Record<string, string>]): Xml =>
  xmlLeaf(`ram:${name}`, ...rest);

/** A day as CII writes it: 20261130. */
const ciiDay = (name: string, day: string | null, type: 'udt' | 'qdt' = 'udt'): Xml =>
  ram(name, xmlLeaf(`${type}:DateTimeString`, day?.replaceAll('-', '') ?? null, { format: '102' }));

/** The category and rate of a line or a sum. Out of scope has no rate (BR-O-05). */
const ciiTax = (tax: VatTreatment, amounts?: { vat: Xml; taxable: Xml; exemption: Xml }): Xml =>
  ram(
    'ApplicableTradeTax',
    amounts?.vat ?? '',
    ramText('TypeCode', 'VAT'),
    amounts?.exemption ?? '',
    amounts?.taxable ?? '',
    ramText('CategoryCode', tax.category),
    amounts ? ramText('ExemptionReasonCode', exemptionCodes[tax.category] ?? null) : '',
    tax.category === 'O' ? '' : ramText('RateApplicablePercent', (tax.rateBasisPoints / 100).toFixed(2)),
  );

/** Elements are in the order of the CII D16B schema, and what is empty is left out. */
function ciiXml(document: EInvoice): Xml {
  const { content, currency, isCredit, due, netMinor, vatMinor, prepaidMinor } = document;
  const { isOutOfScope, note, payableMinor, roundingMinor } = factsOf(document);
  const money = (name: string, minor: number) => ramText(name, decimalOf(minor, currency));
  const settlement = [
    due && !isCredit ? ramText('PaymentReference', document.number) : '',
    ramText('InvoiceCurrencyCode', currency),
    due && !isCredit && due.iban !== ''
      ? ram(
          'SpecifiedTradeSettlementPaymentMeans',
          ramText('TypeCode', '30'),
          ram('PayeePartyCreditorFinancialAccount', ramText('IBANID', due.iban)),
        )
      : '',
    ...content.vat.map((sum) =>
      ciiTax(sum, {
        vat: money('CalculatedAmount', sum.vatMinor),
        taxable: money('BasisAmount', sum.taxableMinor),
        exemption: ramText('ExemptionReason', exemptionOf(sum, content)),
      }),
    ),
    ram('BillingSpecifiedPeriod', ciiDay('StartDateTime', content.from), ciiDay('EndDateTime', content.to)),
    due
      ? ram(
          'SpecifiedTradePaymentTerms',
          isCredit ? ramText('Description', `Returned by ${due.on}.`) : ciiDay('DueDateDateTime', due.on),
        )
      : '',
    ram(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      money('LineTotalAmount', netMinor),
      money('TaxBasisTotalAmount', netMinor),
      ramText('TaxTotalAmount', decimalOf(vatMinor, currency), { currencyID: currency }),
      roundingMinor === 0 ? '' : money('RoundingAmount', roundingMinor),
      money('GrandTotalAmount', netMinor + vatMinor),
      money('TotalPrepaidAmount', prepaidMinor),
      money('DuePayableAmount', payableMinor),
    ),
    content.corrects === null
      ? ''
      : ram(
          'InvoiceReferencedDocument',
          ramText('IssuerAssignedID', content.corrects.number),
          ciiDay('FormattedIssueDateTime', content.corrects.issuedOn, 'qdt'),
        ),
  ];
  const children = [
    xmlBranch(
      'rsm:ExchangedDocumentContext',
      ram('GuidelineSpecifiedDocumentContextParameter', ramText('ID', 'urn:cen.eu:en16931:2017')),
    ),
    xmlBranch(
      'rsm:ExchangedDocument',
      ramText('ID', document.number),
      ramText('TypeCode', document.typeCode),
      ciiDay('IssueDateTime', content.issuedOn),
      ram('IncludedNote', ramText('Content', note)),
    ),
    xmlBranch(
      'rsm:SupplyChainTradeTransaction',
      ...document.lines.map((line, at) =>
        ram(
          'IncludedSupplyChainTradeLineItem',
          ram('AssociatedDocumentLineDocument', ramText('LineID', String(at + 1))),
          ram('SpecifiedTradeProduct', ramText('Name', line.name), ramText('Description', line.description)),
          ram(
            'SpecifiedLineTradeAgreement',
            ram('NetPriceProductTradePrice', money('ChargeAmount', line.netMinor)),
          ),
          ram('SpecifiedLineTradeDelivery', ramText('BilledQuantity', '1', { unitCode: 'C62' })),
          ram(
            'SpecifiedLineTradeSettlement',
            ciiTax(line),
            ram('SpecifiedTradeSettlementLineMonetarySummation', money('LineTotalAmount', line.netMinor)),
          ),
        ),
      ),
      ram(
        'ApplicableHeaderTradeAgreement',
        ciiParty('SellerTradeParty', content.seller, { isSeller: true, isOutOfScope }),
        ciiParty('BuyerTradeParty', content.buyer, { isSeller: false, isOutOfScope }),
      ),
      '<ram:ApplicableHeaderTradeDelivery/>',
      ram('ApplicableHeaderTradeSettlement', ...settlement),
    ),
  ];
  return xmlDocument(
    'rsm:CrossIndustryInvoice',
    {
      'xmlns:rsm': `${ciiNamespace}CrossIndustryInvoice:100`,
      'xmlns:ram': `${ciiNamespace}ReusableAggregateBusinessInformationEntity:100`,
      'xmlns:udt': `${ciiNamespace}UnqualifiedDataType:100`,
      'xmlns:qdt': `${ciiNamespace}QualifiedDataType:100`,
    },
    ...children,
  );
}

function ciiParty(name: string, company: InvoiceParty, role: PartyRole): Xml {
  const { vatId, taxNumber } = taxIdsOf(company, role);
  return ram(
    name,
    ramText('Name', company.name),
    ramText('Description', company.register),
    ram('SpecifiedLegalOrganization', ramText('ID', company.registrationNumber)),
    ram('DefinedTradeContact', ram('EmailURIUniversalCommunication', ramText('URIID', company.email))),
    ram(
      'PostalTradeAddress',
      ramText('PostcodeCode', company.postcode),
      ramText('LineOne', company.street),
      ramText('CityName', company.town),
      ramText('CountryID', company.countryCode),
    ),
    ram('SpecifiedTaxRegistration', ramText('ID', vatId, { schemeID: 'VA' })),
    ram('SpecifiedTaxRegistration', ramText('ID', taxNumber, { schemeID: 'FC' })),
  );
}
