import { currencyDigits } from '@nearhand/contract/currencies';
import type { Job, PayUnit } from '@nearhand/contract/hiring/jobs';
import { publicBusinessPath, publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';

/** What linked data says of a job beyond what the app's guests get. */
export type PostingFacts = { town: string; countryCode: string };

const unitTexts: Record<Exclude<PayUnit, 'fixed'>, string> = {
  hour: 'HOUR',
  day: 'DAY',
  week: 'WEEK',
  month: 'MONTH',
  year: 'YEAR',
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Plain text as the HTML that the vocabulary expects. */
const asMarkup = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(
      (part) => `<p>${part.replace(/[&<>]/g, (sign) => entities[sign] ?? sign).replaceAll('\n', '<br>')}</p>`,
    )
    .join('');

function baseSalary({ pay }: Job) {
  const amount = (minor: number) => minor / 10 ** currencyDigits[pay.currency];
  const range =
    pay.maxMinor !== null && pay.maxMinor > pay.minor
      ? { minValue: amount(pay.minor), maxValue: amount(pay.maxMinor) }
      : { value: amount(pay.minor) };
  // A fixed price has no unit in the vocabulary.
  const unit = pay.unit === 'fixed' ? {} : { unitText: unitTexts[pay.unit] };
  return {
    '@type': 'MonetaryAmount',
    currency: pay.currency,
    value: { '@type': 'QuantitativeValue', ...range, ...unit },
  };
}

const employmentType = (job: Job): string => {
  if (job.kind === 'task') return 'CONTRACTOR';
  return job.startsAt === null ? 'OTHER' : 'TEMPORARY';
};

/** An open job as schema.org JobPosting. The place is the one that guests see: a private address has no street and no point. */
export function jobPosting(job: Job, facts: PostingFacts, publicUrl: string) {
  const business = job.business.verified ? { sameAs: `${publicUrl}${publicBusinessPath(job.business)}` } : {};
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description: asMarkup(job.description || job.title),
    identifier: { '@type': 'PropertyValue', name: 'Nearhand', value: job.id },
    url: `${publicUrl}${publicJobPath(job)}`,
    datePosted: job.publishedAt,
    ...(job.expiresAt === null ? {} : { validThrough: job.expiresAt }),
    ...(job.startsAt === null ? {} : { jobStartDate: job.startsAt }),
    employmentType: employmentType(job),
    hiringOrganization: { '@type': 'Organization', name: job.business.name, ...business },
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        ...(job.place.blurred ? {} : { streetAddress: job.place.label }),
        addressLocality: facts.town,
        addressCountry: facts.countryCode,
      },
    },
    baseSalary: baseSalary(job),
    ...(job.headCount > 1 ? { totalJobOpenings: job.seatsLeft } : {}),
    ...(job.skills.length + job.requirements.length === 0
      ? {}
      : {
          qualifications: job.requirements.join('\n') || undefined,
          skills: job.skills.join(', ') || undefined,
        }),
    directApply: true,
  };
}
