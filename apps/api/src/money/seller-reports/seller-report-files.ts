import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import type {
  SellerDetails,
  SellerQuarter,
  SellerReport,
  SellerReportFormat,
} from '@nearhand/contract/money/seller-reports';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import { type Xml, xmlBranch, xmlBranchWith, xmlDocument, xmlLeaf } from '../../platform/xml.ts';
import { textCell } from '../downloads/download-files.ts';
import { decimalOf } from '../downloads/print-words.ts';

/** The report's data about one person in one currency. It is frozen. */
export type ReportedSeller = SellerDetails & { vatId: string; quarters: SellerQuarter[] };

/** A stored row of a report; `correctsDocument` is the document at the tax office that it replaces or deletes. */
export type ReportedRow = {
  currency: Currency;
  content: ReportedSeller;
  change: 'new' | 'corrected' | 'deleted';
  documentNo: number;
  correctsDocument: string | null;
};

type Report = Pick<SellerReport, 'id' | 'year' | 'countryCode' | 'corrects'>;

const messageIdOf = ({ id, year, countryCode }: Pick<Report, 'id' | 'year' | 'countryCode'>): string =>
  `${countryCode}${year}${countryCode}-${id}`;

/** The id of a document, unique at the tax office; 0 is the platform. */
export const documentIdOf = (
  report: Pick<Report, 'id' | 'year' | 'countryCode'>,
  documentNo: number,
): string => `${messageIdOf(report)}-${documentNo}`;

const quarterNames = ['Q1', 'Q2', 'Q3', 'Q4'] as const;

const changeNames = { new: 'New', corrected: 'Corrected', deleted: 'Delete' } as const;

/**
 * A report for a tax office whose format we don't write: one row per person and currency, exact amounts. A correction
 * says in its first column what happens to a row.
 */
export function sellerReportCsv(
  report: Pick<Report, 'year' | 'corrects'>,
  rows: readonly ReportedRow[],
): string {
  const isCorrection = report.corrects !== null;
  const head = [
    'Year',
    'First name',
    'Last name',
    'Date of birth',
    'Street',
    'Postcode',
    'Town',
    'Country',
    'Tax number',
    'VAT id',
    'Currency',
    ...quarterNames.flatMap((name) => [`${name} paid`, `${name} fees`, `${name} activities`]),
  ];
  const lines = rows.map(({ content: { quarters, ...seller }, currency }) => [
    String(report.year),
    seller.firstName,
    seller.lastName,
    seller.bornOn,
    seller.street,
    seller.postcode,
    seller.town,
    seller.countryCode,
    seller.taxNumber,
    seller.vatId,
    currency,
    ...quarters.flatMap(({ paidMinor, feeMinor, activities }) => [
      decimalOf(paidMinor, currency),
      decimalOf(feeMinor, currency),
      String(activities),
    ]),
  ]);
  const changes = ['Change', ...rows.map(({ change }) => changeNames[change])];
  return [head, ...lines]
    .map((cells, at) => (isCorrection ? [changes[at] ?? '', ...cells] : cells))
    .map((cells) => `${cells.map(textCell).join(',')}\r\n`)
    .join('');
}

const dpi = (name: string, ...children: Xml[]): Xml => xmlBranch(`dpi:${name}`, ...children);
const dpiText = (name: string, ...rest: [text: string | null, attributes?: Record<string, string>]): Xml =>
  xmlLeaf(`dpi:${name}`, ...rest);

/** The rows of a report that belong in a file: the XML of a correction has new people in one of its own. */
export const rowsIn = <Row extends Pick<ReportedRow, 'change'>>(
  format: SellerReportFormat,
  { corrects }: Pick<Report, 'corrects'>,
  rows: readonly Row[],
): readonly Row[] =>
  format === 'csv' || corrects === null
    ? rows
    : rows.filter(({ change }) => (change === 'new') === (format === 'xml-new'));

/** DPI403 declares that nobody is to be reported for the year, which a correction never says. */
const messageKindOf = (
  format: SellerReportFormat,
  corrects: string | null,
  rows: readonly ReportedRow[],
): 'DPI401' | 'DPI402' | 'DPI403' => {
  if (corrects === null) return rows.length === 0 ? 'DPI403' : 'DPI401';
  if (rows.length === 0) throw new Error('a correction without rows is no message');
  return format === 'xml-new' ? 'DPI401' : 'DPI402';
};

/**
 * A report as the OECD's XML for digital platforms (DPI schema 1.0, which the EU uses for DAC7), in its order of
 * elements and in whole units of the currency. A correction sends the platform again as it was (OECD0).
 */
export function sellerReportXml(
  report: Report & { madeAt: Date; originalId: string },
  company: PlatformCompany,
  file: { format: 'xml' | 'xml-new'; rows: readonly ReportedRow[] },
): Xml {
  const { year, countryCode, corrects, originalId } = report;
  const rows = rowsIn(file.format, report, file.rows);
  const messageId = messageIdOf(report) + (file.format === 'xml-new' ? '-new' : '');
  return xmlDocument(
    'dpi:DPI_OECD',
    { 'xmlns:dpi': 'urn:oecd:ties:dpi:v1', 'xmlns:stf': 'urn:oecd:ties:dpistf:v1', version: '1.0' },
    dpi(
      'MessageSpec',
      dpiText('SendingEntityIN', taxNumberOf(company)),
      dpiText('TransmittingCountry', countryCode),
      dpiText('ReceivingCountry', countryCode),
      dpiText('MessageType', 'DPI'),
      dpiText('MessageRefId', messageId),
      dpiText('MessageTypeIndic', messageKindOf(file.format, corrects, rows)),
      dpiText('ReportingPeriod', `${year}-12-31`),
      dpiText('Timestamp', report.madeAt.toISOString().slice(0, 19)),
    ),
    dpi(
      'DPIBody',
      dpi(
        'PlatformOperator',
        dpiText('ResCountryCode', countryCode),
        dpiText('TIN', taxNumberOf(company), { issuedBy: countryCode }),
        dpiText('IN', company.registrationNumber, { issuedBy: countryCode, INType: 'BRN' }),
        dpiText('VAT', company.vatId),
        dpiText('Name', company.legalName),
        dpiText('PlatformBusinessName', 'Nearhand'),
        address(company, 'OECD304'),
        dpiText('Nexus', 'RPONEX1'),
        dpiText('AssumedReporting', 'false'),
        docSpec(documentIdOf({ ...report, id: originalId }, 0), corrects === null ? 'OECD1' : 'OECD0'),
      ),
      ...rows.map((row) => reportableSeller(row, documentIdOf(report, row.documentNo))),
    ),
  );
}

/** A Dutch company is identified by the nine digits in its VAT id (RSIN), others by their registration. */
const taxNumberOf = ({ countryCode, vatId, registrationNumber }: PlatformCompany): string =>
  (countryCode === 'NL' ? /\d{9}/.exec(vatId)?.[0] : undefined) ?? registrationNumber;

/** @param kind OECD301 for the residence or business of a person, OECD304 for a registered office */
const address = (
  place: Pick<SellerDetails, 'street' | 'postcode' | 'town' | 'countryCode'>,
  kind: 'OECD301' | 'OECD304',
): Xml =>
  xmlBranchWith(
    'dpi:Address',
    { legalAddressType: kind },
    dpiText('CountryCode', place.countryCode),
    dpi(
      'AddressFix',
      dpiText('Street', place.street),
      dpiText('PostCode', place.postcode),
      dpiText('City', place.town),
    ),
  );

const docTypes = { new: 'OECD1', corrected: 'OECD2', deleted: 'OECD3' } as const;

const docSpec = (documentId: string, docType: string, corrects: string | null = null): Xml =>
  dpi(
    'DocSpec',
    xmlLeaf('stf:DocTypeIndic', docType),
    xmlLeaf('stf:DocRefId', documentId),
    xmlLeaf('stf:CorrDocRefId', corrects),
  );

function reportableSeller(row: ReportedRow, documentId: string): Xml {
  const { currency, content: seller } = row;
  const { quarters } = seller;
  const byQuarter = (name: string, text: (quarter: SellerQuarter) => string, isMoney: boolean) =>
    quarters.map((quarter, at) =>
      dpiText(`${name}Q${at + 1}`, text(quarter), isMoney ? { currCode: currency } : {}),
    );
  return dpi(
    'ReportableSeller',
    dpi(
      'Identity',
      dpi(
        'IndividualSeller',
        dpi(
          'Standard',
          dpi(
            'IndSellerID',
            dpiText('ResCountryCode', seller.countryCode),
            dpiText('TIN', seller.taxNumber, { issuedBy: seller.countryCode }),
            dpiText('VAT', seller.vatId),
            // The schema's word for someone without a first name.
            dpi(
              'Name',
              dpiText('FirstName', seller.firstName || 'NFN'),
              dpiText('LastName', seller.lastName),
            ),
            address(seller, 'OECD301'),
            dpi('BirthInfo', dpiText('BirthDate', seller.bornOn)),
          ),
        ),
      ),
    ),
    dpi(
      'RelevantActivities',
      dpi(
        'PersonalServices',
        dpi('Consideration', ...byQuarter('Cons', ({ paidMinor }) => wholeUnits(paidMinor, currency), true)),
        dpi('NumberOfActivities', ...byQuarter('Numb', ({ activities }) => String(activities), false)),
        dpi('Fees', ...byQuarter('Fees', ({ feeMinor }) => wholeUnits(feeMinor, currency), true)),
        dpi('Taxes', ...byQuarter('Tax', () => '0', true)),
      ),
    ),
    docSpec(documentId, docTypes[row.change], row.correctsDocument),
  );
}

/** Half units are rounded up. */
const wholeUnits = (minor: number, currency: Currency): string => {
  const unit = 10 ** currencyDigits[currency];
  return String(Math.floor((2 * minor + unit) / (2 * unit)));
};
