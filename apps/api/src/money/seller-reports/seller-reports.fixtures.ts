import type { SellerDetails } from '@nearhand/contract/money/seller-reports';

/** A Dutch worker's details for the tax office. */
export const sellerDetailsSample: SellerDetails = {
  firstName: 'Leila',
  lastName: 'Haddad',
  bornOn: '1996-02-29',
  street: 'Bilderdijkkade 52-2',
  postcode: '1053 VK',
  town: 'Amsterdam',
  countryCode: 'NL',
  taxNumber: '111222333',
};
