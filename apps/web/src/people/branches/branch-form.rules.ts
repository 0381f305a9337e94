import { t } from '@lingui/core/macro';
import type { Branch, BranchInput } from '@nearhand/contract/people/branches';
import { branchLimits } from '@nearhand/contract/people/branches.rules';
import { isPhone, plainPhone } from '@nearhand/contract/people/contact.rules';
import { phoneExample } from '../../lib/forms/phone-example.ts';
import { tooLong } from '../../lib/forms/too-long.ts';

/** A branch as it is typed. */
export type BranchForm = {
  name: string;
  address: string;
  area: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
  contactName: string;
  contactPhone: string;
  openingNotes: string;
};
export type BranchErrors = Partial<Record<keyof BranchForm, string>>;

export const branchForm = (branch: Branch | null): BranchForm => ({
  name: branch?.name ?? '',
  address: branch?.address ?? '',
  area: branch?.area ?? '',
  point: branch && { lat: branch.lat, lng: branch.lng },
  privateAddress: branch?.privateAddress ?? false,
  contactName: branch?.contactName ?? '',
  contactPhone: branch?.contactPhone ?? '',
  openingNotes: branch?.openingNotes ?? '',
});

const needed = (text: string, missing: string, most: number): string | undefined =>
  text.trim() === '' ? missing : tooLong(text, most);

/** What prevents a branch from being saved, by field, in the order of the form. */
export function branchErrors(form: BranchForm): BranchErrors {
  const phone = form.contactPhone.trim();
  const found: Record<string, string | undefined> = {
    name: needed(form.name, t`Enter a name.`, branchLimits.name),
    point: form.point ? undefined : t`Put the pin on the entrance to get distances right.`,
    address: needed(form.address, t`Enter the street and number.`, branchLimits.address),
    area: needed(form.area, t`Enter the town or neighbourhood.`, branchLimits.area),
    contactName: tooLong(form.contactName, branchLimits.contactName),
    contactPhone:
      phone !== '' && !isPhone(phone)
        ? t`Enter the number with its country code, like ${phoneExample}.`
        : undefined,
    openingNotes: tooLong(form.openingNotes, branchLimits.openingNotes),
  };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined)) as BranchErrors;
}

/** What goes to the server; only for a form without errors. */
export const branchInputOf = (form: BranchForm): BranchInput => ({
  name: form.name.trim(),
  address: form.address.trim(),
  area: form.area.trim(),
  lat: form.point?.lat ?? 0,
  lng: form.point?.lng ?? 0,
  privateAddress: form.privateAddress,
  contactName: form.contactName.trim(),
  contactPhone: plainPhone(form.contactPhone) || null,
  openingNotes: form.openingNotes.trim(),
});
