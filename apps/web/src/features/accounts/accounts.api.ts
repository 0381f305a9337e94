/** What other slices may use of accounts. */
export { saveAcceptedTerms } from './terms-kept.ts';
export { VerifyNotice } from './verify-notice.tsx';
