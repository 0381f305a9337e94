import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import type { SellerDetails, SellerQuarter, SellerReport } from '@nearhand/contract/money/seller-reports';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import { type Xml, xmlBranch, xmlBranchWith, xmlDocument, xmlLeaf } from '../../platform/xml.ts';
import { textCell } from '../downloads/download-files.ts';
import { decimalOf } from '../downloads/print-words.ts';

/** The report's data about one person in one currency. It is frozen. */
export type ReportedSeller = SellerDetails & { vatId: string; quarters: SellerQuarter[] };
type Seller = ReportedSeller & { currency: Currency };

const quarterNames = ['Q1', 'Q2', 'Q3', 'Q4'] as const;

/** A report for a tax office whose format we don't write: one row per person and currency, exact amounts. */
export function sellerReportCsv(year: number, sellers: readonly Seller[]): string {
  const head = [
    ...['Year', 'First name', 'Last name', 'Date of birth', 'Street', 'Postcode', 'Town', 'Country'],
    ...['Tax number', 'VAT id', 'Currency'],
    ...quarterNames.flatMap((name) => [`${name} paid`, `${name} fees`, `${name} activities`]),
  ];
  const rows = sellers.map(({ quarters, currency, ...seller }) => [
    String(year),
    ...[seller.firstName, seller.lastName, seller.bornOn, seller.street, seller.postcode, seller.town],
    ...[seller.countryCode, seller.taxNumber, seller.vatId, currency],
    ...quarters.flatMap(({ paidMinor, feeMinor, activities }) => [
      decimalOf(paidMinor, currency),
      decimalOf(feeMinor, currency),
      String(activities),
    ]),
  ]);
  return [head, ...rows].map((cells) => `${cells.map(textCell).join(',')}\r\n`).join('');
}

const dpi = (name: string, ...children: Xml[]): Xml => xmlBranch(`dpi:${name}`, ...children);
const dpiText = (name: string, ...rest: [text: string | null, attributes?: Record<string, string>]): Xml =>
  xmlLeaf(`dpi:${name}`, ...rest);

/**
 * A report as the XML of the OECD for digital platform information (DPI XML schema 1.0, which the EU uses for DAC7),
 * for new data (DPI401, OECD1). Elements are in the order of the schema. Amounts are whole units of the currency, as
 * the schema asks. A person with pay in two currencies is in it twice.
 */
export function sellerReportXml(
  report: Pick<SellerReport, 'year' | 'countryCode'> & { id: string; madeAt: Date },
  company: PlatformCompany,
  sellers: readonly Seller[],
): Xml {
  const { year, countryCode } = report;
  const messageId = `${countryCode}${year}${countryCode}-${report.id}`;
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
      // DPI403 declares that there is no seller to report.
      dpiText('MessageTypeIndic', sellers.length === 0 ? 'DPI403' : 'DPI401'),
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
        docSpec(`${messageId}-0`),
      ),
      ...sellers.map((seller, at) => reportableSeller(seller, `${messageId}-${at + 1}`)),
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

const docSpec = (documentId: string): Xml =>
  dpi('DocSpec', xmlLeaf('stf:DocTypeIndic', 'OECD1'), xmlLeaf('stf:DocRefId', documentId));

function reportableSeller(seller: Seller, documentId: string): Xml {
  const { currency, quarters } = seller;
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
    docSpec(documentId),
  );
}

/** Half units are rounded up. */
const wholeUnits = (minor: number, currency: Currency): string => {
  const unit = 10 ** currencyDigits[currency];
  return String(Math.floor((2 * minor + unit) / (2 * unit)));
};
