import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Branch } from '@nearhand/contract/people/branches';
import type { Business } from '@nearhand/contract/people/businesses';

export type PlaceForm = {
  address: string;
  area: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
  /** An empty value means the pin's time zone. */
  timeZone: string;
};

export type WhereForm = {
  /** False means the address of the branch, or of the business if there is no branch. */
  elsewhere: boolean;
  branchId: string;
  place: PlaceForm;
};

export const emptyPlace: PlaceForm = {
  address: '',
  area: '',
  point: null,
  privateAddress: false,
  timeZone: '',
};

type Address = {
  address: string;
  area: string;
  lat: number;
  lng: number;
  privateAddress: boolean;
  timeZone: string;
};
const placeOf = ({ address, area, lat, lng, privateAddress, timeZone }: Address): PlaceForm => ({
  address,
  area,
  point: { lat, lng },
  privateAddress,
  timeZone,
});

export const atBranch = (branch: Branch): WhereForm => ({
  elsewhere: false,
  branchId: branch.id,
  place: placeOf(branch),
});
export const atBusiness: WhereForm = { elsewhere: false, branchId: '', place: emptyPlace };

const isAt = (job: Job, spot: { address: string; lat: number; lng: number } | undefined): boolean =>
  spot !== undefined &&
  job.member?.address === spot.address &&
  job.place.lat === spot.lat &&
  job.place.lng === spot.lng;

export function whereOfJob(job: Job, business: Business | undefined): WhereForm {
  const branch = job.member?.branch;
  if (!branch && isAt(job, business)) return atBusiness;
  return {
    elsewhere: !isAt(job, branch ?? undefined),
    branchId: branch?.id ?? '',
    place: {
      address: job.member?.address ?? job.place.label,
      area: job.member?.area ?? '',
      point: { lat: job.place.lat, lng: job.place.lng },
      privateAddress: job.member?.privateAddress ?? false,
      timeZone: job.timeZone,
    },
  };
}

/** The place of the job: its own, its branch's or the business's. */
export const placeIn = ({ elsewhere, branchId, place }: WhereForm, business: Business): PlaceForm =>
  elsewhere || branchId !== '' ? place : placeOf(business);
