import { t } from '@lingui/core/macro';
import type { BusinessStatus } from '@nearhand/contract/businesses';
import type { MemberRole } from '@nearhand/contract/operation';
import type { SettingsView } from '../../lib/settings.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { BusinessField } from './business-form.rules.ts';

export function businessStatusWords(status: BusinessStatus): { label: string; tone?: Tone } {
  switch (status) {
    case 'draft':
      return { label: t`Not verified` };
    case 'submitted':
      return { label: t`In verification`, tone: 'wait' };
    case 'verified':
      return { label: t`Verified`, tone: 'good' };
    case 'needs_info':
      return { label: t`We need more from you`, tone: 'wait' };
    case 'rejected':
      return { label: t`Verification refused`, tone: 'bad' };
    case 'suspended':
      return { label: t`Suspended`, tone: 'bad' };
    case 'closed':
      return { label: t`Closed` };
  }
}

/** What the status means for the merchant, in a sentence (product.md, States: Business). */
export function businessStatusMeaning(
  status: BusinessStatus,
  { openJobsWhileUnverified: most }: Pick<SettingsView, 'openJobsWhileUnverified'>,
): string {
  switch (status) {
    case 'draft':
      return t`You can have ${most} open jobs at a time, and workers see that the business is not verified. Ask for verification to lift the limit.`;
    case 'submitted':
      return t`We check the legal data. Until then you can have ${most} open jobs at a time, and workers see that the business is not verified.`;
    case 'verified':
      return t`Workers see the seal beside your name. There is no limit on open jobs.`;
    case 'needs_info':
      return t`Check the legal name and the registration number, then ask for verification again. Until then you can have ${most} open jobs at a time.`;
    case 'rejected':
      return t`We could not verify this business. It cannot post jobs.`;
    case 'suspended':
      return t`This business cannot post or change jobs while it is suspended.`;
    case 'closed':
      return t`This business is closed. Nothing in it can be changed.`;
  }
}

export function roleWords(role: MemberRole): string {
  switch (role) {
    case 'owner':
      return t`Owner`;
    case 'manager':
      return t`Manager`;
    case 'recruiter':
      return t`Recruiter`;
    case 'finance':
      return t`Finance`;
  }
}

/** What a field of the form is called in a sentence. */
export function businessFieldWords(field: BusinessField): string {
  switch (field) {
    case 'name':
      return t`name`;
    case 'legalName':
      return t`legal name`;
    case 'registrationNumber':
      return t`registration number`;
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
    case 'address':
      return t`street and number`;
    case 'area':
      return t`town or quarter`;
    case 'countryCode':
      return t`country`;
    case 'point':
      return t`pin on the map`;
    case 'privateAddress':
      return t`private address`;
  }
}
