import { t } from '@lingui/core/macro';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import type { SettingsView } from '@nearhand/contract/people/settings';
import type { Tone } from '../../ui/badge.tsx';
import type { BusinessField } from './business-form.rules.ts';

export function businessStatusText(status: BusinessStatus): { label: string; tone?: Tone } {
  switch (status) {
    case 'draft':
      return { label: t`Not verified` };
    case 'submitted':
      return { label: t`Being verified`, tone: 'wait' };
    case 'verified':
      return { label: t`Verified`, tone: 'good' };
    case 'needs_info':
      return { label: t`More information needed`, tone: 'wait' };
    case 'rejected':
      return { label: t`Verification rejected`, tone: 'bad' };
    case 'resubmitted':
      return { label: t`Being checked again`, tone: 'wait' };
    case 'suspended':
      return { label: t`Suspended`, tone: 'bad' };
    case 'closed':
      return { label: t`Closed` };
  }
}

/** Explains the status to the business (product.md, States: Business). */
export function businessStatusMeaning(
  status: BusinessStatus,
  { openJobsWhileUnverified: limit }: Pick<SettingsView, 'openJobsWhileUnverified'>,
): string {
  switch (status) {
    case 'draft':
      return t`You can have ${limit} open jobs at a time, and workers see that the business isn't verified. Verification adds a badge, removes the limit and lets you add more money in a day. It usually takes two working days.`;
    case 'submitted':
      return t`We're checking your legal details, usually within two working days. Until then you can have ${limit} open jobs at a time, and workers see that the business isn't verified.`;
    case 'verified':
      return t`Workers see a badge next to your name. There's no limit on open jobs.`;
    case 'needs_info':
      return t`Something is missing for the verification. Until then you can have ${limit} open jobs at a time.`;
    case 'rejected':
      return t`We couldn't verify this business, so it's hidden and can't hire. Correct the details and ask us to check again, or appeal.`;
    case 'resubmitted':
      return t`We're checking your corrected details, usually within two working days. Until then the business stays hidden and can't hire.`;
    case 'suspended':
      return t`This business can't hire while it's suspended. Booked work goes on and must be paid.`;
    case 'closed':
      return t`This business is closed and can't be changed.`;
  }
}

export function businessFieldText(field: BusinessField): string {
  switch (field) {
    case 'name':
      return t`name`;
    case 'legalName':
      return t`legal name`;
    case 'registrationNumber':
      return t`registration number`;
    case 'vatId':
      return t`VAT ID`;
    case 'registeredStreet':
      return t`street of the registered address`;
    case 'registeredPostcode':
      return t`postcode`;
    case 'registeredTown':
      return t`town of the registered address`;
    case 'category':
      return t`category`;
    case 'description':
      return t`description`;
    case 'email':
      return t`email`;
    case 'phone':
      return t`phone`;
    case 'website':
      return t`website`;
    case 'logo':
      return t`logo`;
    case 'cover':
      return t`cover photo`;
    case 'address':
      return t`street and number`;
    case 'area':
      return t`town or neighbourhood`;
    case 'countryCode':
      return t`country`;
    case 'point':
      return t`pin on the map`;
    case 'privateAddress':
      return t`private address`;
    case 'timeZone':
      return t`time zone`;
  }
}
