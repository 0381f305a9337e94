import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { sumOf } from '@nearhand/contract/arithmetic';
import { currencyDigits } from '@nearhand/contract/currencies';
import { Profile, validateXsd } from '@stackforge-eu/factur-x';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { InvoiceParty, PrintedInvoice } from '../invoices/invoices.ts';
import {
  type VatCategory,
  type VatTreatment,
  vatBreakdown,
  vatOf,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import type { PrintedWorkerInvoice } from '../worker-invoices/worker-invoices.sql.ts';
import { invoicePdf, workerInvoicePdf } from './invoice-pdf.ts';
import { invoiceXml, type Syntax, workerInvoiceXml } from './invoice-xml.ts';

type Node = { name: string; attributes: Record<string, string>; text: string; children: Node[] };

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };
const plain = (text: string) => text.replace(/&([\w#]+);/g, (whole, name) => entities[name] ?? whole);

/** A reader for the part of XML in these files: elements, attributes and text; names lose their prefix. */
function read(xml: string): Node {
  const root: Node = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const tokens = xml.replace(/<\?.*?\?>|<!--.*?-->/gs, '').matchAll(/<(\/?)([\w:]+)([^>]*?)(\/?)>|([^<]+)/g);
  for (const [, closing, tag = '', attributes = '', empty, text] of tokens) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += plain(text);
    else if (closing) {
      if (open.pop()?.name !== tag.replace(/^\w+:/, '')) throw new Error(`</${tag}> closes another element`);
    } else {
      const node: Node = {
        name: tag.replace(/^\w+:/, ''),
        attributes: Object.fromEntries(
          [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
            key,
            plain(value),
          ]),
        ),
        text: '',
        children: [],
      };
      parent.children.push(node);
      if (!empty) open.push(node);
    }
  }
  const [document] = root.children;
  if (!document || open.length !== 1) throw new Error('the document is not closed');
  return document;
}

const all = (node: Node | undefined, where: string): Node[] =>
  where
    .split('/')
    .reduce<Node[]>(
      (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
      node ? [node] : [],
    );
const nodeText = (node: Node | undefined, where: string): string => all(node, where)[0]?.text.trim() ?? '';

/** An amount as a whole number of hundredths, exactly. */
const cents = (text: string): number => {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) throw new Error(`${text} is no amount with two decimals`);
  const [, sign, whole, part = ''] = match;
  return Number(`${sign}${whole}${part.padEnd(2, '0')}`);
};
const centsAt = (node: Node | undefined, where: string) => cents(nodeText(node, where) || '0');
const sum = (amounts: number[]) => sumOf(amounts);

const element = (name: string, ...content: (Node | string)[]): Node => ({
  name,
  attributes: {},
  text: content.filter((part) => typeof part === 'string').join(''),
  children: content.filter((part) => typeof part !== 'string'),
});

/** Converts a CII document to the equivalent UBL, so that one set of checks reads both. */
function asUbl(cii: Node): Node {
  const trade = all(cii, 'SupplyChainTradeTransaction')[0];
  const settlement = all(trade, 'ApplicableHeaderTradeSettlement')[0];
  const sums = all(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')[0];
  const typeCode = nodeText(cii, 'ExchangedDocument/TypeCode');
  const isNote = ['381', '261'].includes(typeCode);
  /** An element with the text at the first place that has one; empty if no place has one. */
  const copy = (name: string, from: Node | undefined, ...places: string[]): Node[] => {
    const text = places.map((where) => nodeText(from, where)).find((value) => value !== '');
    return text === undefined ? [] : [element(name, text)];
  };
  const day = (name: string, from: Node | undefined, where: string): Node[] =>
    copy(name, from, `${where}/DateTimeString`).map(({ text }) =>
      element(name, text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
    );
  const category = (name: string, tax: Node | undefined): Node =>
    element(
      name,
      ...copy('ID', tax, 'CategoryCode'),
      ...copy('Percent', tax, 'RateApplicablePercent'),
      ...copy('TaxExemptionReasonCode', tax, 'ExemptionReasonCode'),
      ...copy('TaxExemptionReason', tax, 'ExemptionReason'),
    );
  const partyAt = (name: string, where: string): Node => {
    const party = all(trade, `ApplicableHeaderTradeAgreement/${where}`)[0];
    return element(
      name,
      element(
        'Party',
        element(
          'PostalAddress',
          ...copy('StreetName', party, 'PostalTradeAddress/LineOne'),
          ...copy('CityName', party, 'PostalTradeAddress/CityName'),
          ...copy('PostalZone', party, 'PostalTradeAddress/PostcodeCode'),
          element('Country', ...copy('IdentificationCode', party, 'PostalTradeAddress/CountryID')),
        ),
        ...all(party, 'SpecifiedTaxRegistration/ID').map(({ text, attributes }) =>
          element(
            'PartyTaxScheme',
            element('CompanyID', text),
            element('TaxScheme', element('ID', attributes.schemeID === 'VA' ? 'VAT' : 'TAX')),
          ),
        ),
        element(
          'PartyLegalEntity',
          ...copy('RegistrationName', party, 'Name'),
          ...copy('CompanyID', party, 'SpecifiedLegalOrganization/ID'),
          ...copy('CompanyLegalForm', party, 'Description'),
        ),
        ...copy('ElectronicMail', party, 'DefinedTradeContact/EmailURIUniversalCommunication/URIID').map(
          (mail) => element('Contact', mail),
        ),
      ),
    );
  };
  return element(
    isNote ? 'CreditNote' : 'Invoice',
    ...copy('CustomizationID', cii, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    ...copy('ID', cii, 'ExchangedDocument/ID'),
    ...day('IssueDate', cii, 'ExchangedDocument/IssueDateTime'),
    ...day('DueDate', settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime'),
    element(isNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode', typeCode),
    ...copy('Note', cii, 'ExchangedDocument/IncludedNote/Content'),
    ...copy('DocumentCurrencyCode', settlement, 'InvoiceCurrencyCode'),
    ...all(settlement, 'BillingSpecifiedPeriod').map((period) =>
      element(
        'InvoicePeriod',
        ...day('StartDate', period, 'StartDateTime'),
        ...day('EndDate', period, 'EndDateTime'),
      ),
    ),
    ...all(settlement, 'InvoiceReferencedDocument').map((original) =>
      element(
        'BillingReference',
        element(
          'InvoiceDocumentReference',
          ...copy('ID', original, 'IssuerAssignedID'),
          ...day('IssueDate', original, 'FormattedIssueDateTime'),
        ),
      ),
    ),
    partyAt('AccountingSupplierParty', 'SellerTradeParty'),
    partyAt('AccountingCustomerParty', 'BuyerTradeParty'),
    ...all(settlement, 'SpecifiedTradeSettlementPaymentMeans').map((means) =>
      element(
        'PaymentMeans',
        ...copy('PaymentMeansCode', means, 'TypeCode'),
        ...copy('PaymentID', settlement, 'PaymentReference'),
        element(
          'PayeeFinancialAccount',
          ...copy(
            'ID',
            means,
            'PayeePartyCreditorFinancialAccount/IBANID',
            'PayeePartyCreditorFinancialAccount/ProprietaryID',
          ),
        ),
      ),
    ),
    ...copy('Note', settlement, 'SpecifiedTradePaymentTerms/Description').map((terms) =>
      element('PaymentTerms', terms),
    ),
    element(
      'TaxTotal',
      ...copy('TaxAmount', sums, 'TaxTotalAmount'),
      ...all(settlement, 'ApplicableTradeTax').map((tax) =>
        element(
          'TaxSubtotal',
          ...copy('TaxableAmount', tax, 'BasisAmount'),
          ...copy('TaxAmount', tax, 'CalculatedAmount'),
          category('TaxCategory', tax),
        ),
      ),
    ),
    element(
      'LegalMonetaryTotal',
      ...copy('LineExtensionAmount', sums, 'LineTotalAmount'),
      ...copy('TaxExclusiveAmount', sums, 'TaxBasisTotalAmount'),
      ...copy('TaxInclusiveAmount', sums, 'GrandTotalAmount'),
      ...copy('AllowanceTotalAmount', sums, 'AllowanceTotalAmount'),
      ...copy('ChargeTotalAmount', sums, 'ChargeTotalAmount'),
      ...copy('PrepaidAmount', sums, 'TotalPrepaidAmount'),
      ...copy('PayableRoundingAmount', sums, 'RoundingAmount'),
      ...copy('PayableAmount', sums, 'DuePayableAmount'),
    ),
    ...all(trade, 'IncludedSupplyChainTradeLineItem').map((line) =>
      element(
        isNote ? 'CreditNoteLine' : 'InvoiceLine',
        ...copy('ID', line, 'AssociatedDocumentLineDocument/LineID'),
        ...copy(
          'LineExtensionAmount',
          line,
          'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
        ),
        element(
          'Item',
          ...copy('Description', line, 'SpecifiedTradeProduct/Description'),
          ...copy('Name', line, 'SpecifiedTradeProduct/Name'),
          category('ClassifiedTaxCategory', all(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax')[0]),
        ),
        element(
          'Price',
          ...copy('PriceAmount', line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
        ),
      ),
    ),
  );
}

/** The rules of EN 16931 that our invoices could break, by their names in the Schematron of CEN/TC 434. */
function brokenRules(document: Node): string[] {
  const broken: string[] = [];
  const rule = (name: string, holds: boolean) => holds || broken.push(name);
  const isCredit = document.name === 'CreditNote';
  const seller = all(document, 'AccountingSupplierParty/Party')[0];
  const buyer = all(document, 'AccountingCustomerParty/Party')[0];
  const lines = all(document, isCredit ? 'CreditNoteLine' : 'InvoiceLine');
  const subtotals = all(document, 'TaxTotal/TaxSubtotal');
  const totals = all(document, 'LegalMonetaryTotal')[0];
  const vatIdOf = (party: Node | undefined) =>
    all(party, 'PartyTaxScheme').find((scheme) => nodeText(scheme, 'TaxScheme/ID') === 'VAT');
  const categoryOf = (node: Node, where: string) => nodeText(node, `${where}/ID`);
  rule('BR-01', nodeText(document, 'CustomizationID') !== '');
  rule('BR-02', nodeText(document, 'ID') !== '');
  rule('BR-03', /^\d{4}-\d{2}-\d{2}$/.test(nodeText(document, 'IssueDate')));
  rule('BR-04', nodeText(document, isCredit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode') !== '');
  rule('BR-05', nodeText(document, 'DocumentCurrencyCode') !== '');
  rule('BR-06', nodeText(seller, 'PartyLegalEntity/RegistrationName') !== '');
  rule('BR-07', nodeText(buyer, 'PartyLegalEntity/RegistrationName') !== '');
  rule('BR-09', nodeText(seller, 'PostalAddress/Country/IdentificationCode') !== '');
  rule('BR-11', nodeText(buyer, 'PostalAddress/Country/IdentificationCode') !== '');
  rule('BR-16', lines.length > 0);
  rule(
    'BR-21',
    lines.every((line) => nodeText(line, 'ID') !== ''),
  );
  rule(
    'BR-25',
    lines.every((line) => nodeText(line, 'Item/Name') !== ''),
  );
  rule('BR-29', nodeText(document, 'InvoicePeriod/EndDate') >= nodeText(document, 'InvoicePeriod/StartDate'));
  rule(
    'BR-61',
    all(document, 'PaymentMeans').every(
      (means) =>
        nodeText(means, 'PaymentMeansCode') !== '30' || nodeText(means, 'PayeeFinancialAccount/ID') !== '',
    ),
  );
  const net = centsAt(totals, 'LineExtensionAmount');
  const without = centsAt(totals, 'TaxExclusiveAmount');
  const vat = centsAt(all(document, 'TaxTotal')[0], 'TaxAmount');
  const withVat = centsAt(totals, 'TaxInclusiveAmount');
  const charges = centsAt(totals, 'ChargeTotalAmount') - centsAt(totals, 'AllowanceTotalAmount');
  rule(
    'BR-CO-09',
    [seller, buyer].every((party) => {
      const id = vatIdOf(party);
      return !id || /^[A-Z]{2}/.test(nodeText(id, 'CompanyID'));
    }),
  );
  rule('BR-CO-10', net === sum(lines.map((line) => centsAt(line, 'LineExtensionAmount'))));
  rule('BR-CO-13', without === net + charges);
  rule('BR-CO-14', vat === sum(subtotals.map((of) => centsAt(of, 'TaxAmount'))));
  rule('BR-CO-15', withVat === without + vat);
  const due = centsAt(totals, 'PayableAmount');
  const rounding = centsAt(totals, 'PayableRoundingAmount');
  rule('BR-CO-16', due === withVat - centsAt(totals, 'PrepaidAmount') + rounding);
  // The minor unit of the currency in hundredths: 100 for yen.
  const unit = nodeText(document, 'DocumentCurrencyCode') === 'JPY' ? 100 : 1;
  rule(
    'BR-CO-17',
    subtotals.every((of) => {
      const percent = cents(nodeText(of, 'TaxCategory/Percent') || '0');
      const exact = (centsAt(of, 'TaxableAmount') * percent) / 10_000;
      return centsAt(of, 'TaxAmount') === Math.floor(exact / unit + 0.5) * unit;
    }),
  );
  rule('BR-CO-18', subtotals.length > 0);
  rule(
    'BR-CO-25',
    isCredit ||
      due <= 0 ||
      nodeText(document, 'DueDate') !== '' ||
      nodeText(document, 'PaymentTerms/Note') !== '',
  );
  rule('BR-CO-26', nodeText(seller, 'PartyLegalEntity/CompanyID') !== '' || vatIdOf(seller) !== undefined);
  for (const of of subtotals) {
    const category = categoryOf(of, 'TaxCategory');
    const own = lines.filter((line) => categoryOf(line, 'Item/ClassifiedTaxCategory') === category);
    const reasons =
      all(of, 'TaxCategory/TaxExemptionReason').length + all(of, 'TaxCategory/TaxExemptionReasonCode').length;
    const percent = nodeText(of, 'TaxCategory/Percent');
    rule(`BR-${category}-01`, own.length > 0);
    if (category === 'S') {
      rule('BR-S-02', all(seller, 'PartyTaxScheme').length > 0);
      rule('BR-S-05', cents(percent) > 0);
      rule('BR-S-10', reasons === 0);
    }
    if (['AE', 'E', 'Z'].includes(category)) {
      rule(`BR-${category}-02`, all(seller, 'PartyTaxScheme').length > 0);
      rule(
        `BR-${category}-05`,
        own.every((line) => cents(nodeText(line, 'Item/ClassifiedTaxCategory/Percent')) === 0),
      );
      rule(`BR-${category}-09`, centsAt(of, 'TaxAmount') === 0);
      rule(`BR-${category}-10`, category === 'Z' ? reasons === 0 : reasons > 0);
    }
    if (category === 'AE')
      rule('BR-AE-02b', vatIdOf(buyer) !== undefined || nodeText(buyer, 'PartyLegalEntity/CompanyID') !== '');
    if (category === 'O') {
      rule('BR-O-02', !vatIdOf(seller) && !vatIdOf(buyer));
      rule(
        'BR-O-05',
        own.every((line) => nodeText(line, 'Item/ClassifiedTaxCategory/Percent') === ''),
      );
      rule('BR-O-10', reasons > 0);
      rule('BR-O-11', subtotals.length === 1);
    }
  }
  const isEmpty = (node: Node): boolean =>
    node.children.length === 0 ? node.text.trim() === '' : node.children.some(isEmpty);
  rule('PEPPOL-EN16931-R008', !isEmpty(document));
  return broken;
}

/** The facts that our invoices have in common with the official examples. */
const factsOf = (document: Node) => ({
  kind: document.name,
  number: nodeText(document, 'ID'),
  issuedOn: nodeText(document, 'IssueDate'),
  currency: nodeText(document, 'DocumentCurrencyCode'),
  parties: ['AccountingSupplierParty/Party', 'AccountingCustomerParty/Party'].map((where) => {
    const party = all(document, where)[0];
    return {
      name: nodeText(party, 'PartyLegalEntity/RegistrationName'),
      registrationNumber: nodeText(party, 'PartyLegalEntity/CompanyID'),
      vatId: nodeText(party, 'PartyTaxScheme/CompanyID'),
      street: nodeText(party, 'PostalAddress/StreetName'),
      town: nodeText(party, 'PostalAddress/CityName'),
      postcode: nodeText(party, 'PostalAddress/PostalZone'),
      countryCode: nodeText(party, 'PostalAddress/Country/IdentificationCode'),
      email: nodeText(party, 'Contact/ElectronicMail'),
    };
  }),
  lines: all(document, document.name === 'Invoice' ? 'InvoiceLine' : 'CreditNoteLine').map((line) => ({
    netMinor: centsAt(line, 'LineExtensionAmount'),
    category: nodeText(line, 'Item/ClassifiedTaxCategory/ID') as VatCategory,
    rateBasisPoints: cents(nodeText(line, 'Item/ClassifiedTaxCategory/Percent') || '0'),
  })),
  vat: all(document, 'TaxTotal/TaxSubtotal').map((of) => ({
    category: nodeText(of, 'TaxCategory/ID') as VatCategory,
    rateBasisPoints: cents(nodeText(of, 'TaxCategory/Percent') || '0'),
    taxableMinor: centsAt(of, 'TaxableAmount'),
    vatMinor: centsAt(of, 'TaxAmount'),
  })),
  totals: ['TaxExclusiveAmount', 'TaxInclusiveAmount'].map((name) =>
    centsAt(all(document, 'LegalMonetaryTotal')[0], name),
  ),
});

const belgian: InvoiceParty = {
  name: 'Nearhand NV',
  street: 'Kouter 12',
  postcode: '9000',
  town: 'Gent',
  countryCode: 'BE',
  registrationNumber: '0791.348.269',
  register: 'RPR Gent',
  vatId: 'BE0791348269',
  email: 'books@nearhand.example',
};
const dutch: InvoiceParty = {
  ...belgian,
  name: 'Kopi & "Crumb" <B.V.>',
  street: 'Westerstraat 118',
  postcode: '1015 MN',
  town: 'Amsterdam',
  countryCode: 'NL',
  registrationNumber: '81264097',
  register: '',
  vatId: 'NL861942735B01',
};

function invoiceOf({
  seller = belgian,
  buyer = dutch,
  nets = [19_575, 7_920, 3_825],
  kind = 'invoice',
  currency = 'EUR',
}: {
  seller?: InvoiceParty;
  buyer?: InvoiceParty;
  nets?: number[];
  kind?: 'invoice' | 'credit_note';
  currency?: PrintedInvoice['currency'];
} = {}): PrintedInvoice {
  const treatment: VatTreatment = vatOf(seller, buyer, '2026-11-21');
  const lines = nets.map((netMinor, at) => ({
    ...treatment,
    branch: at === 0 ? null : `Branch ${at}`,
    feeBasisPoints: 1_000,
    payMinor: netMinor * 10,
    paidMinutes: 60,
    netMinor,
  }));
  const vat = vatBreakdown(lines);
  const vatMinor = sum(vat.map((of) => of.vatMinor));
  return {
    id: 'a',
    businessId: 'b',
    kind,
    year: 2026,
    number: 4_187,
    printedNumber: 'NHF-2026-004187',
    corrects: kind === 'invoice' ? null : 'c',
    currency,
    netMinor: sum(nets),
    vatMinor,
    issuedAt: new Date('2026-12-01T03:17:00Z'),
    content: {
      seller,
      buyer,
      iban: 'BE68539007547034',
      issuedOn: '2026-12-01',
      from: '2026-11-02',
      to: '2026-11-30',
      lines,
      vat,
      dueOn: vatMinor === 0 ? null : '2026-12-15',
      corrects: kind === 'invoice' ? null : { number: 'NHF-2026-004100', issuedOn: '2026-11-01' },
    },
  };
}

function workerInvoiceOf({
  seller,
  buyer = dutch,
  paid = [9_900, 12_524, 333],
  kind = 'invoice',
}: {
  seller: InvoiceParty;
  buyer?: InvoiceParty;
  paid?: number[];
  kind?: 'invoice' | 'credit_note';
}): PrintedWorkerInvoice {
  const treatment = vatOf(seller, buyer, '2026-11-21');
  let before = 0;
  const lines = paid.map((paidMinor) => {
    const after = before + paidMinor;
    const netMinor =
      withoutVatMinor(after, treatment.rateBasisPoints) - withoutVatMinor(before, treatment.rateBasisPoints);
    before = after;
    return {
      ...treatment,
      kind: 'work' as const,
      title: 'Weekend barista & <bar>',
      branch: 'Westerstraat',
      workedOn: '2026-11-07',
      paidOn: '2026-11-09',
      minutes: 330,
      breakMinutes: 30,
      hourMinor: 1_800,
      paidMinor,
      netMinor,
    };
  });
  const vat = vatBreakdown(lines);
  const base = invoiceOf({ seller, buyer, kind });
  const { from, to, issuedOn, corrects } = base.content;
  return {
    id: 'a',
    workerId: 'w',
    businessId: 'b',
    kind,
    series: 'NH10001',
    year: 2026,
    number: 11,
    printedNumber: 'NH10001-2026-0011',
    corrects: base.corrects,
    replaces: null,
    currency: 'EUR',
    netMinor: sum(lines.map((line) => line.netMinor)),
    vatMinor: sum(vat.map((row) => row.vatMinor)),
    paidMinor: sum(paid),
    month: '2026-11',
    issuedAt: base.issuedAt,
    content: {
      seller,
      buyer,
      issuedOn,
      from,
      to,
      lines,
      vat,
      corrects,
      selfBilling: { issuer: 'Nearhand NV', version: 1, agreedOn: '2026-03-03' },
    },
  };
}

const freelancer = { ...dutch, name: 'Leila Haddad', registrationNumber: '84710326', email: '' };
const workerCases: [string, PrintedWorkerInvoice, VatCategory][] = [
  ['VAT split off what was paid', workerInvoiceOf({ seller: freelancer }), 'S'],
  // No net with 21 % adds up to 0.03.
  ['a cent that VAT leaves', workerInvoiceOf({ seller: freelancer, paid: [3] }), 'S'],
  ['a worker in the small-business scheme', workerInvoiceOf({ seller: { ...freelancer, vatId: '' } }), 'E'],
  ['a worker for a business abroad', workerInvoiceOf({ seller: freelancer, buyer: belgian }), 'AE'],
  ['a credit note of a worker', workerInvoiceOf({ seller: freelancer, kind: 'credit_note' }), 'S'],
];

const home = { ...dutch, countryCode: 'BE', vatId: 'BE0417497106', registrationNumber: '0417.497.106' };
const american = { ...dutch, countryCode: 'US', vatId: '', registrationNumber: '12-3456789', postcode: '' };
const cases: [string, PrintedInvoice, VatCategory][] = [
  ['reverse charge', invoiceOf(), 'AE'],
  ['VAT at home', invoiceOf({ buyer: home }), 'S'],
  ['VAT that must be rounded', invoiceOf({ buyer: home, nets: [69_622, 69_622, 69_622] }), 'S'],
  ['a buyer outside the EU', invoiceOf({ buyer: american }), 'O'],
  ['a small business', invoiceOf({ seller: { ...belgian, vatId: '' } }), 'E'],
  [
    'a Norwegian seller',
    invoiceOf({ seller: { ...belgian, countryCode: 'NO', vatId: '923609016MVA' } }),
    'Z',
  ],
  ['an American seller', invoiceOf({ seller: american, buyer: home }), 'O'],
  ['yen', invoiceOf({ currency: 'JPY', buyer: home, nets: [1_234] }), 'S'],
  ['a credit note at home', invoiceOf({ kind: 'credit_note', buyer: home }), 'S'],
  ['a credit note with reverse charge', invoiceOf({ kind: 'credit_note' }), 'AE'],
];

const examples = path.resolve(import.meta.dirname, '../../../../../../shared/data/en16931');
/** The repository doesn't contain the examples; their tests are skipped if they are not next to it. */
const hasExamples = existsSync(examples);
const official = (hasExamples ? readdirSync(examples) : [])
  .filter((name) => name.endsWith('.xml'))
  .map((name) => {
    const document = read(readFileSync(path.join(examples, name), 'utf8'));
    return [name, document, ['Invoice', 'CreditNote'].includes(document.name) ? 'ubl' : 'cii'] as const;
  });

/** Checks one syntax as the other: CII is read as the equivalent UBL. */
const checked = (document: Node, syntax: Syntax): Node => (syntax === 'ubl' ? document : asUbl(document));
const syntaxes: Syntax[] = ['ubl', 'cii'];

const german = {
  ...dutch,
  name: 'Café Nord GmbH',
  postcode: '10115',
  town: 'Berlin',
  countryCode: 'DE',
  registrationNumber: 'HRB 12345',
  vatId: 'DE136695976',
};
const french = {
  ...dutch,
  name: 'Café du Nord SARL',
  postcode: '75010',
  town: 'Paris',
  countryCode: 'FR',
  registrationNumber: '303265045',
  vatId: 'FR40303265045',
};
const spanish = {
  ...dutch,
  name: 'Café Norte S.L.',
  postcode: '28013',
  town: 'Madrid',
  countryCode: 'ES',
  registrationNumber: 'B58378431',
  vatId: 'ESB58378431',
};
const british = {
  ...dutch,
  name: 'North Café Ltd',
  postcode: 'EC1A 1BB',
  town: 'London',
  countryCode: 'GB',
  registrationNumber: '00445790',
  vatId: 'GB980780684',
};
const workerIn = (party: InvoiceParty, change: Partial<InvoiceParty> = {}): InvoiceParty => ({
  ...party,
  name: 'Leila Haddad',
  street: 'Kade 52',
  email: '',
  ...change,
});

/** Ten documents with the words that the law of their country requires. */
const read10: [string, PrintedInvoice | PrintedWorkerInvoice, string[]][] = [
  ['fee, to the Netherlands', invoiceOf(), ['btw verlegd']],
  ['fee, at home', invoiceOf({ buyer: home }), ['21%']],
  [
    'fee, to Germany, a credit note',
    invoiceOf({ buyer: german, kind: 'credit_note' }),
    ['Steuerschuldnerschaft'],
  ],
  ['389, NL', workerInvoiceOf({ seller: workerIn(dutch) }), ['uitgereikt door afnemer', '14.88']],
  [
    '389, DE, small business',
    workerInvoiceOf({ seller: workerIn(german, { vatId: '' }), buyer: german }),
    ['Gutschrift', '§ 19 UStG', '18.00'],
  ],
  [
    '389, FR, small business',
    workerInvoiceOf({ seller: workerIn(french, { vatId: '' }), buyer: french }),
    ['autofacturation', 'TVA non applicable, art. 293 B du CGI'],
  ],
  [
    '389, ES',
    workerInvoiceOf({ seller: workerIn(spanish), buyer: spanish }),
    ['facturación por el destinatario', '21%'],
  ],
  [
    '389, GB',
    workerInvoiceOf({ seller: workerIn(british), buyer: british }),
    ['The VAT shown is your output tax due to HMRC', '20%', '15.00'],
  ],
  ['261, NL', workerInvoiceOf({ seller: workerIn(dutch), kind: 'credit_note' }), ['NHF-2026-004100']],
  [
    '389, DE for FR',
    workerInvoiceOf({ seller: workerIn(german), buyer: french }),
    ['autofacturation', 'autoliquidation'],
  ],
];

it('names no output tax of a seller without VAT, abroad, or on a credit note', () => {
  for (const row of [
    workerInvoiceOf({ seller: workerIn(british, { vatId: '' }), buyer: british }),
    workerInvoiceOf({ seller: workerIn(german), buyer: british }),
    workerInvoiceOf({ seller: workerIn(british), buyer: british, kind: 'credit_note' }),
  ])
    expect(plain(workerInvoiceXml(row))).not.toContain('HMRC');
});

const isWorkerInvoice = (row: PrintedInvoice | PrintedWorkerInvoice): row is PrintedWorkerInvoice =>
  'workerId' in row;

describe('the particulars of Directive 2006/112/EC, art. 226', () => {
  it.each(read10)('are in the PDF and the XML: %s', async (_, row, words) => {
    const { seller, buyer, vat } = row.content;
    const pdf = isWorkerInvoice(row) ? workerInvoicePdf(row) : invoicePdf(row);
    const bytes = new Uint8Array(await buffer(pdf));
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
    const plainPdf = text.replace(/\s+/g, ' ');
    const xml = plain(isWorkerInvoice(row) ? workerInvoiceXml(row) : invoiceXml(row));
    const cents = (minor: number) => (minor / 100).toFixed(2);
    const amounts = vat.flatMap(({ taxableMinor, vatMinor }) => [cents(taxableMinor), cents(vatMinor)]);
    for (const party of [seller, buyer])
      for (const fact of [
        party.name,
        party.street,
        party.postcode,
        party.town,
        party.vatId || party.registrationNumber,
      ])
        for (const document of [plainPdf, xml]) expect(document).toContain(fact);
    for (const fact of [row.printedNumber, ...amounts, ...words.filter((word) => !word.endsWith('%'))])
      for (const document of [plainPdf.replaceAll(',', ''), xml.replaceAll(',', '')])
        expect(document).toContain(fact.replaceAll(',', ''));
    for (const fact of ['1 December 2026', ...words.filter((word) => word.endsWith('%'))])
      expect(plainPdf).toContain(fact);
    expect(xml).toContain('2026-12-01');
  });
});

describe('the PDF of an invoice', () => {
  const printed: [string, NodeJS.ReadableStream, string | null][] = [
    ['for our fee', invoicePdf(invoiceOf()), invoiceXml(invoiceOf(), 'cii')],
    [
      'of a worker',
      workerInvoicePdf(workerInvoiceOf({ seller: freelancer }), 'nl'),
      workerInvoiceXml(workerInvoiceOf({ seller: freelancer }), 'cii'),
    ],
    [
      'that is a pro forma',
      workerInvoicePdf({ ...workerInvoiceOf({ seller: freelancer }), kind: 'pro_forma' }),
      null,
    ],
  ];
  it.each(printed)('has the e-invoice inside (Factur-X), %s', async (_, pdf, xml) => {
    const bytes = await buffer(pdf);
    const plainText = bytes.toString('latin1');
    const [, head = ''] = plainText.split('/Type /EmbeddedFile');
    const from = plainText.indexOf(head) + head.indexOf('stream\n') + 'stream\n'.length;
    const embedded = head === '' ? null : inflateSync(bytes.subarray(from)).toString();
    expect(embedded).toBe(xml);
    const document = await getDocumentProxy(new Uint8Array(bytes));
    expect([...((await document.getAttachments()) ?? new Map()).keys()]).toEqual(
      xml === null ? [] : ['factur-x.xml'],
    );
    const isPartOfPdfA = (fact: string) => plainText.includes(fact) === (xml !== null);
    expect(
      [
        '<pdfaid:part>3</pdfaid:part>',
        '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
        '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
        '/AFRelationship /Alternative',
        '/Subtype /text#2Fxml',
        '/GTS_PDFA1',
      ].filter((fact) => !isPartOfPdfA(fact)),
    ).toEqual([]);
    // PDF/A embeds every font.
    expect(plainText.match(/\/Type \/FontDescriptor/g)?.length).toBe(
      plainText.match(/\/FontFile[23] /g)?.length,
    );
  });
});

describe('invoiceXml', () => {
  it.each(cases)('keeps the rules of EN 16931 for %s', (_, row, category) => {
    const document = read(invoiceXml(row));
    expect(brokenRules(document)).toEqual([]);
    expect(factsOf(asUbl(read(invoiceXml(row, 'cii'))))).toEqual(factsOf(document));
    expect(brokenRules(asUbl(read(invoiceXml(row, 'cii'))))).toEqual([]);
    expect(nodeText(document, 'TaxTotal/TaxSubtotal/TaxCategory/ID')).toBe(category);
    const digits = currencyDigits[row.currency];
    expect(nodeText(document, 'LegalMonetaryTotal/TaxExclusiveAmount')).toMatch(
      digits === 0 ? /^\d+$/ : /^\d+\.\d{2}$/,
    );
  });

  it.each(workerCases)('keeps the rules of EN 16931 in self-billing for %s', (_, row, category) => {
    const document = read(workerInvoiceXml(row));
    expect(brokenRules(document)).toEqual([]);
    expect(factsOf(asUbl(read(workerInvoiceXml(row, 'cii'))))).toEqual(factsOf(document));
    expect(brokenRules(asUbl(read(workerInvoiceXml(row, 'cii'))))).toEqual([]);
    const isNote = row.kind === 'credit_note';
    expect(nodeText(document, isNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode')).toBe(
      isNote ? '261' : '389',
    );
    expect(nodeText(document, 'TaxTotal/TaxSubtotal/TaxCategory/ID')).toBe(category);
    expect(centsAt(all(document, 'LegalMonetaryTotal')[0], 'PrepaidAmount')).toBe(row.paidMinor);
    expect(nodeText(document, 'LegalMonetaryTotal/PayableAmount')).toBe('0.00');
    expect(centsAt(all(document, 'LegalMonetaryTotal')[0], 'PayableRoundingAmount')).toBe(
      row.paidMinor - row.netMinor - row.vatMinor,
    );
    if (row.paidMinor === 3)
      expect(nodeText(document, 'LegalMonetaryTotal/PayableRoundingAmount')).toBe('0.01');
  });

  it('writes CII that the schema of Factur-X accepts', async () => {
    const documents = [
      ...cases.map(([, row]) => invoiceXml(row, 'cii')),
      ...workerCases.map(([, row]) => workerInvoiceXml(row, 'cii')),
    ];
    for (const xml of documents) expect((await validateXsd(xml, Profile.EN16931)).errors).toEqual([]);
    const unordered = documents[0]?.replace(
      /(<ram:ID>.*?<\/ram:ID>)(<ram:TypeCode>.*?<\/ram:TypeCode>)/,
      '$2$1',
    );
    expect((await validateXsd(unordered ?? '', Profile.EN16931)).errors[0]?.message).toContain('TypeCode');
  });

  it('contains both sides, the period, the corrected invoice and the reason for no VAT', () => {
    const document = read(invoiceXml(invoiceOf({ kind: 'credit_note' })));
    expect(document.name).toBe('CreditNote');
    expect(nodeText(document, 'CreditNoteTypeCode')).toBe('381');
    expect(nodeText(document, 'BillingReference/InvoiceDocumentReference/ID')).toBe('NHF-2026-004100');
    expect(nodeText(document, 'AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName')).toBe(
      'Kopi & "Crumb" <B.V.>',
    );
    expect(nodeText(document, 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason')).toBe(
      'Reverse charge. VAT is due by the buyer: articles 44 and 196 of Directive 2006/112/EC. (btw verlegd)',
    );
  });

  it("drops characters that XML doesn't allow", () => {
    const xml = invoiceXml(invoiceOf({ buyer: { ...dutch, name: 'Ko\u0000pi\u000B \uD800ليلى' } }));
    expect(nodeText(read(xml), 'AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName')).toBe(
      'Kopi ليلى',
    );
  });

  it.skipIf(!hasExamples)('orders its elements as in the official examples', () => {
    expect(official.length).toBeGreaterThan(5);
    const orders = new Set<string>();
    const collect = (node: Node) => {
      for (const [at, child] of node.children.entries()) {
        for (const later of node.children.slice(at + 1))
          orders.add(`${node.name}: ${child.name} < ${later.name}`);
        collect(child);
      }
    };
    for (const [, document] of official) collect(document);
    const wrong: string[] = [];
    const check = (node: Node) => {
      for (const [at, child] of node.children.entries()) {
        for (const { name } of node.children.slice(at + 1))
          if (
            orders.has(`${node.name}: ${name} < ${child.name}`) &&
            !orders.has(`${node.name}: ${child.name} < ${name}`)
          )
            wrong.push(`${node.name}: ${child.name} before ${name}`);
        check(child);
      }
    };
    for (const syntax of syntaxes) {
      for (const [, row] of cases) check(read(invoiceXml(row, syntax)));
      for (const [, row] of workerCases) check(read(workerInvoiceXml(row, syntax)));
    }
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(!hasExamples)('the official examples', () => {
  const rewritten = (facts: ReturnType<typeof factsOf>): PrintedInvoice => {
    const [seller, buyer] = facts.parties.map((party) => ({ ...party, register: '' }));
    const [netMinor = 0, totalMinor = 0] = facts.totals;
    const base = invoiceOf({ kind: facts.kind === 'Invoice' ? 'invoice' : 'credit_note' });
    return {
      ...base,
      printedNumber: facts.number,
      currency: facts.currency as PrintedInvoice['currency'],
      netMinor,
      vatMinor: totalMinor - netMinor,
      content: {
        ...base.content,
        ...(seller && { seller }),
        ...(buyer && { buyer }),
        issuedOn: facts.issuedOn,
        lines: facts.lines.map((line) => ({ ...base.content.lines[0], ...line, reason: null })) as never,
        vat: facts.vat.map((of) => ({ ...of, reason: null })),
      },
    };
  };

  it.each(official)('%s passes our checks', (_, document, syntax) => {
    expect(brokenRules(checked(document, syntax))).toEqual([]);
  });

  it.each(
    official.filter(
      ([, document]) =>
        all(document, 'AllowanceCharge').length === 0 &&
        all(document, 'TaxTotal').length < 2 &&
        !JSON.stringify(document).includes('SpecifiedTradeAllowanceCharge'),
    ),
  )('%s says the same when it is read and written by us', (_, document, syntax) => {
    const facts = factsOf(checked(document, syntax));
    const written = read(invoiceXml(rewritten(facts), syntax));
    expect(factsOf(checked(written, syntax))).toEqual(facts);
  });

  it.each([
    [
      'BR-CO-10',
      '<cbc:LineExtensionAmount currencyID="EUR">195.75<',
      '<cbc:LineExtensionAmount currencyID="EUR">195.76<',
    ],
    ['BR-CO-14', '<cbc:TaxAmount currencyID="EUR">65.77<', '<cbc:TaxAmount currencyID="EUR">65.78<'],
    [
      'BR-CO-15',
      '<cbc:TaxInclusiveAmount currencyID="EUR">378.97<',
      '<cbc:TaxInclusiveAmount currencyID="EUR">378.98<',
    ],
    ['BR-CO-16', '<cbc:PayableAmount currencyID="EUR">65.77<', '<cbc:PayableAmount currencyID="EUR">65.70<'],
    ['BR-CO-25', '<cbc:DueDate>2026-12-15</cbc:DueDate>', ''],
    ['BR-S-05', '<cbc:Percent>21.00<', '<cbc:Percent>0.00<'],
    ['BR-61', '<cbc:ID>BE68539007547034</cbc:ID>', ''],
    ['BR-02', '<cbc:ID>NHF-2026-004187</cbc:ID>', ''],
  ])('would detect a violation of %s', (name, from, to) => {
    const xml = invoiceXml(invoiceOf({ buyer: home }));
    expect(xml).toContain(from);
    expect(brokenRules(read(xml.replace(from, to)))).toContain(name);
  });
});
