/** What other slices may use of accounts. */
export { VerifyNotice } from './verify-notice.tsx';
